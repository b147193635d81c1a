internal import LiveList
internal import Messages
internal import Store

/// A table that lists are of: an entity's records, or their parts. Each row has its encoding beside the columns.
struct ListedTable<Row: Listed>: Sendable {
    let name: String
    let columns: [Column<Row>]
    /// The order of a list that asks for none.
    let sort: [SortKey]
    /// The texts that full-text search looks through; nil where it can't.
    var searched: (@Sendable (Row) -> [String?])?
    /// The parts within a row that can be searched by themselves.
    var searchedParts: [SearchedParts<Row>] = []

    /// The full-text index over ``searched``.
    var index: SearchIndex? { searched.map { _ in SearchIndex(table: name) } }

    /// The SQL of the columns that the table begins with.
    var keyColumns: String {
        guard index != nil else { return "id BLOB PRIMARY KEY NOT NULL" }
        return SearchIndex.columns + ",\n    id BLOB NOT NULL UNIQUE"
    }

    /// The row's encoding; nil where there is none.
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]? {
        try session.first("SELECT body FROM \"\(name)\" WHERE id = $1", .id(id)) { $0.blob(0) }
    }

    /// The SQL that writes a row: id, encoding, the other columns that are named, those of the fields.
    func upsert(_ others: [String] = []) -> String {
        let search = index == nil ? [] : ["searched"]
        let names = ["id", "body"] + search + others + columns.flatMap { $0.stored.map(\.name) }
        let quoted = names.map { "\"\($0)\"" }
        let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let assignments = quoted.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO "\(name)" (\(quoted.joined(separator: ", "))) VALUES (\(parameters)) \
            ON CONFLICT (id) DO UPDATE SET \(assignments)
            """
    }

    /// Writes a row by `upsert`; the full-text index follows where its words differ from those of `old`.
    ///
    /// - Returns: how many rows were written.
    func write(
        _ row: Row,
        body: [UInt8],
        replacing old: Row?,
        by upsert: String,
        others: [Value] = [],
        _ session: Session
    ) throws(StoreError) -> Int {
        var values: [Value] = []
        values.reserveCapacity(4 + 3 * columns.count)
        values.append(.id(row.id))
        values.append(.blob(body))
        let texts = searched?(row)
        if let texts { values.append(.text(SearchIndex.searched(texts))) }
        values += others
        for column in columns { column.append(row, to: &values) }
        if let index, texts != old.flatMap({ searched?($0) }) { try index.follow(row.id, session) }
        return try session.execute(upsert, values)
    }

    /// Deletes a row, and its words from the full-text index.
    func remove(_ id: Identifier, _ session: Session) throws(StoreError) {
        try index?.follow(id, session)
        try session.execute("DELETE FROM \"\(name)\" WHERE id = $1", .id(id))
    }

    /// Whether the words that a stored row is found by are those of this one.
    func isFound(_ row: Row, _ session: Session) throws(StoreError) -> Bool {
        guard let searched else { return true }
        let words = try session.first("SELECT searched FROM \"\(name)\" WHERE id = $1", .id(row.id)) { $0.text(0) }
        return words == SearchIndex.searched(searched(row))
    }
}

/// The parts of a row, such as a recipe's ingredients, as a search looks through each of them.
struct SearchedParts<Row: Sendable>: Sendable {
    /// What a search names them by.
    let field: String
    let table: String
    /// The column that refers to the row.
    let owner: String
    /// The texts of each part.
    let texts: @Sendable (Row) -> [[String?]]
}

extension ListedTable {
    var searchFields: Set<SearchField> {
        Set(searchedParts.map { .parts($0.field) } + (searched == nil ? [] : [.record]))
    }

    /// What the full-text indexes hold of a row.
    func searchedWords(of row: Row) -> [SearchField: [[String]]] {
        var words: [SearchField: [[String]]] = [:]
        if let searched { words[.record] = [SearchIndex.words(searched(row))] }
        for part in searchedParts { words[.parts(part.field)] = part.texts(row).map { SearchIndex.words($0) } }
        return words
    }
}
