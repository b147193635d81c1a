import Client
import Glibc
import LiveList
import Messages
import Support
import Testing
import ZeroMQ

/// Watchers of the real service come in the middle of writes, lose messages and connections, are stopped for a while,
/// and see the service go and come back: in the end all of them show what is there.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct AmidWritesTests {
    private static let writes = 5000
    private static let last = "a last one"
    private static let queries = [
        ListQuery(.entity("customer")),
        ListQuery(.entity("customer"), sort: [SortKey("name", descending: true)]),
        ListQuery(.entity("customer"), section: .init("name", by: .letter)),
        ListQuery(.entity("customer"), window: ListWindow(offset: 3, limit: 10)),
        ListQuery(.entity("customer"), filter: .contains("name", "a")),
    ]

    /// How a watcher reaches the service.
    private struct Ways {
        let lossy: LossyRelay
        let streams: [StreamRelay]
        private let endpoints: [ServiceEndpoints?]

        init(_ daybook: Daybook, seed: UInt64) throws {
            let folder = daybook.folder
            let service = daybook.endpoints(.catalog)
            lossy = try LossyRelay(
                at: .ipc(path: "\(folder)/lossy"),
                before: service.events,
                losingOneIn: 20,
                seed: seed
            )
            streams = try ["requests", "events"].map {
                try StreamRelay(at: "\(folder)/cut-\($0)", before: "\(daybook.runtime)/catalog.\($0)")
            }
            let cut = ServiceEndpoints(
                requests: .ipc(path: "\(folder)/cut-requests"),
                events: .ipc(path: "\(folder)/cut-events")
            )
            endpoints = [nil, ServiceEndpoints(requests: service.requests, events: lossy.endpoint), cut]
        }

        /// A client of its own for each watcher, of the ways in turn.
        func client(_ number: Int, _ daybook: Daybook) throws -> DaybookClient {
            let way = endpoints[number % endpoints.count]
            return try daybook.client(timeout: .seconds(20), instead: way.map { [.catalog: $0] } ?? [:])
        }

        func stop() async {
            await lossy.stop()
            for stream in streams { await stream.stop() }
        }
    }

    @Test func allWatchersEndEqual() async throws {
        try await withDaybook(.catalog) { daybook in
            let random = SeededGenerator("watchers amid writes")
            let ways = try Ways(daybook, seed: random.seed)
            let (begin, continuation) = AsyncStream.makeStream(of: Int.self)
            let stopped = try await (0..<4).asyncMap { try await StoppedWatcher($0, daybook) }
            let writer = Task {
                defer { continuation.finish() }
                try await Self.write(random, daybook) { step in
                    if step % 200 == 0 { continuation.yield(step / 200) }
                    if step % 450 == 0 { for stream in ways.streams { stream.cut() } }
                    if step % 500 == 100 { stopped[step / 500 % 4].process.signal(SIGSTOP) }
                    if step % 500 == 450 { stopped[step / 500 % 4].process.signal(SIGCONT) }
                    switch step {
                    case Self.writes / 3: try await daybook.stop(.catalog)
                    case Self.writes * 2 / 3: try await daybook.kill(.catalog)
                    default: return
                    }
                    try await daybook.start(.catalog)
                }
                ways.lossy.calm()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for watcher in stopped { group.addTask { try await watcher.follow(writer, daybook) } }
                for await number in begin {
                    group.addTask { try await Self.watch(number, writer, ways, daybook) }
                }
                try await group.waitForAll()
            }
            #expect(ways.lossy.lost > 50 && ways.streams.allSatisfy { $0.cuts > 5 })
            await ways.stop()
        }
    }

    /// Makes, renames and deletes customers, one command after the other; `each` is called before each.
    private static func write(
        _ random: SeededGenerator,
        _ daybook: Daybook,
        each: (Int) async throws -> Void
    ) async throws {
        var random = random
        let client = try daybook.client(timeout: .seconds(20))
        var known: [Int: Customer] = [:]
        for step in 0..<writes {
            try await each(step)
            let number = Int.random(in: 0..<60, using: &random)
            let name = String(UInt32.random(in: 0..<4000, using: &random), radix: 36)
            var customer = known[number] ?? Customer(name: name)
            if known[number] != nil, step % 5 == 0 {
                _ = try await client.send(Delete<Customer>(id: customer.id, force: true))
                known[number] = nil
            } else {
                customer.name = name
                known[number] = try await client.send(Put(customer)).value
            }
        }
        _ = try await client.send(Put(Customer(name: last)))
    }

    /// Joins now, and follows until everything is written and shown.
    private static func watch(
        _ number: Int,
        _ writer: Task<Void, any Error>,
        _ ways: Ways,
        _ daybook: Daybook
    ) async throws {
        let query = queries[number % queries.count]
        var watcher = try await Watcher<Customer>(try ways.client(number, daybook), query, of: .catalog)
        // All but the window show the last record; they are read while it is written.
        if query.window == nil { try await watcher.follow { $0.contains { $0.name == last } } }
        try await writer.value
        let fresh = try daybook.client(timeout: .seconds(20))
        let end = try await fresh.send(OpenList(query.normalized), to: .catalog).value
        while watcher.results.digest != end.digest { try await watcher.step() }
        let all = try await fresh.all(Customer.self, filter: query.filter)
        let expected = query.window?.range(in: all.count).map { all[$0] } ?? all
        if query.sort == nil {
            #expect(watcher.rows == expected)
        } else {
            #expect(watcher.rows.map(\.name) == expected.reversed().map(\.name))
        }
    }
}

/// The command with `--watch` as a process that is stopped now and then, and a mirror of what it prints.
private struct StoppedWatcher {
    let process: ChildProcess
    private let lines: Lines

    init(_ number: Int, _ daybook: Daybook) async throws {
        lines = try Lines("\(daybook.folder)/lines-\(number)")
        let command = "exec daybook customers list --fields name --watch > \(lines.path)"
        process = try await daybook.start(program: "/bin/sh", ["-c", command])
    }

    /// Reads until it shows what is there once everything is written.
    func follow(_ writer: Task<Void, any Error>, _ daybook: Daybook) async throws {
        var mirror = PrintedMirror()
        while !mirror.names.contains("a last one") {
            for line in try await lines.next() { try mirror.take(line) }
        }
        try await writer.value
        let names = try await daybook.client.all(Customer.self).map(\.name)
        #expect(mirror.names == names)
        #expect(mirror.batches > 100)
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ body: (Int) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await body(number)) }
        return values
    }
}
