import Messages
import Text

/// A list within a record, such as an order's rows, as files have it: in JSON a list, in CSV a line for each item.
struct ExchangeList<R: Resolvable>: Sendable {
    /// As the field: `rows`.
    let name: String
    /// As it is written.
    let field: Field<R>
    /// What the columns of a file can be called.
    let targets: [ImportTarget]
    /// The columns that are decimal numbers, by their names in a file.
    let decimals: [String]
    let references: [Referred]
    /// Sets the list to what the rows of a file say; those that say nothing of it are passed over.
    let take: @Sendable (inout R, [ImportRow], inout CellReader) -> Void

    /// What its columns begin with: `row_`.
    var prefix: String { Self.prefix(name) }

    private static func prefix(_ name: String) -> String { "\(name.dropLast())_" }

    /// An item of a file before it is stored.
    struct Context<Item> {
        let record: R
        /// The record's items before.
        let items: [Item]
        /// The fields that aren't blank.
        let given: Set<String>
        /// Whether the record had the item before.
        let isNew: Bool
    }

    /// - Parameters:
    ///   - field: the list as it is written.
    ///   - columns: those of an item, beside its id.
    ///   - items: a record's.
    ///   - set: sets a record's items.
    ///   - currency: of the record's amounts; nil where each has its own.
    ///   - id: an item's own, where files have it in a column `id`.
    ///   - make: a new item of this id, where it has one.
    ///   - finish: sets what follows from the columns, and says what can't be right.
    init<Item: Sendable>(
        _ field: Field<R>,
        columns: [ExchangeColumn<Item>],
        items: @escaping @Sendable (R) -> [Item],
        set: @escaping @Sendable (inout R, [Item]) -> Void,
        currency: @escaping @Sendable (R) -> Currency? = { _ in nil },
        id: (@Sendable (Item) -> Identifier)? = nil,
        make: @escaping @Sendable (Identifier) -> Item,
        finish: @escaping @Sendable (inout Item, Context<Item>) -> CellFault? = { _, _ in nil }
    ) {
        let name = field.declaration.name
        let prefix = Self.prefix(name)
        self.name = name
        self.field = field
        // Called without the list, too: `sum`; and a `name` as the item itself: `dog`.
        var targets = columns.flatMap { $0.targets(prefix: prefix) { $0 == "name" ? String(name.dropLast()) : $0 } }
        if id != nil { targets.insert(ImportTarget(name: "\(prefix)id", titles: [], kind: .text), at: 0) }
        self.targets = targets
        decimals = columns.filter { $0.kind != .text }.map { prefix + $0.name }
        references = columns.compactMap(\.referred)
        let names = columns.flatMap(\.names) + (id == nil ? [] : ["id"])
        take = { record, rows, cells in
            guard rows.contains(where: { row in row.has(name) || names.contains { row.has(prefix + $0) } }) else {
                return
            }
            let before = items(record)
            var taken: [Item] = []
            var used: Set<Identifier> = []
            let filled = rows.filter { row in names.contains { !TextNormalizer.isBlank(row[prefix + $0]) } }
            let ids = filled.map { row in id == nil ? nil : cells.id(row, "\(prefix)id") }
            used.formUnion(ids.compactMap(\.self))
            // Items without an id are those that nobody names, in their order.
            var unnamed = id.map { id in before.filter { !used.contains(id($0)) } } ?? []
            for (row, given) in zip(filled, ids) {
                let known = given.flatMap { given in before.first { id?($0) == given } }
                let found = given == nil && !unnamed.isEmpty ? unnamed.removeFirst() : known
                let new = found == nil ? given ?? Self.newID(record, name, taken.count, &used) : nil
                var item = found ?? make(new ?? .make())
                let count = cells.problems.count
                for column in columns where column.isIn(row, prefix) || column.isRequired && found == nil {
                    cells.set(column, of: &item, row, prefix: prefix, currency: currency(record))
                }
                let context = Context(
                    record: record,
                    items: before,
                    given: Set(names.filter { !TextNormalizer.isBlank(row[prefix + $0]) }),
                    isNew: found == nil
                )
                // What can't be read leaves what would follow from it open.
                if cells.problems.count == count, let fault = finish(&item, context) {
                    cells.problems.add(row, prefix + fault.column, fault.reason)
                }
                taken.append(item)
            }
            set(&record, taken)
        }
    }

    /// An id that the same file gives again.
    private static func newID(_ record: R, _ list: String, _ number: Int, _ used: inout Set<Identifier>) -> Identifier {
        var number = number
        while true {
            let id = Identifier.imported("\(R.entity)/\(list)", record.id.description, String(number))
            if used.insert(id).inserted { return id }
            number += 1
        }
    }
}

extension ExchangeColumn {
    var referred: Referred? {
        if case .reference(let referred, _, _) = setting { return referred }
        return nil
    }

    /// Whether the file has it.
    func isIn(_ row: ImportRow, _ prefix: String = "") -> Bool { names.contains { row.has(prefix + $0) } }
}
