import Client
import Glibc
import LiveList
import Messages
import Support
import Testing
import ZeroMQ

/// The write-ahead log is cut while everybody works, and memory is not a log either.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WriteAheadLogTests {
    private static let updates = Environment["DAYBOOK_LONG"] == nil ? 4_000 : 20_000

    @Test func staysSmallUnderManyUpdates() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = try daybook.client(timeout: .seconds(20))
            var customers: [Customer] = []
            for number in 0..<50 {
                customers.append(try await client.send(Put(Customer(name: "Customer \(number)"))).value)
            }
            let queries = [
                ListQuery(.entity("customer")),
                ListQuery(.entity("customer"), sort: [SortKey("name", descending: true)]),
                ListQuery(.entity("customer"), window: ListWindow(offset: 3, limit: 10)),
            ]
            var watching: [Task<Void, Never>] = []
            for query in queries {
                let watcher = try await Watcher<Customer>(
                    try daybook.client(timeout: .seconds(20)),
                    query,
                    of: .catalog
                )
                watching.append(
                    Task {
                        var watcher = watcher
                        while !Task.isCancelled, (try? await watcher.step()) != nil {}
                    }
                )
            }
            let service = try daybook.service(.catalog)
            let log = "\(daybook.home)/catalog.db-wal"
            var (largest, early, late) = (0, 0, 0)
            for number in 0..<Self.updates {
                let index = number % customers.count
                customers[index].info = "Update \(number)"
                customers[index] = try await client.send(Put(customers[index])).value
                largest = max(largest, File.size(log))
                if number == Self.updates / 4 { early = service.residentBytes }
            }
            late = service.residentBytes
            #expect(largest > 0 && largest <= 32 << 20, "\(largest) bytes")
            #expect(late - early < 16 << 20, "\(early) bytes, then \(late)")
            // Quiet: 10 s at the most.
            let quiet = ContinuousClock.now
            while File.size(log) > 4 << 20, ContinuousClock.now - quiet < .seconds(10) {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(File.size(log) <= 4 << 20)
            for task in watching { task.cancel() }
        }
    }
}
