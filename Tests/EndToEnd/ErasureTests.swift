import CBOR
import Client
import Messages
import Support
import Testing
import Text

/// A person asks to be forgotten: `customers erase`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ErasureTests {
    private static let name = "Hj\u{E4}lmar Quist"
    private static let phone = "+46 70 555 01 99"
    /// The name and the phone number, as they are shown, searched and sorted.
    private static let traces =
        ([name, phone, TextNormalizer.folded(name)] + SearchWords.words(of: name)).map { Array($0.utf8) }
        + [name, phone].map(Collation.sortKey)

    /// The files of the three stores in which a trace is found.
    private func findings(_ daybook: Daybook) -> [String] {
        var findings: [String] = []
        for service in ["catalog", "orders", "reporting"] {
            for suffix in [".db", ".db-wal", ".db-shm"] {
                let path = "\(daybook.home)/\(service)\(suffix)"
                guard let bytes = File.read(path) else { continue }
                for (number, trace) in Self.traces.enumerated() where bytes.firstRange(of: trace) != nil {
                    findings.append("\(service)\(suffix) holds trace \(number)")
                }
            }
        }
        return findings
    }

    /// Waits until the services have rewritten their files.
    private func finished(_ daybook: Daybook) async throws {
        for service in [ServiceName.catalog, .orders, .reporting] {
            while try await daybook.client.send(StatusRequest(), to: service).value.erasing == true {
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// A customer with orders now and before, whose replies and history are kept.
    private func customer(_ client: DaybookClient) async throws -> Customer {
        var customer = try await client.send(Put(Customer(name: Self.name, phone: Self.phone))).value
        customer.address = "Storgatan 1"
        customer = try await client.send(Put(customer)).value
        let other = try await client.send(Put(Customer(name: "Ada"))).value
        _ = try await client.send(Put(Order.of(customer, 1200, made: true)))
        var moved = try await client.send(Put(Order.of(customer, 300, made: true))).value
        moved.customer = other.id
        _ = try await client.send(Put(moved))
        let gone = try await client.send(Put(Order.of(customer, 77))).value
        _ = try await client.send(Delete<Order>(id: gone.id))
        return customer
    }

    @Test func leavesNoByteInAnyStoreAndNoTotalChanged() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let customer = try await customer(client)
            let orders = try await client.send(List<Order>()).positions
            let before = try await client.send(TotalsReport(by: .customer), after: orders).value
            #expect(before.groups.map(\.label).contains(Self.name))

            let erased = try await daybook.run("customers", "erase", "quist", "--yes", "--format", "json")
            #expect(erased.code == 0 && erased.text.contains(customer.id.description))
            let position = try await client.send(Get<Customer>(id: customer.id))
            #expect(position.value == Customer(id: customer.id, version: 3, name: "erased"))
            let listed = try await client.all(Order.self, after: position.positions)
            #expect(Set(listed.map(\.customerName)) == ["erased", "Ada"])
            let after = try await client.send(TotalsReport(by: .customer), after: position.positions).value
            #expect(after.totals == before.totals && after.orders == before.orders)
            #expect(Set(after.groups.map(\.label)) == ["erased", "Ada"])

            try await finished(daybook)
            #expect(findings(daybook) == [])
            try await daybook.stop(.catalog, .orders, .reporting)
            #expect(findings(daybook) == [])
        }
    }

    @Test func reachesServicesThatWereDownAndOutlivesAKill() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = daybook.client
            let customer = try await customer(client)
            let orders = try await client.send(List<Order>()).positions
            _ = try await client.send(UnpaidReport(), after: orders)
            try await daybook.kill(.orders, .reporting)
            _ = try await client.send(Delete<Customer>(id: customer.id, force: true))
            let erased = try await daybook.run("customers", "erase", customer.id.description, "--yes")
            #expect(erased.code == 0)
            try await daybook.kill(.catalog)
            #expect(!findings(daybook).isEmpty)
            try await daybook.start(.catalog, .orders, .reporting)
            let now = try await client.send(List<Customer>()).positions
            #expect(try await client.all(Order.self, after: now).allSatisfy { $0.customerName != Self.name })
            _ = try await client.send(UnpaidReport(), after: now)
            try await finished(daybook)
            #expect(findings(daybook) == [])

            let again = try await daybook.run("customers", "erase", customer.id.description, "--yes")
            #expect(again.text.contains("erased before"))
            let never = try await daybook.run("customers", "erase", Identifier.make().description, "--yes")
            #expect(never.code == 1)
        }
    }
}
