import Client
import Messages
import Support
import Testing

/// What one service must know of another's data.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AcrossServicesTests {
    @Test func anOrderMayNameACustomerThatWasJustAdded() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            for number in 1...100 {
                let customer = try await daybook.client.send(Put(Customer(name: "Customer \(number)"))).value
                let order = try await daybook.client.send(Put(Order.of(customer, 100))).value
                #expect(order.customerName == customer.name)
            }
        }
    }

    @Test func withoutCatalogOnlyKnownCustomersCanOrder() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let known = try await daybook.client.send(Put(Customer(name: "Ada"))).value
            _ = try await daybook.client.send(Put(Order.of(known, 100)))
            try await daybook.stop(.catalog)
            #expect(try await daybook.client.send(Put(Order.of(known, 200))).value.customerName == "Ada")

            let start = ContinuousClock.now
            let stranger = Customer(name: "Eve")
            let refusal = try await daybook.client.refusal(of: Put(Order.of(stranger, 300)), timeout: .seconds(4))
            #expect(refusal.status == .unavailable)
            #expect(refusal.body.field == "customer")
            #expect(refusal.body.message.contains("catalog"))
            #expect(ContinuousClock.now - start < .promised(seconds: 6))
            #expect(try await daybook.client.all(Order.self).count == 2)

            try await daybook.start(.catalog)
            let unknown = try await daybook.client.refusal(of: Put(Order.of(stranger, 300)))
            #expect(unknown.status == .invalid && unknown.body.field == "customer")
        }
    }

    @Test func aRenameReachesOrdersAndReports() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            var customer = try await client.send(Put(Customer(name: "Lind"))).value
            var bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let order = try await client.send(Put(Order.of(customer, 4000, service: bath, made: true)))
            customer.name = "Lindqvist"
            bath.name = "Big bath"
            let renamed = try await client.send(Put(customer)).positions
                .merging(try await client.send(Put(bath)).positions) { $1 }
            let after = renamed.merging(order.positions) { $1 }

            let listed = try await client.all(Order.self, after: renamed)
            #expect(listed.map(\.customerName) == ["Lindqvist"])
            #expect(listed[0].rows.map(\.serviceName) == ["Big bath"])
            let unpaid = try await client.send(UnpaidReport(), after: after).value
            #expect(unpaid.orders.map(\.customerName) == ["Lindqvist"])
            let totals = try await client.send(TotalsReport(by: .service), after: after).value
            #expect(totals.groups.map(\.label) == ["Big bath"])
        }
    }

    @Test func whatIsInUseIsDeletedOnlyByForce() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let lind = try await client.send(Put(Customer(name: "Lind"))).value
            let bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let first = try await client.send(Put(Order.of(lind, 1000, 2000, 3000, service: bath))).value
            _ = try await client.send(Put(Order.of(lind, 500)))

            let refusal = try await client.refusal(of: Delete<Customer>(id: lind.id))
            #expect(refusal.status == .inUse && refusal.body.found == "2")
            #expect(try await client.refusal(of: Delete<SoldService>(id: bath.id)).body.found == "1")

            try await daybook.stop(.orders)
            let unsure = try await client.refusal(of: Delete<Customer>(id: lind.id), timeout: .seconds(4))
            #expect(unsure.status == .unavailable)
            #expect(unsure.body.message.contains("cannot check now"))
            try await daybook.start(.orders)

            let forced = try await client.send(Delete<Customer>(id: lind.id, force: true))
            let orders = try await client.all(Order.self, after: forced.positions)
            #expect(orders.allSatisfy { $0.customer == nil && $0.customerName == nil })
            let cleared = try #require(orders.first { $0.id == first.id })
            #expect(cleared.rows.map(\.serviceName) == ["Bath", "Bath", "Bath"])

            for order in orders { _ = try await client.send(Delete<Order>(id: order.id)) }
            _ = try await client.send(Delete<SoldService>(id: bath.id))
            #expect(try await client.all(SoldService.self).isEmpty)
        }
    }

    @Test(arguments: [TotalsReport.Grouping.customer, .service, .month, .year])
    func reportsAddUpToTheGrandTotal(by grouping: TotalsReport.Grouping) async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            // What the report must have seen: the names, and the orders.
            var positions: Positions = [:]
            // Two people of one name stay two.
            for sum in [1000, 500] as [Int64] {
                let kim = try await client.send(Put(Customer(name: "Kim Berg")))
                let order = try await client.send(Put(Order.of(kim.value, sum, made: true)))
                positions.merge(kim.positions) { $1 }
                positions.merge(order.positions) { $1 }
            }
            for _ in 0..<10 { positions.merge(try await client.send(Put(Order.of(nil, 10))).positions) { $1 } }
            let report = try await client.send(TotalsReport(by: grouping), after: positions).value
            #expect(total(report.totals) == "16.00")
            #expect(report.orders == 12)
            #expect(report.groups.map(\.total.amount).reduce(0, +) == 1600)
            if grouping == .customer { #expect(report.groups.map(\.label) == [nil, "Kim Berg", "Kim Berg"]) }
            if grouping == .month { #expect(report.groups.map(\.label) == ["2024-03"]) }
        }
    }
}
