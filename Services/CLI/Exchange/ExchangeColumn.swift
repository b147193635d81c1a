import Messages

/// One field of a record, or of an item of its lists, as files have it.
struct ExchangeColumn<Item>: Sendable {
    enum Setting: Sendable {
        case text(@Sendable (inout Item, String?) -> Void)
        case money(@Sendable (inout Item, Money?) -> Void)
        case quantity(@Sendable (inout Item, Quantity?) -> Void)
        case rate(@Sendable (inout Item, TaxRate?) -> Void)
        case boolean(@Sendable (inout Item, Bool) -> Void)
        case day(@Sendable (inout Item, CalendarDay?) -> Void)
        case instant(@Sendable (inout Item, Instant?) -> Void)
        case id(@Sendable (inout Item, Identifier?) -> Void)
        /// The currency of all the record's amounts, which the record's form sets.
        case currency
        /// Another record, by its id in the column `id`, or else by its name or reference.
        case reference(Referred, id: String, @Sendable (inout Item, Identifier?, String?) -> Void)
    }

    /// As the noun's field.
    var name: String
    var setting: Setting
    /// Whether a blank is none.
    var isRequired = false
    /// Whether it has at most 200 characters, as names do.
    var isShort = false

    /// The fields that it is in the order in which they are written.
    var names: [String] {
        if case .reference(_, let id, _) = setting { return [id, name] }
        return [name]
    }

    var kind: ImportTarget.Kind {
        switch setting {
        case .money: .money
        case .quantity, .rate: .decimal
        default: .text
        }
    }

    /// What a file's columns can be called for it, with what the field is called in tables.
    func targets(prefix: String = "", title: (String) -> String) -> [ImportTarget] {
        var targets = names.map { ImportTarget(name: prefix + $0, titles: [title($0)], kind: kind) }
        if kind == .money, let target = targets.first {
            targets.append(ImportTarget(name: target.currencyName, titles: [], kind: .text))
        }
        return targets
    }

    /// Text that must be there, of at most 200 characters.
    static func required(_ name: String, _ set: @escaping @Sendable (inout Item, String) -> Void) -> ExchangeColumn {
        let setting = Setting.text { item, text in if let text { set(&item, text) } }
        return ExchangeColumn(name: name, setting: setting, isRequired: true, isShort: true)
    }

    /// Text; nil for none.
    static func text(
        _ name: String,
        isShort: Bool = false,
        _ set: @escaping @Sendable (inout Item, String?) -> Void
    ) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .text(set), isShort: isShort)
    }

    /// An amount; nil for none. In CSV its currency has a column of its own, `NAME_currency`, unless the record has one
    /// for all amounts.
    static func money(_ name: String, _ set: @escaping @Sendable (inout Item, Money?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .money(set))
    }

    /// A decimal number.
    static func quantity(_ name: String, _ set: @escaping @Sendable (inout Item, Quantity?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .quantity(set))
    }

    /// A percentage.
    static func rate(_ name: String, _ set: @escaping @Sendable (inout Item, TaxRate?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .rate(set))
    }

    /// Yes or no; a blank is no.
    static func boolean(_ name: String, _ set: @escaping @Sendable (inout Item, Bool) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .boolean(set))
    }

    /// A calendar day; nil for none.
    static func day(_ name: String, _ set: @escaping @Sendable (inout Item, CalendarDay?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .day(set))
    }

    /// A calendar day that must be there.
    static func requiredDay(
        _ name: String,
        _ set: @escaping @Sendable (inout Item, CalendarDay) -> Void
    )
        -> ExchangeColumn
    {
        let setting = Setting.day { item, day in if let day { set(&item, day) } }
        return ExchangeColumn(name: name, setting: setting, isRequired: true)
    }

    /// A moment; nil for none.
    static func instant(_ name: String, _ set: @escaping @Sendable (inout Item, Instant?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .instant(set))
    }

    /// A moment that must be there.
    static func requiredInstant(
        _ name: String,
        _ set: @escaping @Sendable (inout Item, Instant) -> Void
    )
        -> ExchangeColumn
    {
        let setting = Setting.instant { item, instant in if let instant { set(&item, instant) } }
        return ExchangeColumn(name: name, setting: setting, isRequired: true)
    }

    /// An id of Daybook's; nil for none.
    static func id(_ name: String, _ set: @escaping @Sendable (inout Item, Identifier?) -> Void) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .id(set))
    }

    /// The currency of all amounts.
    static func currency(_ name: String) -> ExchangeColumn { ExchangeColumn(name: name, setting: .currency) }

    /// Another record: its id and its name.
    static func reference(
        _ name: String,
        id: String,
        to referred: Referred,
        isRequired: Bool = false,
        _ set: @escaping @Sendable (inout Item, Identifier?, String?) -> Void
    ) -> ExchangeColumn {
        ExchangeColumn(name: name, setting: .reference(referred, id: id, set), isRequired: isRequired)
    }
}

extension Field {
    /// A field of an item as a column of CSV: under another name, an amount as a number alone.
    static func exported(
        _ declaration: FieldDeclaration,
        as name: String,
        _ value: @escaping @Sendable (Row) -> FieldValue
    ) -> Field {
        var column = declaration
        column.name = name
        if column.type == .money { column.type = .number }
        return Field(column) { row in
            switch value(row) {
            case .money(let money): .text(money.plain)
            case .text(let text) where declaration.type == .number: .text(withoutDoubt(text))
            case let value: value
            }
        }
    }

    /// A number with a zero behind three decimals: `1.125` alone could be taken for more than a thousand.
    private static func withoutDoubt(_ number: String) -> String {
        let decimals = number.split(separator: ".", omittingEmptySubsequences: false)
        return decimals.count == 2 && decimals[1].utf8.count == 3 ? number + "0" : number
    }
}
