import Messages
import Support
import Testing

@testable import Orders

/// Each number from 1 to the last is an order's, or that of one that was deleted.
struct OrderNumberTests {
    private func order(_ orders: Bench, _ date: String = "2024-03-31") throws -> Order {
        try orders.send(Put(Order(date: try #require(CalendarDay(date)), currency: .eur)))
    }

    private func states(_ orders: Bench, year: Int? = nil) throws -> [String] {
        try orders.send(OrderNumbers(year: year)).numbers.map { "\($0.number) \($0.state)" }
    }

    @Test func aDeletedOrderLeavesItsNumber() throws {
        let orders = try Bench(Orders.definition)
        let made = try (1...4).map { _ in try order(orders) }
        try orders.send(Delete<Order>(id: made[1].id))
        var cancelled = made[2]
        cancelled.cancelled = true
        try orders.send(Put(cancelled))
        #expect(try states(orders) == ["1 kept", "2 deleted", "3 cancelled", "4 kept"])
        let reply = try orders.send(OrderNumbers(after: 1, limit: 2))
        #expect(reply.numbers.map(\.id) == [made[1].id, made[2].id] && reply.next == 3 && reply.years.isEmpty)
        #expect(reply.numbers[0].deleted != nil && reply.numbers[1].deleted == nil)
        #expect(try order(orders).number == 5)
    }

    @Test func aDeletedOrderThatComesBackHasItsNumber() throws {
        let orders = try Bench(Orders.definition)
        let made = try order(orders)
        try orders.send(Delete<Order>(id: made.id))
        let key = try #require(try orders.send(ListCommands(limit: 1)).commands.first?.key)
        try orders.send(UndoCommand(key: key))
        #expect(try states(orders) == ["1 kept"])
        #expect(try orders.send(Get<Order>(id: made.id)).number == 1)
    }

    @Test func aRefusedOrderTakesNone() throws {
        let orders = try Bench(Orders.definition)
        let refused = Order(
            date: try #require(CalendarDay("2024-03-31")),
            currency: .eur,
            rows: [OrderRow(unitPrice: 1, sum: 0)]
        )
        #expect(throws: Unexpected.self) { try orders.send(Put(refused)) }
        #expect(try order(orders).number == 1)
    }

    @Test func numbersStartAnewEachYearWhereItIsSoConfigured() throws {
        let orders = try Bench(Orders.definition(.yearly))
        let made = try ["2024-12-31", "2025-01-01", "2024-01-01"].map { try order(orders, $0) }
        #expect(made.map(\.label) == ["2024-1", "2025-1", "2024-2"])
        var moved = made[0]
        moved.date = try #require(CalendarDay("2025-02-01"))
        #expect(try orders.send(Put(moved)).label == "2024-1")
        try orders.send(Delete<Order>(id: made[2].id))
        #expect(try states(orders, year: 2024) == ["1 kept", "2 deleted"])
        #expect(try orders.send(OrderNumbers(year: 2025)).years == [2024, 2025])
        #expect(try states(orders) == [])
    }

    @Test func aPrintedOrderCanOnlyBeCancelled() throws {
        let orders = try Bench(Orders.definition)
        let made = try order(orders)
        let printed = try orders.send(PrintOrder(id: made.id))
        #expect(printed.printed != nil)
        #expect(try orders.send(PrintOrder(id: made.id)) == printed)
        #expect(throws: Unexpected.self) { try orders.send(Delete<Order>(id: made.id, force: true)) }
        var cancelled = printed
        (cancelled.cancelled, cancelled.printed) = (true, nil)
        let stored = try orders.send(Put(cancelled))
        #expect(stored.cancelled == true && stored.printed == printed.printed)
    }

    @Test func thatAnOrderWasPrintedIsNotUndone() throws {
        let orders = try Bench(Orders.definition)
        let printed = try orders.send(PrintOrder(id: try order(orders).id))
        let key = try #require(try orders.send(ListCommands(limit: 1)).commands.first?.key)
        let error = #expect(throws: Unexpected.self) { try orders.send(UndoCommand(key: key)) }
        #expect(error.map { "\($0)".contains("nothing of it can be undone") } == true, "\(String(describing: error))")
        #expect(try orders.send(Get<Order>(id: printed.id)) == printed)
    }

    @Test func theSettingIsRunningOrYearly() throws {
        #expect(try Numbering(setting: nil) == .running)
        #expect(try Numbering(setting: "yearly") == .yearly)
        #expect(throws: (any Error).self) { try Numbering(setting: "monthly") }
    }
}
