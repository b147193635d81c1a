import CBOR
import LiveList
import Messages

/// A service with one list, and a topic that it is published on.
struct FakeList {
    static let topic = "=orders/00000000000000aa"

    enum Message {
        case batch(ListBatch)
        case state(ListState)
        case heartbeat(Identifier)
    }

    var run = Identifier.make()
    private(set) var list: LiveList
    /// The rows, by id.
    private(set) var rows: [Identifier: Int64] = [:]

    init() {
        list = LiveList(id: .make(), rows: [])
    }

    /// The service starts anew: the same rows, another list.
    mutating func restart() {
        run = .make()
        rebuild()
    }

    /// Nobody watched: the list was dropped, and is built again.
    mutating func rebuild() {
        list = LiveList(id: .make(), rows: rows.map { Self.row($0.key, $0.value) })
    }

    /// Puts or removes a row.
    mutating func change(_ number: UInt64, _ value: Int64?) -> ListBatch? {
        let id = Identifier(high: 1, low: number)
        rows[id] = value
        return list.apply([value.map { .put(Self.row(id, $0)) } ?? .remove(id)])
    }

    var reply: OpenList.Reply { list.snapshot.reply(topic: Self.topic) }

    private static func row(_ id: Identifier, _ value: Int64) -> ListRow {
        var (order, section) = (OrderKey(), OrderKey())
        order.add(value)
        section.add(value % 3)
        let key = SectionKey(order: section, value: EncodedCBOR(trusted: encoded(value % 3)))
        return ListRow(id: id, section: key, order: order, row: EncodedCBOR(trusted: encoded(value)))
    }

    private static func encoded(_ value: Int64) -> [UInt8] {
        var writer = CBORWriter()
        writer.int(value)
        return writer.bytes
    }
}
