/// One run of the world, told apart by its seed.
struct Schedule {
    var seed: UInt64
    /// How many steps with faults; nil: as many as the seed says.
    var steps: Int?

    struct Report {
        var schedule: Schedule
        /// Of everything that happened: equal for each run of the same schedule.
        var hash: UInt64
        var counts: World.Counts
        /// What promise was not kept; nil where all were.
        var failure: String?
        /// What happened, where it was asked for.
        var lines: [String]
    }

    func run(_ pool: StorePool, keepsTrace: Bool = false) -> Report {
        do {
            let world = try World(seed: seed, pool, keepsTrace: keepsTrace)
            defer { world.end() }
            var failure: String?
            do {
                try world.run(steps: steps ?? world.plan.steps)
            } catch {
                failure = "\(error)"
            }
            return Report(
                schedule: self,
                hash: world.trace.hash,
                counts: world.count,
                failure: failure,
                lines: world.trace.lines
            )
        } catch {
            return Report(schedule: self, hash: 0, counts: World.Counts(), failure: "\(error)", lines: [])
        }
    }

    /// A schedule of fewer steps that fails as well, found by halving.
    ///
    /// - Parameter report: of a run that failed.
    func shortened(_ report: Report, _ pool: StorePool) -> Schedule {
        var shortest = Schedule(seed: seed, steps: report.counts.steps)
        guard shortest.run(pool).failure != nil else { return self }
        var (low, high) = (0, report.counts.steps)
        while low < high {
            let middle = (low + high) / 2
            if Schedule(seed: seed, steps: middle).run(pool).failure != nil { high = middle } else { low = middle + 1 }
        }
        if Schedule(seed: seed, steps: high).run(pool).failure != nil { shortest.steps = high }
        return shortest
    }
}

extension Schedule.Report {
    /// What somebody needs who looks for the cause.
    func description(_ pool: StorePool) -> String {
        let shortest = schedule.shortened(self, pool)
        let again = shortest.run(pool, keepsTrace: true)
        var text = "seed \(schedule.seed): \(failure ?? "nothing failed")\n"
        text += "the last of what happened in \(shortest.steps ?? 0) steps:\n"
        for line in again.lines.suffix(60) { text += "  \(line)\n" }
        text += "\(again.failure ?? "it did not fail again")\n"
        return text + "again: swift run Simulation --seed \(schedule.seed) --steps \(shortest.steps ?? 0)\n"
    }
}
