import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// What a network does: strangers at the port, and hosts that move.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct NetworkTests {
    /// Not a word of ZeroMQ, in any form: the service goes on, and keeps nothing of it.
    @Test(arguments: [true, false])
    func strangersAtThePortCostNothing(withKeys: Bool) async throws {
        try await withDaybook { daybook in
            let town = withKeys ? try await Town(daybook) : try Town(withoutKeys: daybook)
            try await town.start(.catalog)
            let anna = try town.client(withKeys ? "anna" : nil)
            _ = try await anna.send(Put(Customer(name: "Ada")))
            let process = try daybook.service(.catalog).process
            let before = Self.descriptors(of: process)
            var seeded = SeededGenerator(seed: 20)
            let noise = (0..<65_536).map { _ in UInt8.random(in: 0...255, using: &seeded) }
            let greeting: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F]
            for endpoint in [town.endpoints(.catalog).requests, town.endpoints(.catalog).events] {
                guard case .tcp(_, let port) = endpoint else { continue }
                for bytes in [
                    Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8), Array("asdfasdf\r\n".utf8), noise, greeting,
                ] {
                    Self.connect(port, sending: bytes)
                    let start = ContinuousClock.now
                    _ = try await anna.send(StatusRequest(), to: .catalog)
                    #expect(ContinuousClock.now - start < .promised(seconds: 1))
                }
                for _ in 0..<200 { Self.connect(port, sending: []) }
                _ = try await anna.send(StatusRequest(), to: .catalog)
            }
            let deadline = ContinuousClock.now + .seconds(30)
            while Self.descriptors(of: process) > before, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(Self.descriptors(of: process) <= before)
            #expect(try await anna.send(StatusRequest(), to: .catalog).value.process == process)
        }
    }

    private static func descriptors(of process: pid_t) -> Int {
        guard let folder = opendir("/proc/\(process)/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Connects, sends, and closes.
    private static func connect(_ port: UInt16, sending bytes: [UInt8]) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { return }
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// A name server that says nothing costs a service that needs it nothing of what doesn't, nor its stop any time.
    @Test(.enabled(if: getuid() == 0 && File.exists("/usr/bin/unshare"), "only root can give a process a name server"))
    func aSilentNameServerHoldsNothingUp() async throws {
        try await withDaybook { daybook in
            let silent = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            defer { close(silent) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(53).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.77.53")
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(silent, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(bound == 0)
            let resolver = "\(daybook.folder)/resolv.conf"
            try File.write(Array("nameserver 127.0.77.53\n".utf8), to: resolver)
            let script = "mount --bind '\(resolver)' /etc/resolv.conf && exec \"$@\""
            let words = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, "sh"]
            let names = ["CATALOG": "catalog.example", "ORDERS": "orders.example"]
            let variables = Dictionary(
                uniqueKeysWithValues: names.map { ("DAYBOOK_\($0)_ENDPOINT", "tcp://\($1):7401") }
            )
            try await daybook.start(
                [.walks],
                variables: ["DAYBOOK_CATALOG_ENDPOINT": "ipc://\(daybook.runtime)/nowhere.requests"]
            )
            try await daybook.start([.reporting], variables: variables, through: words)
            // Names are looked up all the time.
            var (states, times) = ([String](), [Duration]())
            while states != ["live", "unreachable", "unreachable"] || times.count < 20 {
                let start = ContinuousClock.now
                let status = try await daybook.client.send(StatusRequest(), to: .reporting).value
                times.append(ContinuousClock.now - start)
                states = status.sources.map(\.state.rawValue).sorted()
                try await Task.sleep(for: .milliseconds(100))
            }
            // On the thread that looks names up most of them would wait for a second and more.
            #expect(times.sorted()[times.count / 2] < .promised(seconds: 1))
            let service = try daybook.service(.reporting)
            let start = ContinuousClock.now
            service.signal(SIGTERM)
            #expect(await service.ended() == .exited(0))
            #expect(ContinuousClock.now - start < .promised(seconds: 3))
        }
    }

    /// A host that comes back under its name at another address is found within 10 s, by a program that goes on running, and
    /// by a service that follows it. One that comes late is found, too.
    @Test(.enabled(if: getuid() == 0 && File.exists("/usr/bin/unshare"), "only root can give a name another address"))
    func aHostThatMovesIsFoundByItsName() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            let hosts = "\(daybook.folder)/hosts"
            func place(_ address: String) throws { try File.write(Array("\(address) books.example\n".utf8), to: hosts) }
            try place("127.0.0.2")
            // The name means what the file says, for what is started so.
            func inTown(_ command: String) -> [String] {
                ["-m", "/bin/sh", "-c", "mount --bind \(hosts) /etc/hosts && exec \(command)"]
            }
            // Whoever needs catalog is there first.
            let orders = try await daybook.start(
                program: "/usr/bin/unshare",
                inTown("daybook-orders"),
                town.variables(host: "127.0.0.3", name: "books.example")
            )
            let events = "\(daybook.folder)/events"
            let follower = try await daybook.start(
                program: "/usr/bin/unshare",
                inTown("daybook events --follow --source catalog --from start --format jsonl > \(events)"),
                town.variables(name: "books.example").merging(["DAYBOOK_KEY": "anna"]) { $1 }
            )
            let client = try daybook.client(timeout: .seconds(5))
            for (number, address) in ["127.0.0.2", "127.0.0.4"].enumerated() {
                try place(address)
                try await daybook.start([.catalog], variables: town.variables(host: address))
                let start = ContinuousClock.now
                let customer = try await client.send(Put(Customer(name: "At \(address)"))).value
                while !File.text(events).contains("\"catalog:\(number + 1)\""),
                    ContinuousClock.now - start < .seconds(60)
                {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(ContinuousClock.now - start < .promised(seconds: 10))
                while ContinuousClock.now - start < .seconds(60) {
                    if (try? await client.send(Put(Order.of(customer, 100)), timeout: .seconds(1))) != nil { break }
                }
                #expect(ContinuousClock.now - start < .promised(seconds: 10))
                try await daybook.kill(.catalog)
                // Meanwhile it is said at once.
                let refusal = try await client.refusal(
                    of: Put(Order.of(Customer(name: "Nobody"), 100)),
                    timeout: .seconds(4)
                )
                #expect(refusal.status == .unavailable)
            }
            for child in [orders, follower] { child.signal(SIGTERM) }
        }
    }
}
