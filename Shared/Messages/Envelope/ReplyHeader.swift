/// The first frame of a reply.
public struct ReplyHeader: Codable, Sendable, Hashable {
    /// A reply has at most this many body frames, of at most 1 MiB each.
    public static let maximumBodyFrames = 64

    public var version: Int
    /// The id of the request that is answered; 0 where it could not be read.
    public var id: UInt64
    public var status: Status
    /// For a command the position of its last event, for a query what was read.
    public var positions: Positions?
    /// Random for each start of the service.
    public var run: Identifier?
    /// Present and true where this is the first reply to a command, told again.
    public var replayed: Bool?
    /// When to try again, in milliseconds.
    public var retryAfter: Int?

    public init(
        id: UInt64,
        status: Status,
        positions: Positions? = nil,
        run: Identifier? = nil,
        replayed: Bool? = nil,
        retryAfter: Int? = nil
    ) {
        version = RequestHeader.currentVersion
        self.id = id
        self.status = status
        self.positions = positions
        self.run = run
        self.replayed = replayed
        self.retryAfter = retryAfter
    }
}
