import Client
import Glibc
import Messages
import Support
import Testing

/// Services that no longer keep all of their events, and those that follow them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetentionTests {
    @Test func whoMissedWhatWasTrimmedIsBuiltFromSnapshots() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            var customers: [Customer] = []
            for number in 0..<30 {
                customers.append(try await client.send(Put(Customer(name: "customer \(number)"))).value)
            }
            let bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let order = try await client.send(Put(try Order.of(customers[0], 100, service: bath, made: true))).value
            try await daybook.stop(.orders, .reporting)
            _ = try await client.send(Delete<Customer>(id: customers[0].id, force: true))
            for number in 30..<40 { _ = try await client.send(Put(Customer(name: "customer \(number)"))) }
            try await daybook.stop(.catalog)

            let catalog = try await daybook.launch(.catalog, ["DAYBOOK_KEEP_EVENTS": "1kB"])
            try await catalog.ready()
            var floor: Int64 = 0
            // The delete is event 32.
            while floor < 32 { floor = try await client.send(VerifyLog(), to: .catalog).value.floor }
            #expect(try await client.send(ReadEvents(), to: .catalog).value.resync == .compacted)
            #expect(try await client.send(ReadHistory(subject: bath.id), to: .catalog).value.since != nil)
            let heads = try await client.send(List<Customer>()).positions
            let status = try await client.send(StatusRequest(), to: .catalog).value
            #expect(status.floor ?? 0 >= 32)
            // `start` is the first event that is kept, not a position that is told to be too old.
            let told = try await daybook.run("events", "--from", "start", "--source", "catalog", "--format", "jsonl")
            #expect(told.code == 0 && !told.text.contains("resync"))
            #expect(!told.lines.isEmpty && Int64(told.lines.count) <= status.sequence - 32)

            try await daybook.start(.orders, .reporting)
            // The reaction to the delete was never run: the build mends what it would have done.
            let cleared = try await client.send(Get<Order>(id: order.id), after: heads)
            #expect(cleared.value.customer == nil && cleared.value.rows[0].serviceName == "Bath")
            let known = heads.merging(cleared.positions) { $1 }
            let report = try await client.send(UnpaidReport(), after: known).value
            #expect(report.orders.map(\.id) == [order.id] && report.orders[0].customer == nil)

            for source in [ServiceName.catalog, .orders] {
                let hash = HashProjection(source: source)
                let before = try await client.send(hash, to: .reporting, after: known).value
                #expect(before.rows > 0)
                let rebuild = RebuildProjection(source: source)
                let position = try #require(try await client.send(rebuild, to: .reporting).value.position)
                let after = try await client.send(hash, to: .reporting, after: [source.rawValue: position]).value
                #expect(after == before)
            }
            for service in [ServiceName.catalog, .orders] {
                let check = try await client.send(VerifyLog(), to: service).value
                #expect(check.differences == 0, "\(service): \(check.examples)")
            }
            catalog.signal(SIGTERM)
            #expect(await catalog.ended() == .exited(0))
        }
    }

    @Test func aLimitThatCantBeRightIsRefusedAtTheStart() async throws {
        try await withDaybook { daybook in
            let child = try await daybook.launch(.catalog, ["DAYBOOK_KEEP_EVENTS": "forever"])
            let error = await #expect(throws: HarnessError.self) { try await child.ready() }
            #expect(try #require(error).description.contains("DAYBOOK_KEEP_EVENTS is 'forever'"))
            #expect(await child.ended() == .exited(1))
        }
    }
}
