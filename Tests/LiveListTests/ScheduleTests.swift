import CBOR
import LiveList
import Messages
import Testing

@Suite struct ScheduleTests {
    /// One list with all that follow it.
    private struct Followed {
        let query: SampleQuery
        var list: LiveList
        var shown: [Shown]
        var results: FetchedResults<EncodedCBOR>
        let table: UITableView

        init(_ query: SampleQuery, _ samples: [Sample]) throws {
            self.query = query
            list = LiveList(
                id: Identifier(high: 1, low: 1),
                window: query.window,
                positions: [:],
                rows: samples.filter(query.holds).map(query.row),
                nodeCapacity: 8
            )
            shown = query.fresh(samples)
            results = try FetchedResults(list.snapshot.reply(topic: "="))
            table = UITableView(query.sections(shown).map(\.rows))
        }

        /// Applies the changes and returns the rules that were broken.
        mutating func apply(_ changes: [(Identifier, Sample?)], _ samples: some Sequence<Sample>) -> [String] {
            let batch = list.apply(changes.map { query.change($0, $1) })
            let fresh = query.fresh(samples)
            var faults = BatchChecker.faults(batch, query, from: shown, to: fresh)
            shown = fresh
            let sections = query.sections(fresh)
            if list.sections != sections { faults.append("the list is not a fresh query") }
            if list.digest != plainDigest(sections) { faults.append("the list's digest is wrong") }
            if list.number != results.number + (batch == nil ? 0 : 1) { faults.append("the number is wrong") }
            guard let batch else { return faults }
            do {
                let encoded = try CBOREncoder().encode(batch)
                try results.apply(try CBORDecoder().decode(ListBatch.self, from: encoded))
            } catch {
                faults.append("\(error)")
            }
            table.dataSource = results.sections.map(\.rows)
            table.follow(batch)
            if let exception = table.exception { faults.append("a table view would trap: \(exception)") }
            if table.cells != sections.map(\.rows) { faults.append("a table view would show \(table.cells)") }
            let mirror = results.sections.map { ListSection(key: $0.key, rows: $0.rows) }
            if mirror != sections { faults.append("the mirror is not a fresh query") }
            if !results.isCurrent(list.state) { faults.append("the mirror is not current") }
            return faults
        }
    }

    private func query(_ random: inout Seeded) -> SampleQuery {
        var query = SampleQuery()
        query.isSectioned = Int.random(in: 0..<4, using: &random) > 0
        query.sectionsDescend = Bool.random(using: &random)
        query.ranksDescend = Bool.random(using: &random)
        query.showsRank = Int.random(in: 0..<3, using: &random) > 0
        query.remainder = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0..<3, using: &random) : nil
        if Bool.random(using: &random) {
            query.window = ListWindow(
                offset: Int.random(in: 0..<8, using: &random),
                limit: Int.random(in: 0..<6, using: &random) == 0 ? nil : Int.random(in: 0..<14, using: &random)
            )
        }
        return query
    }

    /// Changes of one transaction; ids may be named more than once, and may be unknown.
    private func changes(
        _ samples: inout [Identifier: Sample],
        ids: Int,
        groups: Int,
        _ random: inout Seeded
    ) -> [(Identifier, Sample?)] {
        let count = Int.random(in: 0..<6, using: &random) == 0 ? ids : Int.random(in: 1...5, using: &random)
        return (0..<count).map { _ in
            let number = Int.random(in: 0..<ids, using: &random)
            let id = Identifier(high: 7, low: UInt64(number))
            var sample = samples[id]
            switch Int.random(in: 0..<10, using: &random) {
            case 0...1: sample = nil
            case 2...3 where sample != nil: sample?.note = Int.random(in: 0..<9, using: &random)
            case 4...5 where sample != nil: sample?.rank += Int.random(in: -2...2, using: &random)
            default:
                sample = Sample(
                    number,
                    group: Int.random(in: 0..<groups, using: &random),
                    rank: Int.random(in: 0..<ids, using: &random),
                    note: Int.random(in: 0..<9, using: &random)
                )
            }
            samples[id] = sample
            return (id, sample)
        }
    }

    private func run(_ seed: UInt64) throws -> [String] {
        var random = Seeded(seed)
        let ids = Int.random(in: 1...(seed % 20 == 0 ? 60 : 16), using: &random)
        let groups = Int.random(in: 1...5, using: &random)
        var samples: [Identifier: Sample] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            _ = changes(&samples, ids: ids, groups: groups, &random)
        }
        var lists = try (0..<2).map { _ in try Followed(query(&random), Array(samples.values)) }
        for step in 1...Int.random(in: 2...4, using: &random) {
            let changes = changes(&samples, ids: ids, groups: groups, &random)
            for index in lists.indices {
                let faults = lists[index].apply(changes, samples.values)
                if !faults.isEmpty { return ["seed \(seed), step \(step), list \(index)"] + faults }
            }
        }
        return []
    }

    /// 10,000 schedules, each from its own seed; the seed of a failure is in its message.
    @Test(arguments: 0..<20)
    func everyBatchKeepsEveryRule(block: Int) throws {
        for seed in (block * 500)..<((block + 1) * 500) {
            let faults = try run(UInt64(seed))
            #expect(faults == [])
            if !faults.isEmpty { return }
        }
    }
}
