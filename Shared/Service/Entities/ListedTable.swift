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
    let searched: (@Sendable (Row) -> [String?])?
    /// The parts within a row that can be searched by themselves.
    let searchedParts: [SearchedParts<Row>]
    /// The full-text index over ``searched``.
    let index: SearchIndex?
    private let selectBody, delete: String

    init(
        name: String,
        columns: [Column<Row>],
        sort: [SortKey],
        searched: (@Sendable (Row) -> [String?])? = nil,
        searchedParts: [SearchedParts<Row>] = []
    ) {
        (self.name, self.columns, self.sort) = (name, columns, sort)
        (self.searched, self.searchedParts) = (searched, searchedParts)
        index = searched == nil ? nil : SearchIndex(table: name)
        selectBody = "SELECT body FROM \"\(name)\" WHERE id = $1"
        delete = "DELETE FROM \"\(name)\" WHERE id = $1"
    }

    /// The SQL of the columns that the table begins with.
    var keyColumns: String {
        guard index != nil else { return "id BLOB PRIMARY KEY NOT NULL" }
        return SearchIndex.columns + ",\n    id BLOB NOT NULL UNIQUE"
    }

    /// The row's encoding; nil where there is none.
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]? {
        try session.first(selectBody, .id(id)) { $0.blob(0) }
    }

    /// The SQL that writes a row: id, encoding, its words where it can be searched, the other columns that are named, those
    /// of the fields.
    ///
    /// - Parameter condition: what has to hold for a stored row to be replaced.
    func writing(_ others: [String] = [], where condition: String? = nil) -> RowWriting {
        let search = index == nil ? [] : ["searched"]
        let names = ["id", "body"] + search + others + columns.flatMap { $0.stored.map(\.name) }
        let quoted = names.map { "\"\($0)\"" }
        let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let assignments = quoted.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let list = quoted.joined(separator: ", ")
        let insert = "INSERT INTO \"\(name)\" (\(list)) VALUES (\(parameters)) ON CONFLICT (id) DO "
        return RowWriting(
            add: insert + "NOTHING",
            replace: insert + "UPDATE SET \(assignments)" + (condition.map { " WHERE \($0)" } ?? ""),
            index: index
        )
    }

    /// Deletes a row, and its words from the full-text index.
    func remove(_ id: Identifier, _ session: Session) throws(StoreError) {
        try index?.follow(id, nil, isNew: false, session)
        try session.execute(delete, .id(id))
    }

    /// Whether the words that a stored row is found by are those of this one.
    func isFound(_ row: Row, _ session: Session) throws(StoreError) -> Bool {
        guard let searched else { return true }
        let words = try session.first("SELECT searched FROM \"\(name)\" WHERE id = $1", .id(row.id)) { $0.text(0) }
        return words == SearchIndex.searched(searched(row))
    }
}

/// The statements that write a row of a table.
struct RowWriting: Sendable {
    /// Adds it; does nothing where there is one of its id. For this SQLite keeps no pages as they were before.
    let add: String
    /// Adds it, or replaces the one of its id where it may be.
    let replace: String
    let index: SearchIndex?

    /// Writes a row; the full-text index follows.
    ///
    /// - Parameters:
    ///   - former: as the row is stored; nil where there is probably none of its id.
    ///   - others: the values of the columns that were named.
    ///   - columns: those of the fields.
    ///   - searched: what it is found by; nil where it can't be searched.
    /// - Returns: how many rows were written.
    func write<Row>(
        _ id: Identifier,
        _ row: Row,
        body: [UInt8],
        replacing former: Row?,
        others: [Value],
        columns: [Column<Row>],
        searched: (@Sendable (Row) -> [String?])?,
        _ session: Session
    ) throws(StoreError) -> Int {
        var values: [Value] = []
        values.reserveCapacity(5 + 3 * columns.count)
        values.append(.id(id))
        values.append(.blob(body))
        let texts = searched?(row)
        let words = texts.map(SearchIndex.searched)
        if let words { values.append(.text(words)) }
        values += others
        for column in columns { column.append(row, to: &values) }
        if former == nil, try session.execute(add, values) > 0 {
            if let index, let words { try index.follow(id, words, isNew: true, session) }
            return 1
        }
        if let index, let words, former.flatMap({ searched?($0) }) != texts {
            try index.follow(id, words, isNew: false, session)
        }
        return try session.execute(replace, values)
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
