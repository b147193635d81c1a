import CBOR
import Client
import Messages
import Support
import Testing

/// Two people edit one record.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EditTests {
    @Test func mergesWhatOnlyOneSideChanged() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let read = try await client.send(Put(Order.of(nil, 4000, 1000))).value
            var mine = read
            mine.rows[0].sum = 4500
            _ = try await client.send(Put(mine))
            var yours = read
            yours.paid = true
            yours.rows[1].sum = 1100
            let merged = try await client.send(Put(yours)).value
            #expect(merged.paid)
            #expect(merged.rows.map(\.sum) == [4500, 1100])
            #expect(merged.total == 5600)
            #expect(merged.version == 3)
        }
    }

    @Test func theSameFieldIsAConflictThatShowsBothValues() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let read = try await client.send(Put(Order.of(nil, 4000))).value
            var mine = read
            mine.rows[0].sum = 4500
            _ = try await client.send(Put(mine))
            var yours = read
            yours.rows[0].sum = 5000
            let refusal = try await client.refusal(of: Put(yours))
            #expect(refusal.status == .conflict)
            #expect(refusal.body.field == "rows/\(read.rows[0].id)")
            let current = try #require(refusal.body.current).decode(Order.self)
            #expect(current.rows.map(\.sum) == [4500] && current.version == 2)
            #expect(try await client.send(Get<Order>(id: read.id)).value == current)
        }
    }

    @Test func whatWasDeletedIsNotMadeAgain() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let read = try await client.send(Put(Order.of(nil, 4000))).value
            _ = try await client.send(Delete<Order>(id: read.id))
            var yours = read
            yours.paid = true
            #expect(try await client.refusal(of: Put(yours)).status == .gone)
            #expect(try await client.refusal(of: Get<Order>(id: read.id)).status == .gone)
            #expect(try await client.refusal(of: Get<Order>(id: .make())).status == .notFound)
            #expect(try await client.all(Order.self).isEmpty)
        }
    }

    @Test func equalValuesMakeNoEvent() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            let order = try await client.send(Put(Order.of(nil, 4000)))
            for _ in 0..<10 {
                let again = try await client.send(Put(order.value))
                #expect(again.value == order.value)
                #expect(again.positions == order.positions)
            }
        }
    }

    /// A name that is only shown is no edit: neither of the two persons changed it.
    @Test func aRenameBetweenReadAndSaveIsNoConflict() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = daybook.client
            var bath = try await client.send(Put(SoldService(name: "Bath"))).value
            let read = try await client.send(Put(Order.of(nil, 4000, 1000, service: bath))).value
            bath.name = "Big bath"
            let renamed = try await client.send(Put(bath))
            var mine = read
            mine.paid = true
            _ = try await client.send(Put(mine), after: renamed.positions)
            var yours = read
            yours.rows[0].sum = 4500
            let merged = try await client.send(Put(yours)).value
            #expect(merged.rows.map(\.sum) == [4500, 1000])
            #expect(merged.rows.map(\.serviceName) == ["Big bath", "Big bath"])
            #expect(merged.paid)
        }
    }
}
