internal import Messages
internal import Store

/// A table that lists are of: an entity's records, or their parts. Each row has its encoding beside the columns.
struct ListedTable<Row: Listed>: Sendable {
    let name: String
    let columns: [Column<Row>]
    /// The order of a list that asks for none.
    let sort: [SortKey]

    /// The row's encoding; nil where there is none.
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]? {
        try session.first("SELECT body FROM \"\(name)\" WHERE id = $1", .id(id)) { $0.blob(0) }
    }

    /// The SQL that writes a row: id, encoding, the other columns that are named, those of the fields.
    func upsert(_ others: [String] = []) -> String {
        let names = ["id", "body"] + others + columns.flatMap { $0.stored.map(\.name) }
        let quoted = names.map { "\"\($0)\"" }
        let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let assignments = quoted.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO "\(name)" (\(quoted.joined(separator: ", "))) VALUES (\(parameters)) \
            ON CONFLICT (id) DO UPDATE SET \(assignments)
            """
    }

    /// Values for `upsert`.
    func values(of row: Row, body: [UInt8], others: [Value] = []) -> [Value] {
        [.id(row.id), .blob(body)] + others + columns.flatMap { $0.values(of: row) }
    }
}
