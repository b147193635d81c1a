import Client
import Messages
import Support
import Testing

/// A day's work with the real services. Serialized to bound how many processes run at once.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DayTests {
    /// What a day left, as it can be read again.
    struct Books: Equatable, Sendable {
        var customers: [Customer]
        var services: [SoldService]
        var recipes: [Recipe]
        var orders: [Order]
        var dogs: [Dog]
        var walks: [Walk]
        var unpaid: UnpaidReport.Reply
        var byCustomer: TotalsReport.Reply

        init(_ client: DaybookClient, after: Positions) async throws {
            customers = try await client.all(Customer.self)
            services = try await client.all(SoldService.self)
            recipes = try await client.all(Recipe.self)
            orders = try await client.all(Order.self, after: after)
            dogs = try await client.all(Dog.self)
            walks = try await client.all(Walk.self)
            unpaid = try await client.send(UnpaidReport(), after: after).value
            byCustomer = try await client.send(TotalsReport(by: .customer), after: after).value
        }
    }

    /// Enters customers, services, a recipe, orders and walks, changes some and deletes some.
    private static func work(_ client: DaybookClient) async throws -> Positions {
        let lind = try await client.send(Put(Customer(name: "Lind", email: "lind@example.org"))).value
        let berg = try await client.send(Put(Customer(name: "Berg"))).value
        let gone = try await client.send(Put(Customer(name: "Gone"))).value
        let price = Money(amount: 4000, currency: .eur)
        let bath = try await client.send(Put(SoldService(name: "Bath", price: price))).value
        let type = try await client.send(Put(RecipeType(name: "Dessert"))).value
        let flour = Ingredient(line: "250 g flour")
        let recipe = Recipe(name: "Waffles", prepTime: "30 min", type: type.id, ingredients: [flour])
        #expect(try await client.send(Put(recipe)).value.prepMinutes == 30)

        var order = try await client.send(Put(Order.of(lind, 4000, 1000, service: bath, made: true))).value
        #expect(order.customerName == "Lind")
        #expect(order.rows.map(\.serviceName) == ["Bath", "Bath"])
        #expect(order.number == 1 && order.total == 5000)
        _ = try await client.send(Put(Order.of(berg, 1250, made: true, paid: true)))
        let mistake = try await client.send(Put(Order.of(berg, 999))).value
        _ = try await client.send(Delete<Order>(id: mistake.id))
        order.rows[1].sum = 1500
        let changed = try await client.send(Put(order))
        #expect(changed.value.total == 5500 && changed.value.version == 2)

        let walk = AddWalk(dogs: ["Rex"], start: Instant(microseconds: 1_711_900_800_000_000))
        #expect(try await client.send(walk).value.made.count == 1)
        let removed = try await client.send(Delete<Customer>(id: gone.id))
        return changed.positions.merging(removed.positions) { $1 }
    }

    @Test func keepsEverythingOverStopAndStart() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let positions = try await Self.work(daybook.client)
            let before = try await Books(daybook.client, after: positions)
            #expect(before.customers.map(\.name) == ["Berg", "Lind"])
            #expect(before.unpaid.orders.map(\.customerName) == ["Lind"])
            #expect(total(before.unpaid.totals) == "55.00")
            #expect(before.byCustomer.groups.map(\.total.plain) == ["12.50", "55.00"])
            try await daybook.stop(.walks, .reporting, .orders, .catalog)
            try await daybook.start(ServiceName.all)
            #expect(try await Books(daybook.client, after: positions) == before)
            // Running numbers go on, and are never used twice.
            #expect(try await daybook.client.send(Put(Order.of(nil))).value.number == 4)
        }
    }

    @Test func keepsWhatWasAcknowledgedWhenKilled() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let positions = try await Self.work(daybook.client)
            let before = try await Books(daybook.client, after: positions)
            try await daybook.kill(.orders, .catalog, .walks)
            try await daybook.start(.walks, .catalog, .orders)
            #expect(try await Books(daybook.client, after: positions) == before)
            // Reporting kept running, and follows those that are new.
            let paid = try await daybook.client.send(Put(Order.of(nil, 700, made: true)))
            try await daybook.kill(.reporting)
            let later = try await daybook.client.send(Put(Order.of(nil, 50, made: true)))
            try await daybook.start(.reporting)
            let after = positions.merging(paid.positions) { $1 }.merging(later.positions) { $1 }
            #expect(total(try await daybook.client.send(UnpaidReport(), after: after).value.totals) == "62.50")
        }
    }

    @Test func aServiceTellsHowItIs() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let status = try await daybook.client.send(StatusRequest(), to: .orders).value
            #expect(status.service == .orders)
            #expect(status.protocolVersion == 1)
            #expect(try status.process == daybook.service(.orders).process)
            #expect(status.storeBytes > 0)
            #expect(status.sources.map(\.service) == [.catalog])
        }
    }
}
