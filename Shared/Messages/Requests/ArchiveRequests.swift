public import CBOR

/// What an archive of a whole service has, part by part; a member of the archive is one part, as a CBOR sequence
/// (RFC 8742).
public enum ArchiveFormat {
    /// Raised when a reader of the former one would misunderstand.
    public static let version = 1
    /// The part of the log: rows are ``ArchivedEvent``.
    public static let events = "event"
    /// The part that says where the log begins and ends: one row, an ``ArchivedLog``.
    public static let log = "log"
}

/// An event as an archive has it: as the log has it, with what the log knows beside it.
public struct ArchivedEvent: Codable, Sendable {
    /// Of the event's bytes as they were first written (64-bit FNV-1a).
    public var digest: UInt64
    /// The chain behind it.
    public var chain: UInt64
    /// The idempotency key of the command that made it; absent for a reaction.
    public var key: Identifier?
    /// True where it was erased from since: its bytes have another digest.
    public var erased: Bool?
    public var event: EncodedCBOR

    public init(digest: UInt64, chain: UInt64, key: Identifier?, erased: Bool?, event: EncodedCBOR) {
        self.digest = digest
        self.chain = chain
        self.key = key
        self.erased = erased
        self.event = event
    }
}

/// Where a log ends and begins, and what the service counts.
public struct ArchivedLog: Codable, Sendable, Hashable {
    /// The last event that is no longer kept.
    public struct Floor: Codable, Sendable, Hashable {
        public var sequence: Int64
        public var chain: UInt64
        /// The command that it belongs to.
        public var transaction: Int64
        public var time: Instant

        public init(sequence: Int64, chain: UInt64, transaction: Int64, time: Instant) {
            self.sequence = sequence
            self.chain = chain
            self.transaction = transaction
            self.time = time
        }
    }

    /// The last event.
    public var sequence: Int64
    /// The chain behind it.
    public var chain: UInt64
    /// Absent where all events are kept.
    public var floor: Floor?
    /// Running numbers and the like, by name.
    public var counters: [String: Int64]

    public init(sequence: Int64, chain: UInt64, floor: Floor?, counters: [String: Int64]) {
        self.sequence = sequence
        self.chain = chain
        self.floor = floor
        self.counters = counters
    }
}

/// Tells which parts the service has, in the order in which they are to be read. Every service answers.
public struct ListArchiveParts: Request, Hashable {
    public static let operation = "archive.parts"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// ``ArchiveFormat/version``.
        public var format: Int
        public var parts: [String]
        /// Those of the parts that are records.
        public var entities: [String]
        public var epoch: Identifier
        /// The log's last event: 0 for a service that is empty.
        public var sequence: Int64
        /// The last event that is no longer kept; 0 where all are.
        public var floor: Int64
        /// The archive that the service was loaded from.
        public var archive: Identifier?

        public init(
            format: Int,
            parts: [String],
            entities: [String],
            epoch: Identifier,
            sequence: Int64,
            floor: Int64,
            archive: Identifier?
        ) {
            self.format = format
            self.parts = parts
            self.entities = entities
            self.epoch = epoch
            self.sequence = sequence
            self.floor = floor
            self.archive = archive
        }
    }

    public init() {}
}

/// Reads a page of a part. Every service answers.
///
/// Nothing is held open between pages. Records, which come before the events, are read as by ``ReadSnapshot``: those that
/// events behind the first page's position tell of are to be taken from these events.
public struct ReadArchive: Request, Hashable {
    public static let operation = "archive.read"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable {
        public var rows: [EncodedCBOR]
        /// Where the next page starts; absent on the last.
        public var next: [UInt8]?
        public var epoch: Identifier
        /// The log's last event when the page was read.
        public var sequence: Int64
        /// On the last page of the events: what belongs to the log that ends here.
        public var log: ArchivedLog?
        /// On the last page of the events: up to where the service has reacted to others' logs.
        public var reactions: Positions?

        public init(
            rows: [EncodedCBOR],
            next: [UInt8]?,
            epoch: Identifier,
            sequence: Int64,
            log: ArchivedLog? = nil,
            reactions: Positions? = nil
        ) {
            self.rows = rows
            self.next = next
            self.epoch = epoch
            self.sequence = sequence
            self.log = log
            self.reactions = reactions
        }
    }

    public var part: String
    /// The `next` of the page before.
    public var after: [UInt8]?
    /// The most rows, up to 1,000; a page of large rows holds fewer.
    public var limit: Int?

    public init(part: String, after: [UInt8]? = nil, limit: Int? = nil) {
        self.part = part
        self.after = after
        self.limit = limit
    }
}

/// Uploads rows of an archive to an empty service. A chunk that is sent again replaces itself.
public struct StageArchive: Request {
    public typealias Reply = Empty
    public static let operation = "archive.stage"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    /// Chosen by the caller: one for each archive.
    public var archive: Identifier
    /// From 0, without holes.
    public var chunk: Int
    public var part: String
    public var rows: [EncodedCBOR]

    public init(archive: Identifier, chunk: Int, part: String, rows: [EncodedCBOR]) {
        self.archive = archive
        self.chunk = chunk
        self.part = part
        self.rows = rows
    }
}

/// Fills an empty service with what was staged, all in one transaction or nothing.
///
/// Ids, versions, numbers, events with their times and keys are those of the archive; the log gets an epoch of its own.
/// The whole log is checked as by ``VerifyLog``, and any difference refuses it.
public struct LoadArchive: Request {
    public static let operation = "archive.load"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// The new log's.
        public var epoch: Identifier
        public var sequence: Int64
        /// How many records there are, by entity.
        public var records: [String: Int]

        public init(epoch: Identifier, sequence: Int64, records: [String: Int]) {
            self.epoch = epoch
            self.sequence = sequence
            self.records = records
        }
    }

    public var archive: Identifier
    /// How many chunks were staged: fewer there is refused.
    public var chunks: Int
    /// Up to where the service had reacted to others' logs, in their new epochs; where it is absent, it reacts to all of
    /// what the other log holds.
    public var reactions: Positions?

    public init(archive: Identifier, chunks: Int, reactions: Positions? = nil) {
        self.archive = archive
        self.chunks = chunks
        self.reactions = reactions
    }
}
