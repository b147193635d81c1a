/// Empties what a service keeps of another's data and makes it anew from the other's log. Every service answers that
/// follows the source.
///
/// Answered once it is emptied. A later request with `position` as its `after` sees the new one whole.
public struct RebuildProjection: Request {
    public static let operation = "projection.rebuild"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// How far the source's log was followed before; absent where nothing was kept, or not all yet.
        public var position: Position?

        public init(position: Position?) {
            self.position = position
        }
    }

    /// Whose data.
    public var source: ServiceName

    public init(source: ServiceName) {
        self.source = source
    }
}

/// Tells the content of what a service keeps of another's data as one number: two that are made from the same events
/// are equal. The reply's positions say from which.
///
/// `unavailable` while it is being made from snapshots.
public struct HashProjection: Request {
    public static let operation = "projection.hash"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// FNV-1a, 64 bits, over the tables in order, each its rows by key.
        public var hash: UInt64
        /// How many rows.
        public var rows: Int64

        public init(hash: UInt64, rows: Int64) {
            self.hash = hash
            self.rows = rows
        }
    }

    /// Whose data.
    public var source: ServiceName

    public init(source: ServiceName) {
        self.source = source
    }
}
