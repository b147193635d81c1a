public import CBOR
public import Messages

/// The side of a live list that follows: the visible rows as arrays, kept up to date by batches.
///
///     var results = try FetchedResults<Customer>(reply)
///     for batch in batches where try results.apply(batch) { tableView.follow(batch) }
///     results.sections[0].rows[2].name
///
/// `Element` is what rows are read as; `EncodedCBOR` keeps them as they are. An error leaves the value as it was; all
/// but ``ListError/undecodable(_:)`` mean: open the list again.
public struct FetchedResults<Element: Decodable & Sendable>: Sendable {
    public struct Section: Sendable {
        /// Null where the list has no section key.
        public internal(set) var key: EncodedCBOR
        public internal(set) var rows: [Element]
        var keyHash: UInt64
        /// h of each row; see `ListDigest`.
        var hashes: [UInt64]

        init(key: EncodedCBOR) {
            self.key = key
            rows = []
            keyHash = ListDigest.section(key.bytes)
            hashes = []
        }
    }

    /// Tells the list from one that was built anew.
    public let list: Identifier
    /// Of the last batch applied.
    public internal(set) var number: Int64
    /// What the rows depend on.
    public internal(set) var positions: Positions
    public internal(set) var sections: [Section] = []

    /// Takes what opening the list gave, with the rows of its further frames appended.
    ///
    /// - Throws: `ListError.wrongDigest`, `.undecodable`.
    public init(_ reply: OpenList.Reply) throws(ListError) {
        list = reply.list
        number = reply.number
        positions = reply.positions
        for source in reply.sections {
            var section = Section(key: source.key)
            section.rows.reserveCapacity(source.rows.count)
            section.hashes.reserveCapacity(source.rows.count)
            for row in source.rows {
                section.rows.append(try Self.element(row))
                section.hashes.append(ListDigest.row(row.bytes))
            }
            sections.append(section)
        }
        guard digest == reply.digest else { throw .wrongDigest }
    }

    /// All rows in all sections.
    public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

    /// The row at a path; nil where there is none.
    public subscript(path: ListPath) -> Element? {
        guard sections.indices.contains(path.section) else { return nil }
        let rows = sections[path.section].rows
        return rows.indices.contains(path.item) ? rows[path.item] : nil
    }

    /// Of the rows as they were encoded; see `ListDigest`. O(rows), but not O(bytes).
    public var digest: UInt64 {
        var digest = ListDigest()
        for section in sections {
            digest.add(section.keyHash)
            for hash in section.hashes { digest.add(hash) }
        }
        return digest.value
    }

    /// Whether the rows are those of a state told on the list's topic. If they aren't, once just after subscribing,
    /// batches were missed: open the list again.
    public func isCurrent(_ state: ListState) -> Bool {
        state.list == list && state.number == number && state.digest == digest
    }

    static func element(_ row: EncodedCBOR) throws(ListError) -> Element {
        if let row = row as? Element { return row }
        do {
            return try row.decode(Element.self)
        } catch {
            throw .undecodable("\(error)")
        }
    }
}
