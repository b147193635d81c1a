public import Messages
internal import Store

/// A table of a record's parts, one row for each: an order's rows. Lists are served of it as of an entity; what it holds
/// is also in the record's body.
public struct PartTable<R: Record>: Sendable {
    /// What lists name the parts by.
    let entity: String
    let table: String
    /// The SQL that makes the table, for the records of the one, in the database of the other name.
    let schema: @Sendable (String, String) -> String
    /// Writes what differs between the parts of the one and the other record; nil has none.
    ///
    /// Returns the parts that were written or removed, where it has to be told; throws `invalid` for an id that another
    /// record's part has.
    let write: @Sendable (R?, R?, Bool, Session) throws(ServiceError) -> Set<Identifier>
    /// Offers lists of the parts.
    let serve: @Sendable (inout Routes) -> Void
    /// How the records can be searched by their parts; nil where they can't.
    let search: SearchedParts<R>?
    /// The full-text index over the parts.
    let index: SearchIndex?
    /// Whether the words that the record's stored parts are found by are theirs.
    let areFound: @Sendable (R, Session) throws(StoreError) -> Bool

    /// - Parameters:
    ///   - columns: those behind `id`, the owner and `position`, which every part has.
    ///   - sort: the order of a list that asks for none.
    ///   - currency: what the parts' amounts are in.
    ///   - searchedAs: the field by which records are searched by one of their parts: `ingredients`.
    ///   - searched: the texts of a part that full-text search looks through; nil where it can't.
    ///   - parts: the record's parts, in order.
    public init<P: RecordPart>(
        table: String,
        columns: [Column<P>],
        sort: [SortKey] = [SortKey("position")],
        currency: @escaping @Sendable (R) -> Currency? = { _ in nil },
        searchedAs field: String? = nil,
        searched: (@Sendable (P) -> [String?])? = nil,
        parts: @escaping @Sendable (R) -> [P]
    ) {
        let owner = P.owner
        let known: [Column<ListedPart<P>>] = [.id(owner) { $0.owner }, .integer("position") { Int64($0.position) }]
        var texts: (@Sendable (ListedPart<P>) -> [String?])?
        if let searched { texts = { searched($0.part) } }
        let behind: [Column<ListedPart<P>>] = columns.map { $0.of { $0.part } }
        let listed = ListedTable(name: table, columns: known + behind, sort: sort, searched: texts)
        search =
            if let field, let searched {
                SearchedParts(field: field, table: listed.name, owner: owner) { parts($0).map(searched) }
            } else {
                nil
            }
        index = listed.index
        entity = P.entity
        self.table = listed.name
        schema = { records, database in
            var script = """
                CREATE TABLE \(database)"\(listed.name)" (
                    \(listed.keyColumns),
                    "\(owner)" BLOB NOT NULL REFERENCES "\(records)" (id),
                    position INTEGER NOT NULL
                """
            for (name, type) in columns.flatMap(\.stored) { script += ",\n    \"\(name)\" \(type)" }
            return script + """
                ,
                    body BLOB NOT NULL
                ) STRICT;
                CREATE INDEX \(database)"\(listed.name)_owner" ON "\(listed.name)" ("\(owner)", position);

                """ + (listed.index?.schema(in: database) ?? "")
        }
        let writing = listed.writing(where: "\"\(owner)\" = excluded.\"\(owner)\"")
        write = { (old, new, tracks, session) throws(ServiceError) in
            var before: [Identifier: ListedPart<P>] = [:]
            if let old {
                let currency = currency(old)
                for (position, part) in parts(old).enumerated() {
                    before[part.id] = ListedPart(owner: old.id, position: position, currency: currency, part: part)
                }
            }
            var touched: Set<Identifier> = []
            if let new {
                let currency = currency(new)
                for (position, part) in parts(new).enumerated() {
                    let listed = ListedPart(owner: new.id, position: position, currency: currency, part: part)
                    let known = old == nil ? nil : before.removeValue(forKey: part.id)
                    if let known, known == listed { continue }
                    let (id, body) = (part.id, try encoded(listed))
                    let count: Int
                    do throws(StoreError) {
                        count = try writing.write(
                            id,
                            part,
                            body: body,
                            replacing: known?.part,
                            others: [.id(new.id), .integer(Int64(listed.position))],
                            columns: columns,
                            searched: searched,
                            session
                        )
                    } catch {
                        throw .store(error)
                    }
                    guard count > 0 else {
                        throw .invalid(
                            field: "id",
                            found: id.description,
                            "another \(R.entity) has the \(P.entity) \(id): give this one an id of its own"
                        )
                    }
                    if tracks { touched.insert(id) }
                }
            }
            for id in before.keys {
                try storing { () throws(StoreError) in try listed.remove(id, session) }
                if tracks { touched.insert(id) }
            }
            return touched
        }
        serve = { $0.lists(of: listed, in: R.entity, by: owner) }
        areFound = { (record, session) throws(StoreError) in
            for (position, part) in parts(record).enumerated() {
                let row = ListedPart(owner: record.id, position: position, currency: nil, part: part)
                guard try listed.isFound(row, session) else { return false }
            }
            return true
        }
    }
}
