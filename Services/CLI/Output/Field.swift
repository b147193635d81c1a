import Messages

/// What kind of value a field has; it decides every form in which it is printed.
indirect enum FieldType: Sendable, Hashable {
    case text
    /// Text that is read as a number: `1.5`, `2024-17`. Tables line up its end.
    case number
    case integer
    case boolean
    /// `2024-03-31`.
    case day
    /// RFC 3339 in UTC; in tables the user's zone and locale.
    case instant
    /// In JSON an object of a decimal string and a currency, in CSV two columns.
    case money
    /// In JSON the whole UUID; in tables its shortest unique end.
    case id
    /// Several records of these fields.
    case list([FieldDeclaration])
}

/// A field's value, of the case that its type names; `absent` fits optional fields of every type.
enum FieldValue: Sendable, Hashable {
    case absent
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    case day(CalendarDay)
    case instant(Instant)
    case money(Money)
    case id(Identifier)
    /// For each record the values in the order of the declarations.
    case list([[FieldValue]])
}

/// What is known of a field without its row type: enough for headings, schemas and `--fields`.
struct FieldDeclaration: Sendable, Hashable {
    /// As in JSON, CSV and `--fields`: `prepTime`.
    var name: String
    /// As in tables and records: `Prep time`.
    var title: String
    /// One sentence for the schema.
    var summary: String
    var type: FieldType
    /// Whether the value may be absent.
    var isOptional: Bool
    /// Whether a table shows it without being asked.
    var isInTable: Bool
}

/// One field of a noun, declared once: table, JSON, CSV and schema are made from it.
///
/// The static functions make one for each type; a closure that returns an optional makes the field optional.
struct Field<Row>: Sendable {
    var declaration: FieldDeclaration
    var value: @Sendable (Row) -> FieldValue

    init(_ declaration: FieldDeclaration, value: @escaping @Sendable (Row) -> FieldValue) {
        self.declaration = declaration
        self.value = value
    }

    private init(
        _ name: String,
        _ title: String,
        _ summary: String,
        _ type: FieldType,
        isOptional: Bool = true,
        inTable: Bool,
        value: @escaping @Sendable (Row) -> FieldValue
    ) {
        declaration = FieldDeclaration(
            name: name,
            title: title,
            summary: summary,
            type: type,
            isOptional: isOptional,
            isInTable: inTable
        )
        self.value = value
    }
}

extension Field {
    /// The same field of what has such a row in it.
    func of<Outer>(_ inner: @escaping @Sendable (Outer) -> Row) -> Field<Outer> {
        Field<Outer>(declaration) { [value] in value(inner($0)) }
    }

    /// Text that is always there; the empty text counts.
    static func text(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> String
    ) -> Field {
        Field(name, title, summary, .text, isOptional: false, inTable: inTable) { .text(value($0)) }
    }

    /// Text that may be absent.
    static func text(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Field {
        Field(name, title, summary, .text, inTable: inTable) { value($0).map(FieldValue.text) ?? .absent }
    }

    /// A number in text, such as a decimal of any length, that is always there.
    static func number(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> String
    ) -> Field {
        Field(name, title, summary, .number, isOptional: false, inTable: inTable) { .text(value($0)) }
    }

    /// A number in text that may be absent.
    static func number(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> String?
    ) -> Field {
        Field(name, title, summary, .number, inTable: inTable) { value($0).map(FieldValue.text) ?? .absent }
    }

    /// A whole number that is always there.
    static func integer(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Int64
    ) -> Field {
        Field(name, title, summary, .integer, isOptional: false, inTable: inTable) { .integer(value($0)) }
    }

    /// A whole number that may be absent.
    static func integer(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Int64?
    ) -> Field {
        Field(name, title, summary, .integer, inTable: inTable) { value($0).map(FieldValue.integer) ?? .absent }
    }

    /// Yes or no.
    static func boolean(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Bool
    ) -> Field {
        Field(name, title, summary, .boolean, isOptional: false, inTable: inTable) { .boolean(value($0)) }
    }

    /// A calendar day.
    static func day(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> CalendarDay
    ) -> Field {
        Field(name, title, summary, .day, isOptional: false, inTable: inTable) { .day(value($0)) }
    }

    /// A calendar day that may be absent.
    static func day(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> CalendarDay?
    ) -> Field {
        Field(name, title, summary, .day, inTable: inTable) { value($0).map(FieldValue.day) ?? .absent }
    }

    /// A moment that may be absent.
    static func instant(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Instant?
    ) -> Field {
        Field(name, title, summary, .instant, inTable: inTable) { value($0).map(FieldValue.instant) ?? .absent }
    }

    /// A moment.
    static func instant(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Instant
    ) -> Field {
        Field(name, title, summary, .instant, isOptional: false, inTable: inTable) { .instant(value($0)) }
    }

    /// An amount that is always there.
    static func money(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Money
    ) -> Field {
        Field(name, title, summary, .money, isOptional: false, inTable: inTable) { .money(value($0)) }
    }

    /// An amount that may be absent.
    static func money(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Money?
    ) -> Field {
        Field(name, title, summary, .money, inTable: inTable) { value($0).map(FieldValue.money) ?? .absent }
    }

    /// An id that is always there.
    static func id(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Identifier
    ) -> Field {
        Field(name, title, summary, .id, isOptional: false, inTable: inTable) { .id(value($0)) }
    }

    /// An id that may be absent.
    static func id(
        _ name: String,
        _ title: String,
        _ summary: String,
        inTable: Bool = true,
        _ value: @escaping @Sendable (Row) -> Identifier?
    ) -> Field {
        Field(name, title, summary, .id, inTable: inTable) { value($0).map(FieldValue.id) ?? .absent }
    }

    /// Records within the record, in order; never absent, perhaps empty. Tables leave it out unless told.
    static func list<Item>(
        _ name: String,
        _ title: String,
        _ summary: String,
        of fields: [Field<Item>],
        inTable: Bool = false,
        _ items: @escaping @Sendable (Row) -> [Item]
    ) -> Field {
        Field(name, title, summary, .list(fields.map(\.declaration)), isOptional: false, inTable: inTable) { row in
            .list(items(row).map { item in fields.map { $0.value(item) } })
        }
    }
}
