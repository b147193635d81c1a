import Glibc

/// Runs services and clients in a simulated world. `Tests/Simulation/README.md` says what is checked.
@main
struct Main {
    private static let usage = """
        Usage: swift run -c release Simulation [--schedules N] [--first SEED] [--threads N] [--failures N]
               swift run Simulation --seed SEED [--steps N] [--trace]

          --schedules N   so many seeds, one after the other; 10,000 without it
          --first SEED    the first of them; 1 without it
          --threads N     how many at a time; 1 without it
          --failures N    ends with so many; 3 without it
          --seed SEED     this one alone: prints the hash of its trace, and what happened if it fails
          --steps N       with so many steps, instead of the seed's own number
          --trace         prints all that happens

        Exits 1 where a promise was not kept.
        """

    static func main() throws {
        var numbers: [String: UInt64] = [:]
        var isTraced = false
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            if name == "--trace" {
                isTraced = true
            } else if ["--schedules", "--first", "--threads", "--failures", "--seed", "--steps"].contains(name),
                let number = rest.popFirst().flatMap({ UInt64($0) })
            {
                numbers[name] = number
            } else {
                print(usage)
                exit(["-h", "--help"].contains(name) ? 0 : 2)
            }
        }
        if let seed = numbers["--seed"] {
            exit(run(Schedule(seed: seed, steps: numbers["--steps"].map { Int($0) }), isTraced: isTraced) ? 0 : 1)
        }
        let campaign = Campaign(
            first: numbers["--first"] ?? 1,
            schedules: Int(numbers["--schedules"] ?? 10_000),
            threads: max(1, Int(numbers["--threads"] ?? 1)),
            mostFailures: Int(numbers["--failures"] ?? 3)
        )
        let start = ContinuousClock.now
        let summary = try campaign.run { done in
            let seconds = (ContinuousClock.now - start).components.seconds
            print("\(done) schedules in \(seconds) s")
            fflush(nil)
        }
        for failure in summary.failures { print(failure) }
        print(summary)
        exit(summary.failures.isEmpty ? 0 : 1)
    }

    private static func run(_ schedule: Schedule, isTraced: Bool) -> Bool {
        let pool = StorePool()
        let report = schedule.run(pool, keepsTrace: isTraced)
        for line in report.lines { print(line) }
        if report.failure != nil { print(report.description(pool)) }
        print("trace \(String(report.hash, radix: 16)), \(report.counts.steps) steps")
        return report.failure == nil
    }
}
