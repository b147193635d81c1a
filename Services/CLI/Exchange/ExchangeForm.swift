import Messages
import Text

/// How a kind of record goes into files and comes back: which of its noun's fields, and how each is set.
///
/// What `daybook export` writes are these fields, under the noun's names; `daybook import` reads the same names. A
/// record's `id` is always the first; what follows from other fields, such as versions and numbers, is in neither.
struct ExchangeForm<R: Resolvable>: Sendable {
    /// How a record is known where a file has neither its id nor a reference.
    enum NaturalKey: Sendable {
        /// By its name.
        case name
        /// By this text, which no two records share; the text of a file's column where lines of one record have the same.
        case unique(column: String, @Sendable (R) -> String)
        /// By this text and how often it was there before in the same file: each line without a key is a record.
        case counted(@Sendable (R) -> String)
    }

    var noun: Noun<R>
    /// Beside the id.
    var columns: [ExchangeColumn<R>]
    /// The record's lists, such as an order's rows.
    var lists: [ExchangeList<R>] = []
    var naturalKey = NaturalKey.name
    /// Sets the currency of all the record's amounts, where it has one for all.
    var setCurrency: (@Sendable (inout R, Currency) -> Void)?
    /// A new record, before its columns are set, with amounts in this currency.
    var make: @Sendable (Identifier, Currency) -> R
    /// What can't be right once all is set: a column and why.
    var fault: @Sendable (R) -> CellFault? = { _ in nil }

    /// The noun with these fields alone, as JSON has them.
    var exported: Noun<R> {
        var noun = noun
        let names = ["id"] + columns.flatMap(\.names)
        let known = noun.fields
        noun.fields = names.compactMap { name in known.first { $0.declaration.name == name } }
        noun.fields += lists.map(\.field)
        return noun
    }

    /// The same as CSV has them: a line for each item of the record's lists, the record's own fields on each.
    ///
    /// An item's columns are called by the list, as `row_sum`; its amounts are numbers without a currency, which the
    /// record has.
    var exportedLines: Noun<ExchangeLine<R>> {
        var fields: [Field<ExchangeLine<R>>] = []
        for field in exported.fields {
            guard case .list(let items) = field.declaration.type,
                let list = lists.first(where: { $0.name == field.declaration.name })
            else {
                fields.append(field.of(\.record))
                continue
            }
            for (index, item) in items.enumerated() {
                fields.append(
                    .exported(item, as: list.prefix + item.name) { line in
                        line.list == list.name ? line.values[index] : .absent
                    }
                )
            }
        }
        return Noun(noun.name, plural: noun.plural, summary: noun.summary, fields: fields)
    }

    /// A record's lines, at least one.
    func lines(of record: R) -> [ExchangeLine<R>] {
        var lines: [ExchangeLine<R>] = []
        for list in lists {
            guard case .list(let items) = list.field.value(record) else { continue }
            lines += items.map { ExchangeLine(record: record, list: list.name, values: $0) }
        }
        return lines.isEmpty ? [ExchangeLine(record: record)] : lines
    }

    /// The kinds of records that it refers to.
    var references: [Referred] { columns.compactMap(\.referred) + lists.flatMap(\.references) }

    /// What a file's columns can be.
    var targets: [ImportTarget] {
        var targets = [ImportTarget(name: "id", titles: [], kind: .text)]
        let titles = Dictionary(
            noun.fields.map { ($0.declaration.name, $0.declaration.title) },
            uniquingKeysWith: { $1 }
        )
        for column in columns { targets += column.targets { titles[$0] ?? "" } }
        let taken = Set(targets.map(\.name))
        let items = lists.flatMap(\.targets)
        for item in items {
            var item = item
            // `sum` for `row_sum`, where nothing else is called so.
            let others = items.filter { $0.name != item.name }
            item.titles.removeAll { title in
                taken.contains(title) || others.contains { $0.name == title || $0.titles.contains(title) }
            }
            targets.append(item)
        }
        return targets + lists.map { ImportTarget(name: $0.name, titles: [], kind: .list) }
    }
}

/// A line of CSV: a record, and perhaps an item of one of its lists.
struct ExchangeLine<R: Record>: Sendable {
    var record: R
    var list: String?
    /// The item's values by the list's fields.
    var values: [FieldValue] = []
}

/// What is wrong with a value.
struct CellFault: Sendable {
    /// The field.
    var column: String
    var reason: String
}
