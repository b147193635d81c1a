import Client
import Glibc
import JSON
import Messages
import Support
import Synchronization
import ZeroMQ

/// Records what clients of Daybook ask, are answered, and apply: `Tests/Faults/README.md`.
///
/// Its standard input says when to go on: at the first line the writers stop, which it answers with `stopped`; at the
/// second the observers go to the end of what there is, and it ends.
@main
struct Main {
    private static let usage = """
        Usage: Recorder FILE [name=TEXT] [seed=N] [writers=N] [pause=MILLISECONDS] [timeout=MILLISECONDS] [observers=yes|no]
                        [settle=SECONDS] [key=NAME] [keys=FOLDER] SERVICE=ENDPOINT[,ENDPOINT]…
        """

    static func main() async {
        do {
            try await record(Array(CommandLine.arguments.dropFirst()))
        } catch {
            fflush(nil)
            let text = Array("\(error)\n".utf8)
            _ = write(2, text, text.count)
            exit(1)
        }
    }

    private struct Options {
        let path: String
        private var values: [String: String] = [:]
        private(set) var endpoints: [ServiceName: ServiceEndpoints] = [:]

        init(_ arguments: [String]) throws {
            guard let path = arguments.first else { throw RecorderError(Main.usage) }
            self.path = path
            let services = Set(ServiceName.all.map(\.rawValue))
            for argument in arguments.dropFirst() {
                let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw RecorderError(Main.usage) }
                guard services.contains(parts[0]) else {
                    values[parts[0]] = parts[1]
                    continue
                }
                let ends = parts[1].split(separator: ",").map(String.init)
                var both = try ServiceEndpoints(parsing: ends[0])
                if ends.count > 1 { both.events = try Endpoint(parsing: ends[1]) }
                endpoints[ServiceName(rawValue: parts[0])] = both
            }
        }

        func text(_ name: String) -> String? { values[name] }

        func number(_ name: String, _ usual: Int) throws -> Int {
            guard let text = values[name] else { return usual }
            guard let number = Int(text), number >= 0 else { throw RecorderError("\(name)=\(text) is no number") }
            return number
        }

        func client() throws -> DaybookClient {
            let timeout = Duration.milliseconds(try number("timeout", 5000))
            let key = text("key").map { OwnKey(folder: KeyFolder(path: text("keys") ?? ""), name: $0) }
            return try DaybookClient(ClientConfiguration(endpoints: endpoints, timeout: timeout, key: key))
        }
    }

    private static let queries: [(String, ServiceName, ListQuery)] = [
        ("customers", .catalog, ListQuery(.entity("customer"), sort: [SortKey("name")])),
        (
            "letters", .catalog,
            ListQuery(.entity("customer"), sort: [SortKey("name")], section: .init("name", by: .letter))
        ),
        (
            "window", .catalog,
            ListQuery(.entity("customer"), sort: [SortKey("name")], window: ListWindow(offset: 2, limit: 6))
        ),
        ("orders", .orders, ListQuery(.entity("order"), sort: [SortKey("number")])),
        (
            "unpaid-orders", .orders,
            ListQuery(
                .entity("order"),
                filter: .equal("paid", .boolean(false)),
                sort: [SortKey("number", descending: true)],
                section: .init("date", by: .month)
            )
        ),
        ("rows", .orders, ListQuery(.entity("order-row"))),
        ("walks", .walks, ListQuery(.entity("walk"), sort: [SortKey("number")])),
        ("unpaid", .reporting, ListQuery(.report("unpaid"))),
    ]

    private static func record(_ arguments: [String]) async throws {
        let options = try Options(arguments)
        let history = try History(options.path)
        let name = options.text("name") ?? "swift"
        let seed = UInt64(try options.number("seed", 1))
        let pause = Duration.milliseconds(try options.number("pause", 20))
        let ledger = Ledger()
        let isOver = Flag()

        let observed = options.text("observers") == "no" ? [] : [ServiceName.catalog, .orders, .walks]
        let subscribers = try observed.map {
            Subscriber("\(name)/subscriber/\($0)", $0, try options.client(), history)
        }
        let watcher = try options.client()
        let mirrors = (observed.isEmpty ? [] : queries).map { words, service, query in
            Mirror("\(name)/mirror/\(words)", query, of: service, watcher, history)
        }
        let following = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for subscriber in subscribers { group.addTask { try await subscriber.follow() } }
                for mirror in mirrors { group.addTask { try await mirror.follow() } }
                try await group.waitForAll()
            }
        }

        let working = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<(try options.number("writers", 4)) {
                    let asking = Asking(
                        name: "\(name)/writer/\(number)",
                        client: try options.client(),
                        history: history
                    )
                    group.addTask {
                        var writer = Writer(asking, ledger, seed: seed &* 1000 &+ UInt64(number))
                        try await writer.work(pause: pause) { isOver.isUp }
                    }
                }
                try await group.waitForAll()
            }
        }
        _ = try await DedicatedThread.run { readLine() }
        isOver.raise()
        try await working.value
        say("stopped")
        _ = try await DedicatedThread.run { readLine() }
        let asking = Asking(name: "\(name)/reader", client: try options.client(), history: history)
        try await settle(subscribers, mirrors, asking, within: .seconds(try options.number("settle", 60)))
        following.cancel()
        // What it was cancelled for is no error.
        _ = await following.result
        say("settled")
    }

    /// Waits until everybody has applied everything.
    private static func settle(
        _ subscribers: [Subscriber],
        _ mirrors: [Mirror],
        _ asking: Asking,
        within limit: Duration
    ) async throws {
        let deadline = ContinuousClock.now + limit
        var heads: Positions = [:]
        for service in [ServiceName.catalog, .orders, .walks] {
            let head = try await asking.client.head(of: service, timeout: limit)
            if let epoch = head.epoch { heads[service.rawValue] = Position(epoch: epoch, sequence: head.sequence) }
            for subscriber in subscribers where subscriber.service == service {
                while !subscriber.hasReached(head), .now < deadline { try await Task.sleep(for: .milliseconds(20)) }
            }
        }
        for mirror in mirrors {
            while .now < deadline {
                let open = OpenList(mirror.query.normalized)
                guard case .done(let now) = try await asking.ask(open, to: mirror.service, after: heads) else {
                    continue
                }
                // It has a while to hear the last batch, and opens anew by itself where it never does.
                let patience = ContinuousClock.now + .seconds(5)
                while mirror.digest != now.value.digest, .now < patience {
                    try await Task.sleep(for: .milliseconds(20))
                }
                if mirror.digest == now.value.digest { break }
            }
        }
    }

    private static func say(_ word: String) {
        print(word)
        fflush(nil)
    }
}

/// Raised once.
final class Flag: Sendable {
    private let up = Mutex(false)

    var isUp: Bool { up.withLock { $0 } }

    func raise() { up.withLock { $0 = true } }
}
