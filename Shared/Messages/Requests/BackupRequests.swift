/// Copies the service's store as it is at one moment, while it is written to. Every service answers.
///
/// The copy is fetched by ``ReadBackup``, and dropped by ``EndBackup``, or when nothing was asked of it for two minutes; it
/// takes as much space on the store's disk. Asked again with the same id, the same copy is told. `unavailable` while it
/// is being made, where four are kept already, and where the disk has no room for it.
public struct BeginBackup: Request, Hashable {
    public static let operation = "backup.begin"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// The copy's length.
        public var bytes: Int64
        /// The last event in the copy.
        public var position: Position
        /// How far the copy has followed other logs: nothing of a log that is not named here.
        public var follows: Positions

        public init(bytes: Int64, position: Position, follows: Positions) {
            self.bytes = bytes
            self.position = position
            self.follows = follows
        }
    }

    /// Chosen by the caller: one for each backup.
    public var backup: Identifier
    /// Up to where other services' copies go. What the copy knows of one of them beyond that is left out, and made anew
    /// when the copy is used.
    public var within: Positions

    public init(backup: Identifier, within: Positions = [:]) {
        self.backup = backup
        self.within = within
    }
}

/// Reads a chunk of a copy.
public struct ReadBackup: Request, Hashable {
    public static let operation = "backup.read"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = nil

    /// The most bytes of a chunk.
    public static let chunkBytes = 512 * 1024

    public struct Reply: Codable, Sendable, Hashable {
        /// ``chunkBytes`` of them, unless the copy ends before; none from its end on.
        public var bytes: [UInt8]

        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    public var backup: Identifier
    /// Where the chunk starts.
    public var offset: Int64

    public init(backup: Identifier, offset: Int64) {
        self.backup = backup
        self.offset = offset
    }
}

/// Drops a copy; one that is not there is no error.
public struct EndBackup: Request, Hashable {
    public typealias Reply = Empty
    public static let operation = "backup.end"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public var backup: Identifier

    public init(backup: Identifier) {
        self.backup = backup
    }
}
