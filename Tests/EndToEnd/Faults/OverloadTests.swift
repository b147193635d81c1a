import Client
import Messages
import Support
import Testing

/// Far more is asked for than can be done.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct OverloadTests {
    private static let connections = 8
    /// Together ten times as many as may wait.
    private static let requests = 2560

    /// What one connection's requests were answered.
    private struct Answers {
        var ok: [UInt64] = []
        var unavailable: [UInt64] = []
        var timedOut: [UInt64] = []
        var count: Int { ok.count + unavailable.count + timedOut.count }
    }

    @Test func whatIsTooMuchIsRefusedAtOnceInOrderAndWithoutATrace() async throws {
        try await withDaybook { daybook in
            // A sync takes so long that what comes meanwhile has to wait.
            try await daybook.start([.catalog], variables: ["DAYBOOK_DISK": "slow=50000"])
            let process = try daybook.service(.catalog).process
            _ = try await daybook.client.send(Put(Customer(name: "before")))
            let before = try #require(Self.memory(process, "VmRSS"))
            let all = try await withThrowingTaskGroup(of: (Int, Answers).self) { group in
                for connection in 0..<Self.connections {
                    group.addTask { (connection, try await Self.flood(daybook, connection)) }
                }
                // Whoever asks how it is has an answer meanwhile.
                for _ in 0..<5 { _ = try await daybook.client.send(StatusRequest(), to: .catalog) }
                var all: [(Int, Answers)] = []
                for try await answers in group { all.append(answers) }
                return all
            }
            let after = try #require(Self.memory(process, "VmHWM"))
            let stored = all.reduce(0) { $0 + $1.1.ok.count }
            let refused = all.reduce(0) { $0 + $1.1.unavailable.count }
            print(
                "of \(Self.connections * Self.requests): \(stored) done, \(refused) refused; \(after - before) kB more"
            )
            for (_, answers) in all {
                #expect(answers.count == Self.requests)
                #expect(answers.ok == answers.ok.sorted() && answers.unavailable == answers.unavailable.sorted())
            }
            // Who has no time for the whole queue is told when its turn comes, and it is not done.
            for (connection, answers) in all where connection % 2 == 0 { #expect(answers.timedOut.isEmpty) }
            #expect(all.contains { !$0.1.timedOut.isEmpty })
            // Something was done, and more was not.
            #expect(stored >= 1024 && refused > 2048)
            // The queue of small requests and what their events take; not what was asked for altogether.
            #expect(after - before < 48 * 1024)
            // And it goes on as if nothing had been, with nothing of what was refused.
            _ = try await daybook.client.send(Put(Customer(name: "after")))
            #expect(try await daybook.client.all(Customer.self).count == stored + 2)
            let found = try await daybook.client.send(VerifyLog(), to: .catalog).value
            #expect(found.differences == 0 && found.events == Int64(stored + 2), "\(found.examples)")
        }
    }

    /// Sends without waiting for replies, and takes them as they come. Every second connection is in a hurry.
    private static func flood(_ daybook: Daybook, _ connection: Int) async throws -> Answers {
        try await RawSocket.connected(to: daybook.endpoints(.catalog).requests) { socket in
            var answers = Answers()
            func take(_ limit: Duration) throws -> Bool {
                guard let (header, _) = try socket.reply(within: limit) else { return false }
                switch header.status {
                case .ok: answers.ok.append(header.id)
                case .unavailable:
                    answers.unavailable.append(header.id)
                    #expect((100...5000).contains(header.retryAfter ?? 0))
                case .timedOut: answers.timedOut.append(header.id)
                default: throw HarnessError("answered with \(header.status)")
                }
                return true
            }
            for number in 1...UInt64(requests) {
                let customer = Customer(name: "\(connection)/\(number)")
                let timeout = connection % 2 == 0 ? 60_000 : 200
                try socket.send(RawSocket.frames(Put(customer), id: number, timeout: timeout))
                while try take(.zero) {}
            }
            while answers.count < requests, try take(.seconds(60)) {}
            return answers
        }
    }

    /// A line of /proc/<process>/status (proc(5)), in kB.
    private static func memory(_ process: Int32, _ name: String) -> Int? {
        let line = File.text("/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
}
