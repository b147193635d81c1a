public import Messages

/// What a service says of one kind of record; the kernel does the rest: put with merging, delete, get, list,
/// events, import.
public struct Entity<R: Record>: Sendable {
    /// Brings a record into its stored form: checks and normalises its fields, sets the derived ones.
    ///
    /// The second parameter is the record as it is stored now, nil where it is created.
    public typealias Prepare = @Sendable (inout R, R?, inout Transaction) throws(ServiceError) -> Void
    /// Does what goes with a change once the record is written; the second parameter is the record before. Of a record that
    /// comes from an archive there is none before, and no event may be made.
    public typealias DidWrite = @Sendable (R, R?, inout Transaction) throws(ServiceError) -> Void
    /// Keeps a service's own tables in line with a delete, once it is done; makes no events.
    public typealias DidDelete = @Sendable (R, inout Transaction) throws(ServiceError) -> Void
    /// Allows or refuses a delete, and does what goes with it.
    public typealias WillDelete = @Sendable (R, Delete<R>, inout Transaction) throws(ServiceError) -> Void

    /// The table's name: the entity in the plural.
    let table: String
    let columns: [Column<R>]
    let parts: [PartTable<R>]
    /// Groups of columns that are indexed; each list of SQL terms gets the id behind it.
    let indexes: [String]
    /// The order of a list that asks for none.
    let sort: [SortKey]
    /// Fields set by `prepare`, which an edit can't change: they never conflict. In the parts of a list as
    /// `rows/serviceName`.
    let derived: Set<String>
    /// Fields that are lists of parts with an `id`: each part merges as a field of its own.
    let keyed: Set<String>
    /// The texts that full-text search looks through; nil where it can't.
    let searched: (@Sendable (R) -> [String?])?
    let prepare: Prepare
    let didWrite: DidWrite
    let willDelete: WillDelete
    let didDelete: DidDelete
    /// Blanks what is personal in a record; nil where nothing is.
    let erase: (@Sendable (inout R) -> Void)?
    /// The names of another service's records that these show; nil where they show none.
    let shown: ShownNames<R>?

    /// - Parameters:
    ///   - table: the entity in the plural.
    ///   - columns: the fields that lists filter and sort by, and those that `sqlite3` shall show.
    ///   - indexes: each the terms of one index, as `"name_key"` or `"date DESC", …` joined by commas.
    ///   - sort: the order of a list that asks for none.
    ///   - derived: the fields that `prepare` sets, which an edit can't change.
    ///   - keyed: the fields that are lists of parts with an `id`, which merge part by part.
    ///   - searched: the texts that full-text search looks through. What is stored has to be written anew where they change.
    ///   - prepare: takes every record as it comes by default.
    ///   - erase: blanks what is personal: a required name becomes `Erased.name`, other fields nil. Where it is given, the
    ///     service answers `<entity>.erase`.
    ///   - shown: the names that `refresh` brings up to date, so that lists of the past have those of then.
    public init(
        table: String,
        columns: [Column<R>],
        parts: [PartTable<R>] = [],
        indexes: [String] = [],
        sort: [SortKey],
        derived: Set<String> = [],
        keyed: Set<String> = [],
        searched: (@Sendable (R) -> [String?])? = nil,
        prepare: @escaping Prepare = { (_, _, _) throws(ServiceError) in },
        didWrite: @escaping DidWrite = { (_, _, _) throws(ServiceError) in },
        willDelete: @escaping WillDelete = { (_, _, _) throws(ServiceError) in },
        didDelete: @escaping DidDelete = { (_, _) throws(ServiceError) in },
        erase: (@Sendable (inout R) -> Void)? = nil,
        shown: ShownNames<R>? = nil
    ) {
        self.table = table
        self.columns = columns
        self.parts = parts
        self.indexes = indexes
        self.sort = sort
        self.derived = derived.union(["id", "version"])
        self.keyed = keyed
        self.searched = searched
        self.prepare = prepare
        self.didWrite = didWrite
        self.willDelete = willDelete
        self.didDelete = didDelete
        self.erase = erase
        self.shown = shown
    }

    /// What lists of the records are of.
    var listed: ListedTable<R> {
        ListedTable(
            name: table,
            columns: columns,
            sort: sort,
            searched: searched,
            searchedParts: parts.compactMap(\.search)
        )
    }

    /// The SQL that makes the entity's tables.
    public var schema: String { schema(in: "") }

    /// The same for another database, such as `temp.`
    func schema(in database: String) -> String {
        let listed = listed
        var script = "CREATE TABLE \(database)\"\(table)\" (\n    \(listed.keyColumns),\n    version INTEGER NOT NULL"
        for column in columns {
            for (name, type) in column.stored { script += ",\n    \"\(name)\" \(type)" }
        }
        script += ",\n    body BLOB NOT NULL\n) STRICT;\n" + (listed.index?.schema(in: database) ?? "")
        for (number, terms) in indexes.enumerated() {
            script += "CREATE INDEX \(database)\"\(table)_\(number + 1)\" ON \"\(table)\" (\(terms), id);\n"
        }
        for part in parts {
            script += part.schema(table, database)
        }
        return script
    }
}
