import Client
import Glibc
import Messages
import Support
import Testing

/// Machines of their own, in network namespaces: what is not there says nothing, where at loopback the kernel refuses for it.
@Suite(
    .serialized,
    .timeLimit(.minutes(5)),
    .enabled(
        if: getuid() == 0 && File.exists("/usr/bin/nsenter")
            && (File.exists("/usr/sbin/ip") || File.exists("/sbin/ip")),
        "only root can make networks, with ip(8)"
    )
)
struct SilentHostTests {
    /// Whoever needs Catalog is there first. Its host vanishes without a word, and it comes back under its name elsewhere: each
    /// time all is well by itself within 10 s, and until then it is said in time that it isn't.
    @Test func aHostThatVanishesIsFoundWhereItComesBack() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            let network = try await Network(daybook)
            try network.place(0)
            var variables = town.variables(host: "*", name: "books.example")
            variables["DAYBOOK_KEY"] = "anna"
            try await daybook.start([.orders], variables: variables, through: network.home)
            let events = "\(daybook.folder)/events"
            let script = "exec daybook events --follow --source catalog --from start --format jsonl > \(events)"
            _ = try await daybook.start(
                program: network.home[0],
                network.home.dropFirst() + ["/bin/sh", "-c", script],
                variables
            )
            try await Task.sleep(for: Environment["DAYBOOK_LONG"] == nil ? .seconds(3) : .seconds(20))
            let client = try daybook.client(timeout: .seconds(5))
            for number in 0..<3 {
                try network.place(number % 2)
                try await daybook.start([.catalog], variables: variables, through: network.away[number % 2])
                let start = ContinuousClock.now
                let customer = try await client.send(Put(Customer(name: "At \(number)"))).value
                var isOrdered = false
                while !isOrdered || !File.text(events).contains("\"catalog:\(number + 1)\"") {
                    guard ContinuousClock.now - start < .seconds(30) else { break }
                    if !isOrdered {
                        isOrdered = (try? await client.send(Put(Order.of(customer, 100)), timeout: .seconds(1))) != nil
                    }
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(
                    isOrdered && ContinuousClock.now - start < .seconds(10),
                    "\(number): \(ContinuousClock.now - start)"
                )
                let listed = try await network.command("customers", "list", "--quiet", variables: variables)
                #expect(listed.code == 0 && listed.lines.count == number + 1, "\(listed.error)")

                // No packet leaves it any more, not even the one that ends a connection.
                try await network.cut(number % 2)
                try await daybook.kill(.catalog)
                let refusal = try await client.refusal(
                    of: Put(Order.of(Customer(name: "Nobody"), 100)),
                    timeout: .seconds(4)
                )
                #expect(refusal.status == .unavailable)
                let asked = ContinuousClock.now
                let command = try await network.command("--timeout", "2", "customers", "list", variables: variables)
                #expect(ContinuousClock.now - asked < .promised(seconds: 4))
                #expect(command.code == 3 && command.error.contains("tcp://books.example"), "\(command.error)")
                try await network.mend(number % 2)
            }
        }
    }

    /// A home with whoever asks, and two machines that it is connected with, of which one is `books.example`.
    private struct Network {
        private let daybook: Daybook
        private let hosts: String
        /// What starts a program at home, and on each of the machines.
        let home: [String]
        let away: [[String]]

        init(_ daybook: Daybook) async throws {
            self.daybook = daybook
            hosts = "\(daybook.folder)/hosts"
            try File.write([], to: hosts)
            var holders: [pid_t] = []
            for number in 0..<3 {
                let ready = "\(daybook.folder)/network-\(number)"
                let script =
                    "mount --bind '\(hosts)' /etc/hosts && ip link set lo up && : > '\(ready)' && exec sleep infinity"
                let arguments = ["--net", "--mount", "/bin/sh", "-c", "PATH=/usr/sbin:/sbin:$PATH; \(script)"]
                let holder = try await daybook.start(program: "/usr/bin/unshare", arguments)
                let deadline = ContinuousClock.now + .seconds(30)
                while !File.exists(ready) {
                    guard holder.endedAt == nil, ContinuousClock.now < deadline else {
                        throw HarnessError("no network: \(File.text(holder.launch.error))")
                    }
                    try await Task.sleep(for: .milliseconds(10))
                }
                holders.append(holder.process)
            }
            let words = holders.map {
                ["/usr/bin/nsenter", "--net=/proc/\($0)/ns/net", "--mount=/proc/\($0)/ns/mnt", "--"]
            }
            home = words[0]
            away = Array(words.dropFirst())
            for number in 0..<2 {
                let (near, far) = ("near\(number)", holders[number + 1])
                try await shell("ip link add \(near) type veth peer name far netns \(far)", home)
                try await shell("ip addr add 10.99.\(number).1/24 dev \(near) && ip link set \(near) up", home)
                try await shell("ip addr add 10.99.\(number).2/24 dev far && ip link set far up", away[number])
            }
        }

        private func shell(_ command: String, _ words: [String]) async throws {
            let line = (words + ["/bin/sh", "-c", "'PATH=/usr/sbin:/sbin:$PATH; \(command)'"]).joined(separator: " ")
            let output = try await daybook.shell(line)
            guard output.code == 0 else { throw HarnessError("\(command): \(output.error)") }
        }

        /// Gives the name the address of one of the machines.
        func place(_ number: Int) throws { try File.write(Array("10.99.\(number).2 books.example\n".utf8), to: hosts) }

        func cut(_ number: Int) async throws { try await shell("ip link set far down", away[number]) }

        func mend(_ number: Int) async throws { try await shell("ip link set far up", away[number]) }

        /// The command, run at home.
        func command(_ arguments: String..., variables: [String: String]) async throws -> Daybook.Output {
            let line = (home + ["daybook"] + arguments).joined(separator: " ")
            return try await daybook.shell(line, variables: variables)
        }
    }
}
