import Client
import Messages
import Synchronization
import Testing

@testable import CLI

struct DemoSampleTests {
    /// Keeps what is put by its id.
    private final class Store: RequestSender {
        let records = Mutex<[Identifier: any Record]>([:])
        let puts = Mutex(0)

        func send<R: Request>(_ request: R, to: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
            if let reply = try answer(request) as? R.Reply { return reply }
            throw .client(.refused(.catalog, .notFound, ErrorBody(code: "not-found", message: "No such record.")))
        }

        private func answer(_ request: some Request) throws(CLIError) -> (any Record)? {
            for child in Mirror(reflecting: request).children {
                if let id = child.value as? Identifier { return records.withLock { $0[id] } }
                if let record = child.value as? any Record {
                    records.withLock { $0[record.id] = record }
                    puts.withLock { $0 += 1 }
                    return record
                }
            }
            return nil
        }
    }

    @Test func isStoredOnce() async throws {
        let store = Store()
        try await DemoSample.fill(store)
        let count = store.puts.withLock { $0 }
        #expect(count == 5 + 5 + 6 + 5 + 10 + 3 + 6)
        try await DemoSample.fill(store)
        #expect(store.puts.withLock { $0 } == count)
        #expect(store.records.withLock { $0.count } == count)
    }

    @Test func hasNoTwoIdsAlike() {
        let orders = DemoSample.orders(today: .today())
        let ids =
            DemoSample.recipes.map(\.id) + DemoSample.recipes.flatMap { $0.ingredients.map(\.id) }
            + DemoSample.recipes.flatMap { $0.steps.map(\.id) }
            + orders.map(\.id) + orders.flatMap { $0.rows.map(\.id) } + DemoSample.customers.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.version == 7 })
        #expect(CellText.idDigits(DemoSample.customers.map(\.id)) == 4)
    }
}
