public import CBOR

/// One change of one record, as it stands in the log, in published messages and in replay: the same bytes.
public struct Event: Codable, Sendable, Hashable {
    /// Contiguous in a service, from 1.
    public var sequence: Int64
    /// The last event of the same entity before this one; 0 for the first.
    public var previous: Int64
    /// The command that it belongs to: its number, from 1.
    public var transaction: Int64
    /// Present and true on the last event of its transaction.
    public var last: Bool?
    /// `customer.created`, `customer.updated`, `customer.deleted`, `customer.erased`.
    public var type: String
    /// The record's id.
    public var subject: Identifier
    public var time: Instant
    /// The record's version after the change.
    public var version: Int
    /// The record after the change; absent for a delete, and where a deleted record was erased.
    public var data: EncodedCBOR?
    /// What the changed fields were (null where there was none); for a delete the whole record.
    public var before: EncodedCBOR?
    /// Whose key made the change.
    public var principal: String?
    /// The event of another service that it follows from, as `catalog:33`.
    public var cause: String?
    public var traceparent: String?

    public init(
        sequence: Int64,
        previous: Int64,
        transaction: Int64,
        last: Bool?,
        type: String,
        subject: Identifier,
        time: Instant,
        version: Int,
        data: EncodedCBOR?,
        before: EncodedCBOR?,
        principal: String?,
        cause: String?,
        traceparent: String?
    ) {
        self.sequence = sequence
        self.previous = previous
        self.transaction = transaction
        self.last = last
        self.type = type
        self.subject = subject
        self.time = time
        self.version = version
        self.data = data
        self.before = before
        self.principal = principal
        self.cause = cause
        self.traceparent = traceparent
    }

    /// The entity's name: what stands before the dot of the type.
    public var entity: String {
        String(type.prefix { $0 != "." })
    }

    public var isDelete: Bool { data == nil }

    /// Whether what is personal in the record was erased: whoever keeps copies of it has to do the same. Without `before`.
    public var isErasure: Bool { type.hasSuffix(".\(Erased.action)") }
}

/// The second frame of a published message: a run of consecutive events of one topic.
public struct EventsHeader: Codable, Sendable, Hashable {
    public var epoch: Identifier
    public var run: Identifier
    /// The first event's number.
    public var first: Int64
    /// The last event's number.
    public var through: Int64
    /// The chain at `through`.
    public var chain: UInt64
    /// The chain at each of the events.
    public var chains: [UInt64]?

    public init(
        epoch: Identifier,
        run: Identifier,
        first: Int64,
        through: Int64,
        chain: UInt64,
        chains: [UInt64]? = nil
    ) {
        self.epoch = epoch
        self.run = run
        self.first = first
        self.through = through
        self.chain = chain
        self.chains = chains
    }

    /// Whether so many events are those behind a position, from 0.
    public func continues(_ position: Int64, with count: Int) -> Bool {
        first > 0 && first - 1 == position && through >= first && through - position == Int64(count)
    }
}

/// Told each second on its own topic, so that a lost tail is noticed without another write.
public struct Heartbeat: Codable, Sendable, Hashable {
    public var epoch: Identifier
    public var run: Identifier
    /// The log's last event.
    public var sequence: Int64
    /// The last event of each entity.
    public var entities: [String: Int64]

    public init(epoch: Identifier, run: Identifier, sequence: Int64, entities: [String: Int64]) {
        self.epoch = epoch
        self.run = run
        self.sequence = sequence
        self.entities = entities
    }
}

/// The topics of the events socket. Under 64 bytes each.
public enum Topic {
    /// Events of one entity: `catalog/customer/`.
    public static func events(_ service: ServiceName, _ entity: String) -> String { "\(service)/\(entity)/" }
    /// The prefix of all events of a service.
    public static func events(_ service: ServiceName) -> String { "\(service)/" }
    /// A service's heartbeat.
    public static func heartbeat(_ service: ServiceName) -> String { "~\(service)" }
}
