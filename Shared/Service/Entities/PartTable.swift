public import Messages
internal import Store

/// A table of a record's parts, one row for each: an order's rows. Lists are served of it as of an entity; what it holds
/// is also in the record's body.
public struct PartTable<R: Record>: Sendable {
    /// What lists name the parts by.
    let entity: String
    /// The SQL that makes the table, for the records of this one.
    let schema: @Sendable (String) -> String
    /// Writes what differs between the parts of the one and the other record; nil has none.
    ///
    /// Returns the parts that were written or removed; throws `invalid` for an id that another record's part has.
    let write: @Sendable (R?, R?, Session) throws(ServiceError) -> Set<Identifier>
    /// Offers lists of the parts.
    let serve: @Sendable (inout Routes) -> Void

    /// - Parameters:
    ///   - columns: those behind `id`, the owner and `position`, which every part has.
    ///   - sort: the order of a list that asks for none.
    ///   - currency: what the parts' amounts are in.
    ///   - parts: the record's parts, in order.
    public init<P: RecordPart>(
        table: String,
        columns: [Column<P>],
        sort: [SortKey] = [SortKey("position")],
        currency: @escaping @Sendable (R) -> Currency? = { _ in nil },
        parts: @escaping @Sendable (R) -> [P]
    ) {
        let owner = P.owner
        let known: [Column<ListedPart<P>>] = [.id(owner) { $0.owner }, .integer("position") { Int64($0.position) }]
        let listed = ListedTable(name: table, columns: known + columns.map { $0.of(\.part) }, sort: sort)
        let parts: @Sendable (R?) -> [ListedPart<P>] = { record in
            guard let record else { return [] }
            let currency = currency(record)
            return parts(record).enumerated().map { position, part in
                ListedPart(owner: record.id, position: position, currency: currency, part: part)
            }
        }
        entity = P.entity
        schema = { records in
            var script = """
                CREATE TABLE "\(table)" (
                    id BLOB PRIMARY KEY NOT NULL,
                    "\(owner)" BLOB NOT NULL REFERENCES "\(records)" (id),
                    position INTEGER NOT NULL
                """
            for (name, type) in columns.flatMap(\.stored) { script += ",\n    \"\(name)\" \(type)" }
            return script + """
                ,
                    body BLOB NOT NULL
                ) STRICT;
                CREATE INDEX "\(table)_owner" ON "\(table)" ("\(owner)", position);

                """
        }
        let upsert = "\(listed.upsert()) WHERE \"\(owner)\" = excluded.\"\(owner)\""
        write = { (old, new, session) throws(ServiceError) in
            var before = Dictionary(parts(old).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            var touched: Set<Identifier> = []
            for part in parts(new) where before.removeValue(forKey: part.id) != part {
                let values = listed.values(of: part, body: try encoded(part))
                let count = try storing { () throws(StoreError) in try session.execute(upsert, values) }
                guard count > 0 else {
                    throw .invalid(
                        field: "id",
                        found: part.id.description,
                        "another \(R.entity) has the \(P.entity) \(part.id): give this one an id of its own"
                    )
                }
                touched.insert(part.id)
            }
            for id in before.keys {
                try storing { () throws(StoreError) in
                    _ = try session.execute("DELETE FROM \"\(table)\" WHERE id = $1", .id(id))
                }
                touched.insert(id)
            }
            return touched
        }
        serve = { $0.lists(of: listed) }
    }
}
