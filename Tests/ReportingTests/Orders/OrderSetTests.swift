import Messages
import Support
import Testing

@testable import Orders

/// Many orders are changed together, or none is.
struct OrderSetTests {
    private let orders: Bench
    private static let day = CalendarDay("2024-03-31")!

    init() throws {
        orders = try Bench(Orders.definition)
    }

    private func order(_ change: (inout Order) -> Void = { _ in }) throws -> Order {
        var order = Order(date: Self.day, currency: .eur, rows: [OrderRow(sum: 100)])
        change(&order)
        return try orders.send(Put(order))
    }

    private func targets(_ orders: [Order]) -> [SetOrders.Target] {
        orders.map { SetOrders.Target(id: $0.id, version: $0.version) }
    }

    @Test func changesThemAllInOneTransaction() throws {
        let earlier = try #require(CalendarDay("2024-01-01"))
        let made = [try order(), try order { ($0.paid, $0.paidOn) = (true, earlier) }, try order()]
        let change = SetOrders.Change(paid: true, paidOn: Self.day, due: Self.day)
        let reply = try orders.send(SetOrders(orders: targets(made), change: change))
        #expect(reply == SetOrders.Reply(orders: 3, changed: 3))
        let stored = try made.map { try orders.send(Get<Order>(id: $0.id)) }
        #expect(stored.map(\.paidOn) == [Self.day, earlier, Self.day])
        #expect(stored.allSatisfy { $0.paid && $0.due == Self.day && $0.open == 0 })
        let again = try orders.send(SetOrders(orders: targets(stored), change: change))
        #expect(again == SetOrders.Reply(orders: 3, changed: 0))
        let key = try #require(try orders.send(ListCommands(limit: 1)).commands.first?.key)
        try orders.send(UndoCommand(key: key))
        #expect(try made.map { try orders.send(Get<Order>(id: $0.id)).paid } == [false, true, false])
    }

    @Test func oneThatIsRefusedLeavesThemAll() throws {
        let free = try order()
        let covered = try order { $0.payments = [Payment(date: Self.day, amount: 100)] }
        let unpay = SetOrders(orders: targets([free, covered]), change: SetOrders.Change(made: true, paid: false))
        let error = #expect(throws: Unexpected.self) { try orders.send(unpay) }
        #expect(error?.description.contains("order 2: the order's payments cover") == true)
        #expect(try orders.send(Get<Order>(id: free.id)) == free)
    }

    @Test func oneThatWasChangedMeanwhileIsAConflict() throws {
        let seen = try order()
        var changed = seen
        changed.note = "later"
        try orders.send(Put(changed))
        let error = #expect(throws: Unexpected.self) {
            try orders.send(SetOrders(orders: targets([seen]), change: SetOrders.Change(made: true)))
        }
        #expect(error?.description.contains("conflict") == true)
        let unseen = SetOrders(orders: [SetOrders.Target(id: seen.id)], change: SetOrders.Change(made: true))
        #expect(try orders.send(unseen).changed == 1)
    }

    @Test func takesTenThousandAndNoMore() throws {
        let one = try order()
        let most = [SetOrders.Target](repeating: SetOrders.Target(id: one.id), count: SetOrders.mostOrders)
        #expect(try orders.send(SetOrders(orders: most, change: SetOrders.Change(made: true))).changed == 1)
        let error = #expect(throws: Unexpected.self) {
            try orders.send(SetOrders(orders: most + most.prefix(1), change: SetOrders.Change(made: true)))
        }
        #expect(error?.description.contains("at most 10000 orders, not 10001") == true)
    }
}
