public import Messages
public import Store
internal import Text

/// A field of a record that stands in a column of its own: readable with the `sqlite3` shell, and what lists
/// filter and sort by.
public struct Column<R>: Sendable {
    /// What is stored, and so what lists can do with it.
    enum Kind: Sendable {
        /// Beside the text its collation key and its folded form.
        case text
        case integer
        case boolean
        /// A calendar day as ISO 8601 text.
        case day
        case id
    }

    /// The field's name on the wire: `name`, `customer.name`.
    let field: String
    let kind: Kind
    /// Filter and sort by it; otherwise it is only there to be read.
    let isQueried: Bool
    let value: @Sendable (R) -> Value

    /// The column's name: the field's, with underscores.
    var name: String { field.replacing(".", with: "_") }

    /// Text, sorted by Unicode collation and searched with case and accents folded.
    public static func text(_ field: String, _ value: @escaping @Sendable (R) -> String?) -> Column {
        Column(field: field, kind: .text, isQueried: true) { .optional(value($0)) }
    }

    /// Text that is only there to be read.
    public static func plain(_ field: String, _ value: @escaping @Sendable (R) -> String?) -> Column {
        Column(field: field, kind: .text, isQueried: false) { .optional(value($0)) }
    }

    public static func integer(_ field: String, _ value: @escaping @Sendable (R) -> Int64?) -> Column {
        Column(field: field, kind: .integer, isQueried: true) { .optional(value($0)) }
    }

    public static func boolean(_ field: String, _ value: @escaping @Sendable (R) -> Bool) -> Column {
        Column(field: field, kind: .boolean, isQueried: true) { .boolean(value($0)) }
    }

    public static func day(_ field: String, _ value: @escaping @Sendable (R) -> CalendarDay?) -> Column {
        Column(field: field, kind: .day, isQueried: true) { .optional(value($0)?.description) }
    }

    public static func id(_ field: String, _ value: @escaping @Sendable (R) -> Identifier?) -> Column {
        Column(field: field, kind: .id, isQueried: true) { .optional(value($0)) }
    }

    /// The columns that the schema has for this field: name and type.
    var stored: [(name: String, type: String)] {
        switch kind {
        case .text where isQueried:
            [(name, "TEXT"), ("\(name)_key", "BLOB NOT NULL"), ("\(name)_folded", "TEXT NOT NULL")]
        case .text, .day: [(name, "TEXT")]
        case .integer: [(name, "INTEGER")]
        case .boolean: [(name, "INTEGER NOT NULL")]
        case .id: [(name, "BLOB")]
        }
    }

    /// Values for `stored`.
    func values(of record: R) -> [Value] {
        let value = value(record)
        guard kind == .text, isQueried else { return [value] }
        guard case .text(let text) = value else { return [value, .blob([]), .text("")] }
        return [value, .blob(Collation.sortKey(text)), .text(TextNormalizer.folded(text))]
    }

    /// What lists order by. Absent values come first.
    var sortExpression: String {
        switch kind {
        case .text: "\"\(name)_key\""
        case .integer: "coalesce(\"\(name)\", -9223372036854775808)"
        case .boolean: "\"\(name)\""
        case .day: "coalesce(\"\(name)\", '')"
        case .id: "coalesce(\"\(name)\", x'')"
        }
    }
}

/// A table of a record's parts, one row for each: an order's rows. The parts' columns are readable like the
/// record's own; what they hold is also in the record's body.
public struct PartTable<R>: Sendable {
    public struct Part: Sendable, Equatable {
        public var id: Identifier
        public var values: [Value]

        public init(id: Identifier, values: [Value]) {
            self.id = id
            self.values = values
        }
    }

    let table: String
    /// The column that refers to the record.
    let owner: String
    /// Names and types of the columns behind `id`, the owner and `position`.
    let columns: [(name: String, type: String)]
    let parts: @Sendable (R) -> [Part]

    public init(
        table: String,
        owner: String,
        columns: [(name: String, type: String)],
        parts: @escaping @Sendable (R) -> [Part]
    ) {
        self.table = table
        self.owner = owner
        self.columns = columns
        self.parts = parts
    }
}
