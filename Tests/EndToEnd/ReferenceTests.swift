import Client
import Messages
import Support
import Testing

/// References across services: whatever is deleted while orders come in, no id dangles once the logs are read.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReferenceTests {
    @Test(arguments: [false, true]) func noIdDanglesAfterDeletesAndKills(kills: Bool) async throws {
        var random = SeededGenerator("dangling references")
        let choices = (0..<60).map { _ in
            (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<10, using: &random))
        }
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            var customers: [Customer] = []
            var services: [SoldService] = []
            for number in 0..<10 {
                customers.append(try await client.send(Put(Customer(name: "customer \(number)"))).value)
                services.append(try await client.send(Put(SoldService(name: "service \(number)"))).value)
            }
            let (people, sold) = (customers, services)
            async let ordering: Void = {
                for (customer, service) in choices {
                    // Refused where the reference is gone already.
                    let order = try Order.of(people[customer], 100, service: sold[service], made: true)
                    _ = try await Self.done(client, Put(order))
                }
            }()
            async let deleting: Void = {
                for number in 0..<8 {
                    let customer = Delete<Customer>(id: people[number].id, force: number % 2 == 0)
                    _ = try await Self.done(client, customer)
                    _ = try await Self.done(client, Delete<SoldService>(id: sold[number].id, force: true))
                }
            }()
            if kills {
                for service in [ServiceName.orders, .catalog, .orders] {
                    try await daybook.kill(service)
                    try await daybook.start(service)
                }
            }
            _ = try await (ordering, deleting)

            let heads = try await client.send(List<Customer>()).positions
            let known = Set(try await client.all(Customer.self).map(\.id))
            let offered = Set(try await client.all(SoldService.self).map(\.id))
            #expect(known.count < 10 && offered.count == 2)
            let orders = try await client.all(Order.self, after: heads)
            #expect(!orders.isEmpty)
            for order in orders {
                #expect(order.customer.map(known.contains) ?? true, "\(order.number) refers to a deleted customer")
                #expect((order.customer == nil) == (order.customerName == nil))
                for row in order.rows {
                    #expect(row.service.map(offered.contains) ?? true, "\(order.number) refers to a deleted service")
                    #expect((row.service == nil) == (row.serviceName == nil))
                }
            }
            // The report is of the same orders, with a name wherever there is a customer.
            let own = try await client.send(List<Order>()).positions
            let report = try await client.send(UnpaidReport(), after: own.merging(heads) { first, _ in first }).value
            #expect(report.orders.count == orders.count)
            #expect(report.orders.allSatisfy { ($0.customer == nil) == ($0.customerName == nil) })
        }
    }

    /// Whether the request was done; what is refused by the rules is not.
    private static func done(_ client: DaybookClient, _ request: some Request) async throws -> Bool {
        do throws(ClientError) {
            _ = try await client.send(request)
            return true
        } catch {
            guard case .refused(_, let status, _) = error else { throw error }
            #expect([.invalid, .inUse, .gone, .conflict].contains(status), "\(error)")
            return false
        }
    }
}
