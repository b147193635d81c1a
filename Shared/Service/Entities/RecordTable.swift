internal import CBOR
internal import Messages
internal import Store

/// Reads and writes the table of one entity.
final class RecordTable<R: Record>: Sendable {
    let entity: Entity<R>
    private let upsert: String
    private let partUpserts: [String]

    init(_ entity: Entity<R>) {
        self.entity = entity
        let names = ["id", "version", "body"] + entity.columns.flatMap { $0.stored.map(\.name) }
        upsert = RecordTable.upsert(entity.table, names)
        partUpserts = entity.parts.map { part in
            RecordTable.upsert(part.table, ["id", part.owner, "position"] + part.columns.map(\.name))
        }
    }

    private static func upsert(_ table: String, _ names: [String]) -> String {
        let quoted = names.map { "\"\($0)\"" }
        let parameters = names.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let assignments = quoted.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO "\(table)" (\(quoted.joined(separator: ", "))) VALUES (\(parameters)) \
            ON CONFLICT (id) DO UPDATE SET \(assignments)
            """
    }

    /// The record's encoding; nil where there is none.
    func body(_ id: Identifier, _ session: Session) throws(StoreError) -> [UInt8]? {
        try session.first("SELECT body FROM \"\(entity.table)\" WHERE id = $1", .id(id)) { $0.blob(0) }
    }

    var name: String { entity.table }

    func isSame(_ one: [UInt8], _ other: [UInt8]) throws(ServiceError) -> Bool {
        if one == other { return true }
        let derived = entity.derived.subtracting(["id", "version"])
        return try RecordChange.entered(one, derived: derived) == RecordChange.entered(other, derived: derived)
    }

    /// Writes the record and its parts; parts that are equal to those of `old` are left alone.
    func write(_ record: R, body: [UInt8], replacing old: R?, _ session: Session) throws(StoreError) {
        var values: [Value] = [.id(record.id), .integer(Int64(record.version)), .blob(body)]
        for column in entity.columns { values.append(contentsOf: column.values(of: record)) }
        try session.execute(upsert, values)
        for (part, sql) in zip(entity.parts, partUpserts) {
            let before = old.map(part.parts) ?? []
            let after = part.parts(record)
            var known: [Identifier: (Int, PartTable<R>.Part)] = [:]
            for (position, item) in before.enumerated() { known[item.id] = (position, item) }
            for (position, item) in after.enumerated() {
                let previous = known.removeValue(forKey: item.id)
                if let previous, previous == (position, item) { continue }
                try session.execute(
                    sql,
                    [.id(item.id), .id(record.id), .integer(Int64(position))] + item.values
                )
            }
            for id in known.keys {
                try session.execute("DELETE FROM \"\(part.table)\" WHERE id = $1", .id(id))
            }
        }
    }

    func rewrite(_ session: Session) throws(ServiceError) {
        var after: Identifier?
        while true {
            let (rows, next) = try storing { () throws(StoreError) in
                try page(after: after, limit: 1000, mostBytes: .max, session)
            }
            for row in rows {
                let record = try decodeStored(R.self, row.bytes)
                try storing { () throws(StoreError) in
                    try write(record, body: row.bytes, replacing: record, session)
                }
            }
            guard let next else { return }
            after = next
        }
    }

    func remove(_ id: Identifier, _ session: Session) throws(StoreError) {
        for part in entity.parts {
            try session.execute("DELETE FROM \"\(part.table)\" WHERE \"\(part.owner)\" = $1", .id(id))
        }
        try session.execute("DELETE FROM \"\(entity.table)\" WHERE id = $1", .id(id))
    }
}
