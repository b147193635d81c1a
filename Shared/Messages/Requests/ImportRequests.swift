public import CBOR

/// One record to import, with the key under which it is known where it comes from.
public struct ImportItem<R: Record>: Codable, Sendable {
    /// The record; its id derived from the natural key, so that a second import meets the first.
    ///
    /// Of version 0 it takes the place of what is there; otherwise it is a change of that version, by the rules of `Put`.
    public var record: R
    /// Where it stands in the file: the line, from 1.
    public var line: Int

    public init(record: R, line: Int) {
        self.record = record
        self.line = line
    }
}

/// Uploads a chunk of an import. Nothing is stored as a record before `ImportCommit`.
///
/// A chunk that is sent again replaces itself. Staged chunks that are not committed within a day are dropped.
public struct ImportStage: Request {
    public typealias Reply = Empty
    public static let operation = "import.stage"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    /// Chosen by the caller: one for each import of one service.
    public var batch: Identifier
    /// From 0, without holes.
    public var chunk: Int
    public var entity: String
    /// Encoded `ImportItem`s.
    public var items: [EncodedCBOR]

    public init(batch: Identifier, chunk: Int, entity: String, items: [EncodedCBOR]) {
        self.batch = batch
        self.chunk = chunk
        self.entity = entity
        self.items = items
    }
}

/// Stores what was staged, all in one transaction or nothing.
///
/// A record that is there already and whose item is the one that was imported before is left alone, also
/// where it was edited or deleted since; a changed item changes the record.
public struct ImportCommit: Request {
    public static let operation = "import.commit"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// By entity.
        public var counts: [String: ImportCounts]

        public init(counts: [String: ImportCounts]) {
            self.counts = counts
        }
    }

    public var batch: Identifier
    /// How many chunks were staged: fewer there is refused.
    public var chunks: Int
    /// Checks everything and stores nothing. References to records of other services are not looked up.
    public var dryRun: Bool?

    public init(batch: Identifier, chunks: Int, dryRun: Bool? = nil) {
        self.batch = batch
        self.chunks = chunks
        self.dryRun = dryRun
    }
}

public struct ImportCounts: Codable, Sendable, Hashable {
    public var created: Int
    public var updated: Int
    /// Already there with equal values, or imported before.
    public var unchanged: Int

    public init(created: Int = 0, updated: Int = 0, unchanged: Int = 0) {
        self.created = created
        self.updated = updated
        self.unchanged = unchanged
    }
}
