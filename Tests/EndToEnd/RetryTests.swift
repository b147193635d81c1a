import CBOR
import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// A command has its effect once, whatever was lost on the way.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RetryTests {
    @Test func aLostReplyMakesNoSecondOrder() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let customer = try await daybook.client.send(Put(Customer(name: "Ada"))).value
            let relay = try Self.relay(daybook, dropping: 1)
            let client = try daybook.client(timeout: .seconds(10), instead: [.orders: Self.endpoints(relay, daybook)])
            let order = try Order.of(customer, 4000, 1000, made: true)
            let response = try await client.send(Put(order))
            #expect(relay.dropped == 1)
            #expect(response.replayed)
            #expect(response.value.id == order.id)
            #expect(try await client.all(Order.self).map(\.id) == [order.id])
            let report = try await client.send(UnpaidReport(), after: response.positions).value
            #expect(total(report.totals) == "50.00")
            await relay.stop()
        }
    }

    @Test func theKeyOutlivesAKillBetweenCommitAndReply() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let relay = try Self.relay(daybook, dropping: 1_000)
            let lost = try daybook.client(timeout: .seconds(10), instead: [.orders: Self.endpoints(relay, daybook)])
            let order = try Order.of(nil, 4000, 1000, made: true)
            let key = Identifier.make()
            let attempt = Task { try? await lost.send(Put(order), key: key) }
            await relay.firstLoss()
            try await daybook.kill(.orders)
            attempt.cancel()
            await relay.stop()
            try await daybook.start(.orders)

            let response = try await daybook.client.send(Put(order), key: key)
            #expect(response.replayed)
            #expect(response.value.id == order.id)
            let report = try await daybook.client.send(UnpaidReport(), after: response.positions).value
            #expect(report.orders.count == 1 && total(report.totals) == "50.00")
            let other = try await daybook.client.refusal(of: Put(Order.of(nil, 4000)), key: key)
            #expect(other.status == .keyReused && other.body.field == "key")
            #expect(try await daybook.client.all(Order.self).count == 1)
        }
    }

    /// The kill comes at any moment: before the request is read, while it is stored, or after.
    @Test func aKillAtAnyMomentLeavesOneOrderAfterTheRetry() async throws {
        var generator = SeededGenerator("kill moments")
        let pauses = (0..<8).map { _ in useconds_t.random(in: 0...4000, using: &generator) }
        try await withDaybook(.catalog, .orders) { daybook in
            var orders: Set<Identifier> = []
            for pause in pauses {
                let order = try Order.of(nil, 100)
                let key = Identifier.make()
                let process = try daybook.service(.orders).process
                try await RawSocket.connected(to: daybook.endpoints(.orders).requests) { socket in
                    try socket.send(try RawSocket.frames(Put(order), key: key))
                    usleep(pause)
                    Glibc.kill(process, SIGKILL)
                }
                _ = await (try daybook.service(.orders)).ended()
                try await daybook.start(.orders)
                #expect(try await daybook.client.send(Put(order), key: key).value.id == order.id)
                orders.insert(order.id)
            }
            #expect(Set(try await daybook.client.all(Order.self).map(\.id)) == orders)
        }
    }

    private static func relay(_ daybook: Daybook, dropping: Int) throws -> Relay {
        let service = daybook.endpoints(.orders).requests
        return try Relay(at: .ipc(path: "\(daybook.folder)/relay"), before: service, dropping: dropping)
    }

    private static func endpoints(_ relay: Relay, _ daybook: Daybook) -> ServiceEndpoints {
        ServiceEndpoints(requests: relay.endpoint, events: daybook.endpoints(.orders).events)
    }
}
