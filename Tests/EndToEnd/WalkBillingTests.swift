import Client
import Messages
import Support
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct WalkBillingTests {
    private static let hourly = ["DAYBOOK_WALKS_SERVICE": "Walk", "DAYBOOK_WALKS_PER": "hour"]

    /// Ann with two dogs and Bo with one; walks in February, one of them with dogs of both.
    private static func enter(_ daybook: Daybook) async throws {
        for line in [
            "customers add 'Ann Berg'", "customers add 'Bo Lind'", "services add Walk --price 20.00",
            "dogs add Rex --owner 'Ann Berg'", "dogs add Frieda --owner 'Ann Berg'", "dogs add Fido --owner 'Bo Lind'",
            "walks add Rex Frieda --at '2024-02-01 10:00' --for 45min",
            "walks add Rex Fido --at '2024-02-29 23:30' --for 90min", "walks add Frieda --at '2024-02-03 10:00'",
            "walks add Rex --at '2024-03-01 00:00' --for 60min", "walks start Frieda --at '2024-02-04 10:00'",
        ] {
            let output = try await daybook.shell("daybook \(line)")
            try #require(output.code == 0, "\(line): \(output.error)")
        }
    }

    private static func bill(
        _ daybook: Daybook,
        _ customer: String = "Ann",
        _ more: String = "",
        _ variables: [String: String] = hourly
    ) async throws -> Daybook.Output {
        try await daybook.shell(
            "daybook orders add --from-walks \(customer) 2024-02 --format json \(more)",
            variables: variables
        )
    }

    @Test func walksAreBilledByHourWalkOrDog() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await Self.enter(daybook)
            let first = try await Self.bill(daybook)
            #expect(first.code == 0, "\(first.error)")
            #expect(first.error.contains("Walk 5 with 'Frieda' goes on and isn't billed."))
            #expect(first.error.contains("Walk 3 with 'Frieda' has no end and isn't billed"))
            let order = try #require(try await daybook.client.all(Order.self).first)
            #expect(order.rows.map(\.text) == ["2024-02-01 Rex, Frieda", "2024-02-29 Rex"])
            #expect(order.rows.map(\.quantity?.description) == ["0.75", "1.5"] && order.total == 4500)
            #expect(order.walks?.map(\.number) == [1, 1, 2] && order.walks?.map(\.row).last == order.rows[1].id)
            let shown = try await daybook.run("orders", "show", order.label)
            #expect(
                shown.text.contains(
                    """
                    Rows:
                      Walk, 2024-02-01 Rex, Frieda - 15.00 (0.75 x 20.00), walk 1
                      Walk, 2024-02-29 Rex - 30.00 (1.5 x 20.00), walk 2

                    """
                ),
                "\(shown.text)"
            )
            #expect(order.made && order.walks?.count == 3 && order.customerName == "Ann Berg")
            // Bo owes his part of the walk that Ann's order has, too; once.
            #expect(try await Self.bill(daybook, "Bo").code == 0)
            let none = try await Self.bill(daybook, "Bo")
            #expect(none.code == 1 && none.error.contains("There is nothing to bill"))
            // By the walk, what took unknown time is billed as well.
            let rest = try await Self.bill(daybook, "Ann", "", ["DAYBOOK_WALKS_SERVICE": "Walk"])
            #expect(rest.code == 0, "\(rest.error)")
            _ = try await daybook.client.send(Delete<Order>(id: order.id))
            let dogs = ["DAYBOOK_WALKS_SERVICE": "Walk", "DAYBOOK_WALKS_PER": "dog", "DAYBOOK_WALKS_PRICE": "7"]
            #expect(try await Self.bill(daybook, "Ann", "", dogs).code == 0)
            let last = try #require(try await daybook.client.all(Order.self).max { $0.number < $1.number })
            #expect(last.rows.map(\.quantity?.description) == ["2", "1"] && last.total == 2100)
        }
    }

    @Test func manyWhoBillAtOnceBillEachWalkOnce() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await Self.enter(daybook)
            let outputs = try await withThrowingTaskGroup(of: Daybook.Output.self) { group in
                for _ in 0..<4 { group.addTask { try await Self.bill(daybook) } }
                return try await group.reduce(into: [Daybook.Output]()) { $0.append($1) }
            }
            #expect(outputs.filter { $0.code == 0 }.count == 1)
            for output in outputs where output.code != 0 {
                let isTold = output.error.contains("run this again") || output.error.contains("nothing to bill")
                #expect(isTold, "\(output.error)")
            }
            #expect(try await daybook.client.all(Order.self).count == 1)
            // What others read before and send now is refused, and names the order that was first.
            let order = try #require(try await daybook.client.all(Order.self).first)
            let late = Order(date: order.date, currency: .eur, walks: order.walks?.map(\.part))
            let refusal = try await daybook.client.refusal(of: Put(late))
            #expect(refusal.status == .inUse && refusal.body.found == order.label)
            // A walk that comes later is all that a next order has.
            let walk = try await daybook.shell("daybook walks add Rex --at '2024-02-20 10:00' --for 60min")
            #expect(walk.code == 0)
            #expect(try await Self.bill(daybook).code == 0)
            #expect(try await daybook.client.all(Order.self).map(\.rows.count) == [2, 1])
        }
    }

    @Test func aKillAndARetryBillOnce() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await Self.enter(daybook)
            let key = Identifier.make()
            let first = try await Self.bill(daybook, "Ann", "--key \(key)")
            #expect(first.code == 0, "\(first.error)")
            try await daybook.kill(.orders)
            let down = try await Self.bill(daybook, "Ann", "--key \(key) --timeout 1")
            #expect(down.code != 0)
            try await daybook.start(.orders)
            let again = try await Self.bill(daybook, "Ann", "--key \(key)")
            #expect(again.code == 0 && again.text == first.text, "\(again.error)")
            #expect(try await Self.bill(daybook).code == 1)
            #expect(try await daybook.client.all(Order.self).count == 1)
        }
    }

    @Test func deletingAndCancellingFreeTheWalks() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await Self.enter(daybook)
            #expect(try await Self.bill(daybook).code == 0)
            #expect(try await daybook.run("orders", "delete", "1", "--yes").code == 0)
            #expect(try await Self.bill(daybook).code == 0)
            #expect(try await daybook.run("orders", "cancel", "2").code == 0)
            #expect(try await Self.bill(daybook).code == 0)
            // What another order bills now can't come back.
            var cancelled = try #require(try await daybook.client.all(Order.self).first { $0.number == 2 })
            cancelled.cancelled = nil
            let refusal = try await daybook.client.refusal(of: Put(cancelled))
            #expect(refusal.status == .inUse && refusal.body.found == "3")
            let copy = try await daybook.run("orders", "clone", "3")
            #expect(copy.code == 0, "a clone bills no walks")
        }
    }

    /// A row that goes takes its walk along, and only that.
    @Test func deletingARowFreesItsWalk() async throws {
        try await withDaybook(.catalog, .orders, .walks) { daybook in
            try await Self.enter(daybook)
            #expect(try await Self.bill(daybook).code == 0)
            #expect(try await daybook.run("orders", "rows", "delete", "1", "1", "--yes").code == 0)
            #expect(try await Self.bill(daybook).code == 0)
            let orders = try await daybook.client.all(Order.self).sorted { $0.number < $1.number }
            #expect(orders.map { $0.walks?.map(\.number) } == [[2], [1, 1]])
            #expect(try await Self.bill(daybook).code == 1)
        }
    }
}
