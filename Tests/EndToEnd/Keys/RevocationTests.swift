import CBOR
import Client
import Glibc
import LiveList
import Messages
import Support
import Synchronization
import Testing
import ZeroMQ

/// What becomes of connections that stand when keys are taken away or changed.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RevocationTests {
    @Test func aRevokedKeyIsRefusedOverItsOpenConnection() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog, .orders, .reporting, .walks)
            let anna = try town.client("anna")
            _ = try await anna.send(Put(Customer(name: "Ada")))
            try await RawSocket.connected(to: town.endpoints(.catalog).requests, curve: try town.curve("anna")) {
                socket in
                let list = try RawSocket.frames(List<Customer>())
                #expect(try socket.ask(list)?.header.status == .ok)
                let revoked = try Self.waiting { try await town.keys("revoke", "anna") }
                #expect(revoked.text.contains("in force at catalog, orders, reporting, walks."))
                // The same connection, not another one: this socket would not be let in any more.
                let reply = try #require(try socket.ask(list))
                #expect(reply.header.status == .notAllowed)
                #expect(
                    try CBORDecoder().decode(ErrorBody.self, from: reply.body).message.contains("no longer allowed")
                )
                let put = try RawSocket.frames(Put(Customer(name: "Eve")))
                #expect(try socket.ask(put)?.header.status == .notAllowed)
            }
            #expect(try await anna.refusal(of: Put(Customer(name: "Eve"))).status == .notAllowed)
            #expect(try await daybook.client.all(Customer.self).map(\.name) == ["Ada"])
            try await town.keys("new", "anna", "--role", "writer", code: 1)
            let listed = try await town.keys("list", "--format", "csv", "--fields", "name,role,state")
            #expect(listed.lines.contains("anna,writer,revoked"))
        }
    }

    /// Runs async work from a thread that may block.
    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let done = try WakeUp()
        Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.signal()
        }
        var poller = Poller()
        _ = poller.add(fileDescriptor: done.fileDescriptor, .receive)
        try poller.wait(timeout: nil)
        let outcome = result.withLock { $0 }
        return try #require(outcome).get()
    }

    /// Two programs that follow the events, and one that only listens to what is published; one key is revoked amid writes.
    @Test func aRevokedSubscriberHearsNothingMoreAndTheOtherMissesNothing() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook, ["anna": "reader", "rita": "reader", "otto": "writer"])
            try await town.start(.catalog, .orders, .reporting, .walks)
            let files = ["anna", "rita"].map { "\(daybook.folder)/\($0).events" }
            var programs: [ChildProcess] = []
            for (name, file) in zip(["anna", "rita"], files) {
                let words = "exec daybook events --follow --source catalog --from start --format jsonl > \(file)"
                programs.append(try await daybook.start(program: "/bin/sh", ["-c", words], town.reach(name)))
            }
            let isDone = Flag()
            let curve = try town.curve("rita")
            async let heard = RawSocket.connected(to: town.endpoints(.catalog).events, .sub, curve: curve) { socket in
                try socket.subscribe(Topic.events(.catalog))
                var last: Int64 = 0
                while !isDone.isSet {
                    guard let message = try socket.receive(within: .milliseconds(200)), message.count == 3 else {
                        continue
                    }
                    last = try CBORDecoder().decode(EventsHeader.self, from: message[1]).through
                }
                return last
            }
            let otto = try town.client("otto")
            @Sendable func write(_ count: Int) async throws {
                for number in 0..<count { _ = try await otto.send(Put(Customer(name: "Customer \(number)"))) }
            }
            try await write(50)
            // Both are there before one has to go.
            while !files.allSatisfy({ File.text($0).contains("\"catalog:50\"") }) { try await write(1) }
            async let writing: Void = write(300)
            try await town.keys("revoke", "rita")
            // What was published up to here, it may have heard.
            let limit = try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence
            try await writing
            try await write(20)
            let last = try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence
            #expect(last > limit)
            while !File.text(files[0]).contains("\"catalog:\(last)\"") { try await Task.sleep(for: .milliseconds(20)) }
            isDone.set()
            #expect(try await heard <= limit)
            #expect(await programs[1].ended() == .exited(1))
            #expect(File.text(programs[1].launch.error).contains("'rita'"))
            #expect(Self.numbers(files[0]) == Array(1...last))
            let ritas = Self.numbers(files[1])
            #expect(ritas == Array(1...Int64(ritas.count)) && Int64(ritas.count) <= limit)
            programs[0].signal(SIGTERM)
        }
    }

    /// The numbers of the events in a file of JSON lines.
    private static func numbers(_ file: String) -> [Int64] {
        File.text(file).split(separator: "\n").compactMap { line in
            line.split(separator: "\"catalog:").dropFirst().first?.split(separator: "\"").first.flatMap { Int64($0) }
        }
    }

    /// Watchers of one list on this machine and elsewhere: neither the end of one nor the revocation of another's key takes
    /// it from the rest.
    @Test func aListIsWatchedOnOverARevocation() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog, .orders, .reporting, .walks)
            let query = ListQuery(.entity(Customer.entity))
            var local: Watcher<Customer>? = try await Watcher(daybook.client, query, of: .catalog)
            var anna = try await Watcher<Customer>(try town.client("anna"), query, of: .catalog)
            var rita = try await Watcher<Customer>(try town.client("rita"), query, of: .catalog)
            _ = try await daybook.client.send(Put(Customer(name: "Ada")))
            try await anna.follow { $0.count == 1 }
            try await rita.follow { $0.count == 1 }
            try await local?.follow { $0.count == 1 }
            local = nil
            try await town.keys("revoke", "rita")
            _ = try await daybook.client.send(Put(Customer(name: "Berta")))
            try await anna.follow { $0.count == 2 }
            // Whoever has to open it anew is told why not.
            do {
                while true { try await rita.step() }
            } catch ClientError.refused(.catalog, .notAllowed, _) {
                #expect(rita.rows.map(\.name) == ["Ada"])
            }
        }
    }

    /// The services' own keys change under load: each command is done, once, and the services find each other again.
    @Test func noRequestIsLostWhenAServiceGetsAnotherKey() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog, .orders, .reporting, .walks)
            let isDone = Flag()
            let events = "\(daybook.folder)/events"
            let follower = try await daybook.start(
                program: "/bin/sh",
                ["-c", "exec daybook events --follow --source catalog --from start --format jsonl > \(events)"],
                town.reach("rita")
            )
            let stored = try await withThrowingTaskGroup(of: Int.self) { group in
                for worker in 0..<4 {
                    let client = try town.client("anna", timeout: .seconds(30))
                    group.addTask {
                        var count = 0
                        while !isDone.isSet {
                            let customer = try await client.send(Put(Customer(name: "Worker \(worker)"))).value
                            _ = try await client.send(Put(Order.of(customer, 100)))
                            count += 1
                        }
                        return count
                    }
                }
                for service in ["catalog", "orders", "catalog"] {
                    try await town.keys("rotate", service)
                    // Under each key something is done, over TCP on both ways.
                    let client = try town.client("anna", timeout: .seconds(30))
                    let customer = try await client.send(Put(Customer(name: "Between"))).value
                    _ = try await client.send(Put(Order.of(customer, 1)))
                }
                isDone.set()
                return try await group.reduce(0, +) + 3
            }
            #expect(stored > 3)
            #expect(try await daybook.client.all(Customer.self).count == stored)
            #expect(try await daybook.client.all(Order.self).count == stored)
            let sequence = try await daybook.client.send(StatusRequest(), to: .orders).value.sequence
            #expect(sequence == Int64(stored))
            while !File.text(events).contains("\"catalog:\(stored)\"") { try await Task.sleep(for: .milliseconds(20)) }
            #expect(Self.numbers(events) == Array(1...Int64(stored)))
            follower.signal(SIGTERM)
            // A person's key, too: with the new one it goes on, and the one before is no good.
            let anna = try town.client("anna")
            _ = try await anna.send(StatusRequest(), to: .catalog)
            let before = try town.curve("anna")
            try await town.keys("rotate", "anna")
            _ = try await town.client("anna").send(Put(Customer(name: "Anew")))
            let turnedAway = try await RawSocket.connected(to: town.endpoints(.catalog).requests, curve: before) {
                socket in
                try? socket.ask(RawSocket.frames(StatusRequest()))
            }
            #expect(turnedAway == nil)
        }
    }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}
