import Glibc
import Support
import Testing

@testable import Simulation

/// Services and clients in a simulated world: every promise in every schedule, and each failure again by its seed.
struct ScheduleTests {
    private static let isLong = Environment["DAYBOOK_LONG"] != nil

    @Test func promisesAreKeptInEverySchedule() async throws {
        let campaign = Campaign(first: 1, schedules: Self.isLong ? 100_000 : 400, threads: Self.isLong ? 2 : 1)
        let summary = try await DedicatedThread.run { try campaign.run() }
        print(summary)
        for failure in summary.failures { Issue.record("\(failure)") }
        #expect(summary.failures.isEmpty)
        // What never happened was not tried.
        #expect(summary.acknowledged > summary.schedules)
        #expect(summary.kills > 0)
        #expect(summary.putBacks > 0)
        #expect(summary.resyncs > 0)
        #expect(summary.unknown > 0)
        #expect(summary.batches > summary.schedules)
    }

    /// Nothing depends on the order of a hash table or on where something lies in memory: both differ in each process.
    @Test func aSeedGivesTheSameTraceInAnotherProcess() async throws {
        let pool = StorePool()
        for seed in UInt64(1)...5 {
            let hash = String(Schedule(seed: seed).run(pool).hash, radix: 16)
            let printed = try await Self.printed("--seed", "\(seed)")
            #expect(printed.contains("trace \(hash), "), "seed \(seed): \(hash) here, \(printed) there")
        }
    }

    @Test func aSeedGivesTheSameTraceAmongOthers() {
        let pool = StorePool()
        let alone = Schedule(seed: 7).run(StorePool()).hash
        for seed in UInt64(1)...20 { _ = Schedule(seed: seed).run(pool) }
        #expect(Schedule(seed: 7).run(pool).hash == alone)
    }

    /// What the program prints.
    private static func printed(_ arguments: String...) async throws -> String {
        var template = Array("/tmp/daybook-simulation-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            unlink("\(folder)/output")
            rmdir(folder)
        }
        var launch = ChildProcess.Launch(program: "\(Environment.programs)/Simulation")
        launch.arguments = arguments.map { Array($0.utf8) }
        launch.output = "\(folder)/output"
        let ending = await (try await ChildProcess.start(launch)).ended()
        try #require(ending == .exited(0))
        return File.text("\(folder)/output")
    }
}
