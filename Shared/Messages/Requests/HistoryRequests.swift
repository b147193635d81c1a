public import CBOR

/// Reads a page of an entity's records by id, with the position that the page was read at. Every service answers.
///
/// To copy all of an entity: read the pages one after the other, then follow the events from the *first* page's
/// position, passing over those whose version is not above the row's. The copy is consistent once the last page's
/// position is reached. Nothing is held open between pages.
public struct ReadSnapshot: Request, Hashable {
    public static let operation = "snapshot.read"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable {
        /// Encoded records, by id.
        public var rows: [EncodedCBOR]
        /// Where the next page starts; absent on the last.
        public var next: Identifier?
        public var epoch: Identifier
        public var sequence: Int64
        /// The chain at `sequence`.
        public var chain: UInt64

        public init(rows: [EncodedCBOR], next: Identifier?, epoch: Identifier, sequence: Int64, chain: UInt64) {
            self.rows = rows
            self.next = next
            self.epoch = epoch
            self.sequence = sequence
            self.chain = chain
        }
    }

    public var entity: String
    /// Only records with an id above this one; the `next` of the page before.
    public var after: Identifier?
    /// The most rows, up to 1,000; a page of large rows holds fewer.
    public var limit: Int?

    public init(entity: String, after: Identifier? = nil, limit: Int? = nil) {
        self.entity = entity
        self.after = after
        self.limit = limit
    }
}

/// Reads what happened to one record, the newest first. Every service answers.
public struct ReadHistory: Request {
    public static let operation = "history.read"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable {
        /// Events as they stand in the log, the newest first.
        public var events: [EncodedCBOR]
        /// Whether there are older ones.
        public var more: Bool
        /// The idempotency key of the command that made each of `events`; null for a reaction.
        public var keys: [Identifier?]?
        /// Present on the last page where the record has older events that are no longer kept: those up to this moment.
        public var since: Instant?

        public init(events: [EncodedCBOR], more: Bool, keys: [Identifier?]? = nil, since: Instant? = nil) {
            self.events = events
            self.more = more
            self.keys = keys
            self.since = since
        }
    }

    /// The record's id.
    public var subject: Identifier
    /// Only events with a smaller number.
    public var before: Int64?
    /// The most events, up to 1,000.
    public var limit: Int?

    public init(subject: Identifier, before: Int64? = nil, limit: Int? = nil) {
        self.subject = subject
        self.before = before
        self.limit = limit
    }
}

/// Lists the caller's last commands that changed something and whose replies are kept, the newest first,
/// among the last 10,000 events. Every service answers.
public struct ListCommands: Request {
    public static let operation = "commands.list"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable {
        public var commands: [Command]

        public init(commands: [Command]) {
            self.commands = commands
        }
    }

    public struct Command: Codable, Sendable, Hashable {
        public var key: Identifier
        public var operation: String
        /// The command's last event.
        public var sequence: Int64

        public init(key: Identifier, operation: String, sequence: Int64) {
            self.key = key
            self.operation = operation
            self.sequence = sequence
        }
    }

    /// The most commands, up to 100; 10 where it is absent.
    public var limit: Int?

    public init(limit: Int? = nil) {
        self.limit = limit
    }
}

/// Reverses what a command did, by new events. Every service answers.
///
/// `conflict` where a record of it was changed since, or others depend on what would go; `not-found` where the
/// command is not known here, or changed nothing; `gone`, with the code `compacted`, where its events are no longer kept.
public struct UndoCommand: Request {
    public static let operation = "command.undo"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// The operation that was reversed.
        public var operation: String
        /// The types of the events that were reversed, in their order.
        public var events: [String]

        public init(operation: String, events: [String]) {
            self.operation = operation
            self.events = events
        }
    }

    /// The key of the command to reverse.
    public var key: Identifier

    public init(key: Identifier) {
        self.key = key
    }
}
