public import CBOR

/// Reads events behind a position. Every service answers.
public struct ReadEvents: Request, Hashable {
    public typealias Reply = EventPage
    public static let operation = "events.read"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    /// The log's epoch as it is known; nil to begin with whatever log there is.
    public var epoch: Identifier?
    /// The last event that the caller has; 0 for none.
    public var sequence: Int64
    /// The chain at `sequence`, where it is known: a log that was put back by hand is noticed by it.
    public var chain: UInt64?
    /// The most events wanted; pages end at the ends of transactions, and may hold a few more.
    public var limit: Int?

    public init(epoch: Identifier? = nil, sequence: Int64 = 0, chain: UInt64? = nil, limit: Int? = nil) {
        self.epoch = epoch
        self.sequence = sequence
        self.chain = chain
        self.limit = limit
    }
}

/// Why a position can't be continued from.
public enum ResyncReason: String, Codable, Sendable, Hashable, CaseIterable {
    /// The log was made anew, or restored.
    case epoch
    /// The log has another past than the caller's.
    case diverged
    /// The events behind the position are no longer kept.
    case compacted
    /// The position lies beyond the log's end.
    case future
}

/// The answer to `events.read`.
public struct EventPage: Codable, Sendable {
    public var epoch: Identifier
    /// Each as it stands in the log.
    public var events: [EncodedCBOR]
    /// The last of `events`, or the position that was asked from.
    public var through: Int64
    /// The chain at `through`.
    public var chain: UInt64
    /// The log's last event when this was read; above `through`, there are more.
    public var head: Int64
    /// Present where the position can't be continued from; then `events` is empty, and `through` is the head.
    public var resync: ResyncReason?
    /// The chain at each of `events`.
    public var chains: [UInt64]?

    public init(
        epoch: Identifier,
        events: [EncodedCBOR],
        through: Int64,
        chain: UInt64,
        head: Int64,
        resync: ResyncReason? = nil,
        chains: [UInt64]? = nil
    ) {
        self.epoch = epoch
        self.events = events
        self.through = through
        self.chain = chain
        self.head = head
        self.resync = resync
        self.chains = chains
    }

    /// Behind which position `events` stand; nil for a page that no log has: with more events than there are up to
    /// `through`, or with a negative number.
    public var start: Int64? {
        through >= Int64(events.count) && head >= 0 ? through - Int64(events.count) : nil
    }
}
