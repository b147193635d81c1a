internal import CBOR
internal import Messages

/// A projection that is being made from snapshot pages: which are read, and what of the log they hold already.
///
/// Each page is read at a position of its own while writers go on. Events are followed from the first page's position;
/// one whose record lies in a page that was read at or after it is in that page already (so its version is not above
/// the row's) and is passed over. The copy is whole once the highest position of a page is reached.
struct SnapshotCopy: Equatable {
    private struct Page: Equatable {
        var entity: String
        /// The last id that the page covers; nil where it covers all the rest.
        var through: Identifier?
        var sequence: Int64
    }

    let epoch: Identifier
    private let entities: [String]
    private let pageRows: Int?
    private var pages: [Page] = []
    /// The first page's position: events are followed from here.
    private(set) var start: Cursor?
    /// Where the copy is whole.
    private(set) var target: Int64 = 0

    init(epoch: Identifier, entities: [String], pageRows: Int? = nil) {
        self.epoch = epoch
        self.entities = entities
        self.pageRows = pageRows
    }

    /// The page to read next; nil when all are read.
    var next: ReadSnapshot? {
        guard let last = pages.last else { return entities.first.map { ReadSnapshot(entity: $0, limit: pageRows) } }
        if last.through != nil { return ReadSnapshot(entity: last.entity, after: last.through, limit: pageRows) }
        guard let index = entities.firstIndex(of: last.entity), index + 1 < entities.count else { return nil }
        return ReadSnapshot(entity: entities[index + 1], limit: pageRows)
    }

    /// Takes the answer to `next`.
    mutating func add(_ reply: ReadSnapshot.Reply) {
        guard let entity = next?.entity else { return }
        if start == nil { start = Cursor(epoch: epoch, sequence: reply.sequence, chain: reply.chain) }
        target = max(target, reply.sequence)
        pages.append(Page(entity: entity, through: reply.next, sequence: reply.sequence))
    }

    /// Whether a page holds what the event did.
    func holds(_ event: Event) -> Bool {
        let page = pages.first { page in
            page.entity == event.entity && page.through.map { event.subject <= $0 } ?? true
        }
        return page.map { event.sequence <= $0.sequence } ?? false
    }
}

/// Some rows of a snapshot, for a projection that is made from it.
struct CopiedRows: Equatable {
    var entity: String
    var rows: [EncodedCBOR]
    /// The position that they were read at.
    var sequence: Int64

    /// The rows as events of creation: what a projection is made of.
    func events(_ time: Instant) throws(ServiceError) -> [Event] {
        struct Head: Decodable {
            var id: Identifier
            var version: Int
        }
        var events: [Event] = []
        for row in rows {
            let head = try decodeStored(Head.self, row.bytes)
            events.append(
                Event(
                    sequence: sequence,
                    previous: 0,
                    transaction: 0,
                    last: nil,
                    type: "\(entity).created",
                    subject: head.id,
                    time: time,
                    version: head.version,
                    data: row,
                    before: nil,
                    principal: nil,
                    cause: nil,
                    traceparent: nil
                )
            )
        }
        return events
    }
}
