import Client
import Glibc
import Messages
import Support
import ZeroMQ

/// What a change costs the service where one list has 1 and where it has 1,000 watchers, each a SUB socket with a
/// connection of its own in another process.
///
/// Each change must raise the list's number by one, and all watchers must get the same bytes: one diff, one encoding.
enum Watchers {
    static var benchmark: Benchmark {
        Benchmark(
            name: "watchers",
            title:
                "processor time of the service for one change, command, commit and events included; ratio to 1 watcher",
            rounds: 5,
            prepare: { scratch in
                var cases: [Case] = []
                for count in [1, 10, 100, 1000] {
                    let bench = try await Bench(scratch, count)
                    cases.append(Case(name: "\(count) watchers", measure: bench.measure))
                }
                return cases
            }
        )
    }

    private static let changes = 200

    private final class Bench {
        private let list: WatchedList
        private let reports: Socket
        private var poller = Poller()

        init(_ scratch: Scratch, _ count: Int) async throws {
            list = try await WatchedList(scratch, "watched-\(count)")
            reports = try Socket(Context(), .pull)
            let endpoint = try reports.bind(.ipc(path: "\(scratch.folder)/reports-\(count)"))
            _ = poller.add(reports, .receive)
            let arguments = [list.endpoints.events.description, list.topic, String(count), endpoint.description]
            _ = try await scratch.startPeer([WatchingPeer.word] + arguments)
        }

        func measure() throws -> [Figure] {
            let (loop, all) = (try Processor.loop(list.process), try Processor.all(list.process))
            var times: [UInt64] = []
            var number: Int64?
            for _ in 0..<Watchers.changes {
                let start = now()
                try list.asking.send(try list.change())
                _ = try list.asking.reply()
                let told = try report()
                times.append(now() - start)
                guard number == nil || told == number.map({ $0 + 1 }) else {
                    throw HarnessError("one change raised the list's number from \(number ?? 0) to \(told)")
                }
                number = told
            }
            func each(_ name: String, _ nanoseconds: UInt64) -> Figure {
                Figure(name, Double(nanoseconds) / Double(Watchers.changes) / 1000, "µs")
            }
            return [
                each("loop's thread", try Processor.loop(list.process) - loop),
                each("all threads", try Processor.all(list.process) - all),
            ] + Figure.times("command → last watcher", times)
        }

        /// The number of the batch that all watchers have.
        private func report() throws -> Int64 {
            while true {
                if let message = try reports.receive() {
                    return message.frames[0].withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
                }
                guard try poller.wait(timeout: .seconds(20)) > 0 else { throw HarnessError("a watcher got no batch") }
            }
        }
    }
}

/// Processor time of a process, in nanoseconds (`/proc/<pid>/task/<tid>/schedstat`).
enum Processor {
    /// Of the first thread, which is a service's loop.
    static func loop(_ process: pid_t) throws -> UInt64 { try time("/proc/\(process)/task/\(process)/schedstat") }

    static func all(_ process: pid_t) throws -> UInt64 {
        guard let folder = opendir("/proc/\(process)/task") else { throw HarnessError("no process \(process)") }
        defer { closedir(folder) }
        var sum: UInt64 = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if Int(name) != nil { sum += try time("/proc/\(process)/task/\(name)/schedstat") }
        }
        return sum
    }

    private static func time(_ path: String) throws -> UInt64 {
        guard let time = UInt64(File.text(path).prefix { $0 != " " }) else { throw HarnessError("can't read \(path)") }
        return time
    }
}
