import Client
import Glibc
import Messages
import Support
import Synchronization
import Testing
import ZeroMQ

/// Stop means stop, and what was acknowledged is there.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StopTests {
    @Test(arguments: [[SIGTERM], [SIGTERM, SIGTERM], [SIGINT]], Place.allCases)
    func endsCleanlyUnderLoad(_ signals: [Int32], in place: Place) async throws {
        try await withDaybook { daybook in
            let town = try Town(withoutKeys: daybook)
            let acknowledged = Acknowledged()
            let client =
                place == .host ? try daybook.client(timeout: .seconds(1)) : try town.client(nil, timeout: .seconds(1))
            let service = try await Self.start(daybook, town, in: place)
            let process = try place.service(under: service)
            let signalled = try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        // Ends when the service no longer answers.
                        while let response = try? await client.send(Put(Customer(name: "Ada"))) {
                            acknowledged.insert(response.value.id)
                        }
                    }
                }
                // The signal comes in the middle of it.
                while acknowledged.ids.count < 200 {
                    _ = try await daybook.client.send(StatusRequest(), to: .catalog)
                }
                let signalled = ContinuousClock.now
                for signal in signals { kill(process, signal) }
                try await group.waitForAll()
                return signalled
            }
            #expect(await service.ended() == .exited(0))
            #expect(try #require(service.endedAt) - signalled < .promised(seconds: 3))
            #expect((File.read("\(daybook.home)/catalog.db-wal") ?? []).count == 0)
            #expect(!File.exists("\(daybook.runtime)/catalog.requests"))

            // Its ports are free at once.
            let start = ContinuousClock.now
            try await town.start(.catalog)
            #expect(ContinuousClock.now - start < .promised(seconds: 3))
            let stored = Set(try await daybook.client.all(Customer.self).map(\.id))
            #expect(stored.isSuperset(of: acknowledged.ids))
        }
    }

    @Test(arguments: Place.allCases)
    func subscribersAndIdleSocketsHoldNothingUp(in place: Place) async throws {
        try await withDaybook { daybook in
            let town = try Town(withoutKeys: daybook)
            let service = try await Self.start(daybook, town, in: place)
            let process = try place.service(under: service)
            let endpoints = place == .host ? daybook.endpoints(.catalog) : town.endpoints(.catalog)
            let signalled = try await RawSocket.connected(to: endpoints.requests) { _ in
                try Self.subscribed(to: endpoints.events, 3) {
                    let signalled = ContinuousClock.now
                    kill(process, SIGTERM)
                    while service.endedAt == nil, ContinuousClock.now - signalled < .seconds(10) { usleep(10_000) }
                    return signalled
                }
            }
            #expect(try #require(service.endedAt) - signalled < .promised(seconds: 3))
            #expect(await service.ended() == .exited(0))
        }
    }

    /// Where a service runs: beside others, or as a container's first process, which gets no signal that it doesn't ask for
    /// (pid_namespaces(7)) and is reached over TCP.
    enum Place: CaseIterable {
        case host, container

        static var allCases: [Place] {
            getuid() == 0 && File.exists("/usr/bin/unshare") ? [.host, .container] : [.host]
        }

        fileprivate var words: [String] {
            // Nobody outside is its parent there.
            let unshare = ["/usr/bin/unshare", "--pid", "--fork", "/usr/bin/env", "--unset=DAYBOOK_PARENT"]
            return self == .host ? [] : unshare
        }

        /// The service's number, seen from here.
        fileprivate func service(under child: ChildProcess) throws -> pid_t {
            guard self == .container else { return child.process }
            let children = File.text("/proc/\(child.process)/task/\(child.process)/children")
            let service = try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
            let status = File.text("/proc/\(service)/status")
            let numbers = try #require(status.split(separator: "\n").first { $0.hasPrefix("NSpid:") })
            #expect(numbers.split(separator: "\t").last == "1")
            return service
        }
    }

    private static func start(_ daybook: Daybook, _ town: Town, in place: Place) async throws -> ChildProcess {
        try await daybook.start([.catalog], variables: town.variables(), through: place.words)
        return try daybook.service(.catalog)
    }

    /// Runs the closure while that many sockets are subscribed, each of which has heard something.
    private static func subscribed<Value>(
        to endpoint: Endpoint,
        _ count: Int,
        _ body: () throws -> Value
    ) throws -> Value {
        guard count > 0 else { return try body() }
        return try RawSocket.exchange(with: endpoint, .sub) { socket in
            try socket.subscribe(Topic.heartbeat(.catalog))
            guard try socket.receive() != nil else { throw HarnessError("no heartbeat within 5 s") }
            return try subscribed(to: endpoint, count - 1, body)
        }
    }

    @Test func aSecondProcessOnTheSameSocketsIsRefused() async throws {
        try await withDaybook(.catalog) { daybook in
            let second = try await daybook.launch(.catalog)
            try await Self.expectFailure(of: second, saying: ["another process serves"])
            let elsewhere = try await daybook.launch(.catalog, ["DAYBOOK_RUNTIME": "\(daybook.folder)/other"])
            try await Self.expectFailure(of: elsewhere, saying: ["\(daybook.home)/catalog.db"])
            #expect(try await daybook.client.send(Put(Customer(name: "Ada"))).value.version == 1)
        }
    }

    /// Neither files that were removed nor another name for the same store let a second process in.
    @Test func aSecondProcessIsRefusedWithoutTheLocksAndUnderOtherNames() async throws {
        try await withDaybook(.catalog) { daybook in
            let store = "\(daybook.home)/catalog.db"
            let locks = ["\(store).lock", "\(daybook.runtime)/catalog.requests.lock"]
            for lock in locks { try #require(unlink(lock) == 0) }
            let same = try await daybook.launch(.catalog)
            try await Self.expectFailure(of: same, saying: ["another process serves"])
            for lock in locks { unlink(lock) }
            let elsewhere = "\(daybook.folder)/elsewhere"
            let apart = ["DAYBOOK_RUNTIME": elsewhere]
            try await Self.expectFailure(of: try await daybook.launch(.catalog, apart), saying: [store, "in use"])
            for call in [symlink, link] {
                let home = "\(daybook.folder)/alias"
                try #require(mkdir(home, 0o700) == 0 && call(store, "\(home)/catalog.db") == 0)
                let alias = ["DAYBOOK_HOME": home, "DAYBOOK_RUNTIME": elsewhere]
                let sentence = ["\(home)/catalog.db", "in use"]
                try await Self.expectFailure(of: try await daybook.launch(.catalog, alias), saying: sentence)
                _ = try await daybook.shell("rm -r '\(home)'")
            }
            #expect(try await daybook.client.send(Put(Customer(name: "Ada"))).value.version == 1)
        }
    }

    @Test(arguments: ServiceName.all)
    func theStoreOfAnotherServiceIsRefused(_ name: ServiceName) async throws {
        let other = name == .catalog ? ServiceName.walks : .catalog
        try await withDaybook(other) { daybook in
            try await daybook.stop(other)
            let store = try #require(File.read("\(daybook.home)/\(other).db"))
            try File.write(store, to: "\(daybook.home)/\(name).db")
            let child = try await daybook.launch(name)
            try await Self.expectFailure(of: child, saying: [other.rawValue, "\(name).db", "not a store of this"])
            #expect(File.read("\(daybook.home)/\(name).db") == store)
        }
    }

    /// What is wrong with a store, and what the sentence must say.
    @Test(arguments: ServiceName.all, ["newer", "none", "headless", "cut", "scribbled"])
    func aStoreThatCannotBeUsedIsRefusedUntouched(_ name: ServiceName, _ what: String) async throws {
        try await withDaybook(name) { daybook in
            try await daybook.stop(name)
            let path = "\(daybook.home)/\(name).db"
            var store = try #require(File.read(path))
            let said: String
            switch what {
            case "newer":
                // The user version, at offset 60 (SQLite file format, section 1.3).
                store.replaceSubrange(60..<64, with: [0, 0, 3, 0xE7])
                said = "has schema 999"
            case "none":
                store = Array(String(repeating: "Not a database. ", count: 1000).utf8)
                said = "is not a store of this service"
            case "headless":
                store.replaceSubrange(0..<100, with: repeatElement(0, count: 100))
                said = "is not a store of this service"
            case "cut":
                store.removeLast(store.count / 2)
                said = "is damaged"
            default:
                // The first page: what tables there are.
                store.replaceSubrange(100..<4096, with: repeatElement(0xFF, count: 3996))
                said = "is damaged"
            }
            try File.write(store, to: path)
            try await Self.expectFailure(of: try await daybook.launch(name), saying: [path, said])
            #expect(File.read(path) == store)
            let names = try await daybook.shell("ls '\(daybook.home)'").lines
            #expect(names.allSatisfy { !$0.contains(".before") && !$0.contains(".copy") }, "\(names)")
        }
    }

    /// What of the place is wrong, and what the sentence must name.
    @Test(
        .enabled(if: getuid() == 0 && File.exists("/usr/bin/setpriv"), "only root can become another user"),
        arguments: ["folder", "parent", "store", "file", "mount"]
    )
    func aPlaceThatCannotBeWrittenIsRefused(_ what: String) async throws {
        try await withDaybook { daybook in
            let user: UInt32 = 1000
            var words = ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
            let elsewhere = "\(daybook.folder)/elsewhere"
            for folder in [daybook.runtime, daybook.home, elsewhere] {
                guard mkdir(folder, 0o755) == 0, chown(folder, user, user) == 0 else { throw HarnessError("no folder") }
            }
            _ = chmod(daybook.folder, 0o755)
            try await daybook.start([.walks], variables: ["DAYBOOK_HOME": elsewhere], through: words)
            var home = daybook.home
            switch what {
            case "folder": _ = chown(home, 0, 0)
            case "parent":
                _ = chown(home, 0, 0)
                home += "/new"
            case "store":
                let store = "\(home)/catalog.db"
                let child = try await daybook.launch(.catalog)
                try await child.ready()
                child.signal(SIGTERM)
                _ = await child.ended()
                _ = chmod(store, 0o644)
                for lock in ["\(store).lock", "\(daybook.runtime)/catalog.requests.lock"] { unlink(lock) }
            case "mount":
                let script = "mount --bind -o ro \(home) \(home) && exec \"$@\""
                words = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh"] + words
            default:
                home += "/file"
                try File.write([1], to: home)
            }
            let start = ContinuousClock.now
            let child = try await daybook.launch(.catalog, ["DAYBOOK_HOME": home], through: words)
            try await Self.expectFailure(of: child, saying: what == "file" ? [home] : [daybook.home, "user 1000"])
            #expect(try #require(child.endedAt) - start < .promised(seconds: 5))
            // What a container is asked for its health, and the others.
            #expect(try await daybook.run("status", "catalog").code == 3)
            #expect(try await daybook.run("status", "walks").code == 0)
        }
    }

    /// The service must end by itself, with one sentence that holds these texts.
    private static func expectFailure(of child: ChildProcess, saying texts: [String]) async throws {
        let error = await #expect(throws: HarnessError.self) { try await child.ready() }
        let sentence = try #require(error).description
        for text in texts { #expect(sentence.contains(text), "\(sentence)") }
        #expect(!sentence.contains("\n"))
        #expect(await child.ended() == .exited(1))
    }
}

/// The ids that were answered `ok`, from any task.
private final class Acknowledged: Sendable {
    private let state = Mutex<Set<Identifier>>([])

    var ids: Set<Identifier> { state.withLock { $0 } }

    func insert(_ id: Identifier) { _ = state.withLock { $0.insert(id) } }
}
