import Client
import Messages
import Support
import Synchronization
import Testing

/// Many who read and then write, together with some who list everything.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CrowdTests {
    private final class Tally: Sendable {
        struct Counts {
            var added = 0
            var repeated = 0
            var listed = 0
            var durations: [Duration] = []
        }

        let counts = Mutex(Counts())
    }

    /// Fifty add rows of 1.00 to the same few orders, each by the version that it read; who was too late reads again.
    @Test func whatFiftyAddToTheSameOrdersAddsUp() async throws {
        let time = Duration.seconds(Environment["DAYBOOK_LONG"] == nil ? 2 : 10)
        try await withDaybook(.orders, .reporting) { daybook in
            let client = try daybook.client(timeout: .seconds(30))
            var orders: [Identifier] = []
            // An order has up to 400 rows.
            for _ in 0..<100 { orders.append(try await client.send(Put(try Order.of(made: true))).value.id) }
            let (shared, tally) = (orders, Tally())
            let end = ContinuousClock.now + time
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    let own = try daybook.client(timeout: .seconds(30))
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(number))
                        while .now < end { try await Self.add(to: shared, own, &random, tally) }
                    }
                }
                for _ in 0..<5 {
                    let own = try daybook.client(timeout: .seconds(30))
                    group.addTask {
                        while .now < end {
                            let all = try await own.all(Order.self)
                            #expect(all.count == shared.count)
                            tally.counts.withLock { $0.listed += 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let done = tally.counts.withLock { $0 }
            let last = try await client.send(List<Order>(limit: 1)).positions
            let rows = try await client.all(Order.self).reduce(0) { $0 + $1.rows.count }
            #expect(done.added > 0 && done.listed > 0 && rows == done.added)
            let report = try await client.send(TotalsReport(by: .month), after: last).value
            #expect(report.totals == [Money(amount: Int64(done.added) * 100, currency: .eur)])
            let slowest = done.durations.sorted()[done.durations.count * 99 / 100]
            print("50 added \(done.added) rows, \(done.repeated) times once more; the 99th of 100 took \(slowest)")
        }
    }

    /// Reads an order, adds a row, and reads again where somebody was faster with the same.
    private static func add(
        to orders: [Identifier],
        _ client: DaybookClient,
        _ random: inout SeededGenerator,
        _ tally: Tally
    ) async throws {
        let start = ContinuousClock.now
        while let id = orders.randomElement(using: &random) {
            var order = try await client.send(Get<Order>(id: id)).value
            // Full: another.
            if order.rows.count >= 390 { continue }
            order.rows.append(OrderRow(sum: 100))
            guard try await isStored(order, client) else {
                tally.counts.withLock { $0.repeated += 1 }
                continue
            }
            let duration = ContinuousClock.now - start
            return tally.counts.withLock { counts in
                counts.added += 1
                counts.durations.append(duration)
            }
        }
    }

    /// False where somebody changed the same meanwhile.
    private static func isStored(_ order: Order, _ client: DaybookClient) async throws -> Bool {
        do throws(ClientError) {
            _ = try await client.send(Put(order))
            return true
        } catch {
            guard case .refused(_, let status, _) = error, status == .conflict else { throw error }
            return false
        }
    }
}
