import Client
import Synchronization

/// Many schedules, one seed after the other.
struct Campaign {
    var first: UInt64
    var schedules: Int
    var threads = 1
    /// Ends with so many failures.
    var mostFailures = 3

    struct Summary: Sendable {
        var schedules = 0
        var failures: [String] = []
        var steps = 0
        var commands = 0
        var acknowledged = 0
        var reads = 0
        var unknown = 0
        var kills = 0
        var putBacks = 0
        var resyncs = 0
        var batches = 0
        /// Of all traces.
        var hash: UInt64 = 0
    }

    /// Runs them on threads of its own, and waits for their end.
    ///
    /// - Parameter progress: told each thousand schedules.
    /// - Throws: where there is no thread.
    func run(progress: @escaping @Sendable (Int) -> Void = { _ in }) throws -> Summary {
        let shared = Shared(first: first, schedules: schedules, mostFailures: mostFailures)
        var running: [SocketThread] = []
        defer { for thread in running { thread.join() } }
        for _ in 0..<threads {
            running.append(
                try SocketThread {
                    let pool = StorePool()
                    while let seed = shared.next() {
                        let report = Schedule(seed: seed).run(pool)
                        let failure = report.failure == nil ? nil : report.description(pool)
                        let done = shared.add(report, failure)
                        if done % 1000 == 0 { progress(done) }
                    }
                }
            )
        }
        while let thread = running.popLast() { thread.join() }
        return shared.summary
    }

    /// What the threads share.
    private final class Shared: Sendable {
        private let state: Mutex<(next: Int, summary: Summary)>
        private let first: UInt64
        private let schedules: Int
        private let mostFailures: Int

        init(first: UInt64, schedules: Int, mostFailures: Int) {
            (self.first, self.schedules, self.mostFailures) = (first, schedules, mostFailures)
            state = Mutex((0, Summary()))
        }

        var summary: Summary { state.withLock(\.summary) }

        func next() -> UInt64? {
            state.withLock { state in
                guard state.next < schedules, state.summary.failures.count < mostFailures else { return nil }
                defer { state.next += 1 }
                return first + UInt64(state.next)
            }
        }

        func add(_ report: Schedule.Report, _ failure: String?) -> Int {
            state.withLock { state in
                state.summary.schedules += 1
                if let failure { state.summary.failures.append(failure) }
                let counts = report.counts
                state.summary.steps += counts.steps
                state.summary.commands += counts.commands
                state.summary.acknowledged += counts.acknowledged
                state.summary.reads += counts.reads
                state.summary.unknown += counts.unknown
                state.summary.kills += counts.kills
                state.summary.putBacks += counts.putBacks
                state.summary.resyncs += counts.resyncs
                state.summary.batches += counts.batches
                // Whatever thread comes first.
                state.summary.hash ^= report.hash
                return state.summary.schedules
            }
        }
    }
}

extension Campaign.Summary: CustomStringConvertible {
    var description: String {
        """
        \(schedules) schedules, \(steps) steps with faults: \(commands) commands (\(acknowledged) acknowledged, \(unknown) \
        without an answer), \(reads) reads, \(kills) kills, \(putBacks) stores put back, \(batches) lists and batches, \
        \(resyncs) resyncs; trace \(String(hash, radix: 16))
        """
    }
}
