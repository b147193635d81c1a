import CBOR
import LiveList
import Messages

/// Something to buy.
struct Item: Codable, Sendable {
    var id = Identifier.make()
    var name: String
    var isBought = false

    init(_ name: String) {
        self.name = name
    }
}

extension ListRow {
    /// What is still to buy stands in the first section, what was bought in the second; both by name.
    init(_ item: Item) throws {
        var section = OrderKey()
        section.add(item.isBought)
        var order = OrderKey()
        order.add(text: item.name)
        self.init(
            id: item.id,
            section: SectionKey(order: section, value: try EncodedCBOR(encoding: item.isBought)),
            order: order,
            row: try EncodedCBOR(encoding: item)
        )
    }
}

/// A list that an app keeps and shows. Each change gives the batch that its table view follows; nil where nothing that
/// is shown changed.
struct ShoppingList {
    private var list: LiveList
    /// What the table view's data source reads.
    private(set) var items: FetchedResults<Item>

    init(_ items: [Item]) throws {
        list = LiveList(id: .make(), rows: try items.map { try ListRow($0) })
        self.items = try FetchedResults(list.snapshot)
    }

    mutating func add(_ item: Item) throws -> ListBatch? {
        try apply([.put(ListRow(item))])
    }

    mutating func buy(_ id: Identifier) throws -> ListBatch? {
        guard let path = list.path(of: id), var item = items[path] else { return nil }
        item.isBought = true
        return try apply([.put(ListRow(item))])
    }

    /// Forgets what was bought: many rows in one batch.
    mutating func clear() throws -> ListBatch? {
        try apply(items.rows.filter(\.isBought).map { .remove($0.id) })
    }

    private mutating func apply(_ changes: [ListChange]) throws -> ListBatch? {
        guard let batch = list.apply(changes) else { return nil }
        try items.apply(batch)
        return batch
    }
}
