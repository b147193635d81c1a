public import Messages
public import Store
internal import Text

/// What is stored of a field, and so what lists can do with it.
@usableFromInline
enum ColumnKind: Sendable {
    /// Beside the text its collation key and its folded form.
    case text
    case integer
    case boolean
    /// A calendar day as ISO 8601 text.
    case day
    case id
}

/// A field of a record that stands in a column of its own: readable with the `sqlite3` shell, and what lists
/// filter and sort by.
public struct Column<R>: Sendable {
    /// The field's name on the wire: `name`, `customer.name`.
    let field: String
    let kind: ColumnKind
    /// Filter and sort by it; otherwise it is only there to be read.
    let isQueried: Bool
    let value: @Sendable (R) -> Value

    // The functions that make columns are compiled where they are called, for the record's type.
    @usableFromInline
    init(field: String, kind: ColumnKind, isQueried: Bool, value: @escaping @Sendable (R) -> Value) {
        self.field = field
        self.kind = kind
        self.isQueried = isQueried
        self.value = value
    }

    /// The column's name: the field's, with underscores.
    var name: String { field.replacing(".", with: "_") }

    /// Text, sorted by Unicode collation and searched with case and accents folded.
    @inlinable
    public static func text(_ field: String, _ value: @escaping @Sendable (R) -> String?) -> Column {
        Column(field: field, kind: .text, isQueried: true) { .optional(value($0)) }
    }

    /// Text that is only there to be read.
    @inlinable
    public static func plain(_ field: String, _ value: @escaping @Sendable (R) -> String?) -> Column {
        Column(field: field, kind: .text, isQueried: false) { .optional(value($0)) }
    }

    /// A number.
    @inlinable
    public static func integer(_ field: String, _ value: @escaping @Sendable (R) -> Int64?) -> Column {
        Column(field: field, kind: .integer, isQueried: true) { .optional(value($0)) }
    }

    /// A flag, false before true.
    @inlinable
    public static func boolean(_ field: String, _ value: @escaping @Sendable (R) -> Bool) -> Column {
        Column(field: field, kind: .boolean, isQueried: true) { .boolean(value($0)) }
    }

    /// A calendar day.
    @inlinable
    public static func day(_ field: String, _ value: @escaping @Sendable (R) -> CalendarDay?) -> Column {
        Column(field: field, kind: .day, isQueried: true) { .day(value($0)) }
    }

    /// A reference to another record.
    @inlinable
    public static func id(_ field: String, _ value: @escaping @Sendable (R) -> Identifier?) -> Column {
        Column(field: field, kind: .id, isQueried: true) { .optional(value($0)) }
    }

    /// The same column of what has such a record or part in it.
    func of<Outer>(_ inner: @escaping @Sendable (Outer) -> R) -> Column<Outer> {
        Column<Outer>(field: field, kind: kind, isQueried: isQueried) { [value] in value(inner($0)) }
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

    /// Appends the values for `stored`.
    func append(_ record: R, to values: inout [Value]) {
        let value = value(record)
        values.append(value)
        guard kind == .text, isQueried else { return }
        guard case .text(let text) = value else {
            values.append(.blob([]))
            values.append(.text(""))
            return
        }
        values.append(.blob(Collation.sortKey(text)))
        values.append(.text(TextNormalizer.folded(text)))
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
