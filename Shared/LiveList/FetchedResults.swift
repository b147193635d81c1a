public import CBOR
public import Messages

/// The side of a live list that follows: the visible rows as arrays, kept up to date by batches.
///
///     var customers = FetchedResults<Customer>()
///     for try await update in client.list(Customer.self) {
///         try customers.apply(update)
///         customers.sections.first?.rows[2].name
///     }
///
/// `Element` is what rows are read as; `EncodedCBOR` keeps them as they are. An error leaves the value as it was; all
/// but ``ListError/undecodable(_:)`` mean: open the list again.
public struct FetchedResults<Element: Decodable & Sendable>: Sendable {
    /// Rows that stand together under one key.
    public struct Section: Sendable {
        /// Null where the list has no section key.
        public let key: EncodedCBOR
        /// In their order; never empty.
        public internal(set) var rows: [Element] = []

        init(key: EncodedCBOR) {
            self.key = key
        }
    }

    /// Tells the list from one that was built anew; nil before the first snapshot.
    public private(set) var list: Identifier?
    /// Of the last batch applied.
    public private(set) var number: Int64 = 0
    /// What the rows depend on.
    public private(set) var positions: Positions = [:]
    /// Never empty ones.
    public private(set) var sections: [Section] = []
    /// Of the rows as they were encoded; see `ListDigest`. Proven with each batch.
    public private(set) var digest: UInt64 = 0
    private var hashes: [Hashes] = []

    /// What is kept of a section for the digest; see `ListDigest`.
    private struct Hashes: RowGroup, Sendable {
        let key: UInt64
        var rows: [UInt64] = []

        init(key: EncodedCBOR) {
            self.key = ListDigest.section(key.bytes)
        }
    }

    /// No rows, until a snapshot is applied.
    public init() {}

    /// Takes what opening the list gave, with the rows of its further frames appended.
    ///
    /// - Throws: `ListError.wrongDigest`, `.undecodable`.
    public init(_ reply: OpenList.Reply) throws(ListError) {
        list = reply.list
        number = reply.number
        positions = reply.positions
        digest = reply.digest
        for source in reply.sections {
            var (section, hashes) = (Section(key: source.key), Hashes(key: source.key))
            section.rows = try Self.elements(source.rows)
            hashes.rows = source.rows.map { ListDigest.row($0.bytes) }
            sections.append(section)
            self.hashes.append(hashes)
        }
        guard Self.digest(hashes) == digest else { throw .wrongDigest }
    }

    /// Takes a list of this process.
    ///
    /// - Throws: `ListError.undecodable`.
    public init(_ snapshot: LiveList.Snapshot) throws(ListError) {
        try self.init(snapshot.reply(topic: ""))
    }

    /// All rows in all sections.
    public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

    /// All rows, without their sections. O(rows).
    public var rows: [Element] { sections.flatMap(\.rows) }

    /// Where the first row that this holds for stands. O(rows).
    public func firstPath(where holds: (Element) -> Bool) -> ListPath? {
        for (index, section) in sections.enumerated() {
            if let item = section.rows.firstIndex(where: holds) { return ListPath(index, item) }
        }
        return nil
    }

    /// The row at a path; nil where there is none.
    public subscript(path: ListPath) -> Element? {
        guard sections.indices.contains(path.section) else { return nil }
        return sections[path.section].rows.indices.contains(path.item) ? sections[path.section].rows[path.item] : nil
    }

    /// Whether the rows are those of a state told on the list's topic. If they aren't, once just after subscribing,
    /// batches were missed: open the list again.
    public func isCurrent(_ state: ListState) -> Bool {
        state.list == list && state.number == number && state.digest == digest
    }

    /// Applies what following the list gave out, whatever it is; a resync leaves the rows until its snapshot comes.
    ///
    /// - Throws: `ListError`; the rows are then as they were.
    public mutating func apply(_ update: ListUpdate) throws(ListError) {
        switch update {
        case .snapshot(let reply): self = try FetchedResults(reply)
        case .batch(let batch): try apply(batch)
        case .resync: break
        }
    }

    /// Applies a batch, in the order that ``ListBatch`` tells, and proves the digest. O(rows), but not O(bytes).
    ///
    /// - Returns: false for a batch that the rows contain already; it is passed over.
    /// - Throws: `ListError`; the rows are then as they were.
    @discardableResult
    public mutating func apply(_ batch: ListBatch) throws(ListError) -> Bool {
        guard batch.list == list else { throw .otherList }
        guard batch.number > number else { return false }
        guard batch.base == number, batch.number == number + 1 else { throw .hole(expected: number, found: batch.base) }
        guard batch.reset != true else { throw .reset }
        let plan = try BatchPlan(batch, sections.map(\.rows.count))
        // Tried on the hashes first: once the digest is right nothing can fail, and the rows are changed in place.
        var hashes = hashes
        plan.apply(
            to: &hashes,
            inserted: plan.inserted.map { ListDigest.row($0.bytes) },
            updated: plan.updated.map { ListDigest.row($0.bytes) }
        )
        guard Self.digest(hashes) == batch.digest else { throw .wrongDigest }
        let (inserted, updated) = (try Self.elements(plan.inserted), try Self.elements(plan.updated))
        self.hashes = hashes
        digest = batch.digest
        plan.apply(to: &sections, inserted: inserted, updated: updated)
        number = batch.number
        positions = batch.positions
        return true
    }

    private static func digest(_ hashes: [Hashes]) -> UInt64 {
        var digest = ListDigest()
        for section in hashes {
            digest.add(section.key)
            for hash in section.rows { digest.add(hash) }
        }
        return digest.value
    }

    private static func elements(_ rows: [EncodedCBOR]) throws(ListError) -> [Element] {
        if let rows = rows as? [Element] { return rows }
        var elements: [Element] = []
        elements.reserveCapacity(rows.count)
        for row in rows {
            do {
                elements.append(try row.decode(Element.self))
            } catch {
                throw .undecodable("\(error)")
            }
        }
        return elements
    }
}

extension FetchedResults.Section: RowGroup {}
