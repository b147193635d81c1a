/// The name of a service, as it stands in endpoints, positions and topics: lower-case letters.
public struct ServiceName: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let catalog = ServiceName(rawValue: "catalog")
    public static let orders = ServiceName(rawValue: "orders")
    public static let reporting = ServiceName(rawValue: "reporting")
    public static let walks = ServiceName(rawValue: "walks")

    /// The services that `daybook up` runs, in the order in which they are started.
    public static let all: [ServiceName] = [.catalog, .orders, .reporting, .walks]

    public var description: String { rawValue }

    public static func < (left: ServiceName, right: ServiceName) -> Bool {
        left.rawValue < right.rawValue
    }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
