/// What a key may do. Each role may do what those before it may.
public enum Role: String, Codable, Sendable, Hashable, CaseIterable, Comparable {
    /// Queries, events, live lists.
    case reader
    /// Commands, too.
    case writer
    /// What only services and their keeper need, too.
    case service

    private var rank: Int {
        switch self {
        case .reader: 0
        case .writer: 1
        case .service: 2
        }
    }

    public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }
}
