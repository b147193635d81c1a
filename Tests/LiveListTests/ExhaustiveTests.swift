import LiveList
import Messages
import Testing

/// Small lists in all their forms: what fails here fails smallest.
@Suite struct ExhaustiveTests {
    /// All the ways in which one row of `samples` can change, a new row among them.
    private func changes(_ samples: [Sample], groups: Int) -> [(Identifier, Sample?)] {
        let places = (0...(2 * samples.count)).map { $0 - 1 }
        return (0...samples.count).flatMap { number -> [(Identifier, Sample?)] in
            let id = Sample(number, rank: 0).id
            return [(id, nil)]
                + places.flatMap { rank in
                    (0..<groups).flatMap { group in
                        (0..<2).map { (id, Sample(number, group: group, rank: rank, note: $0)) }
                    }
                }
        }
    }

    private func check(_ query: SampleQuery, _ samples: [Sample], _ changes: [(Identifier, Sample?)]) -> [String] {
        var list = LiveList(
            id: Identifier(high: 1, low: 1),
            window: query.window,
            rows: samples.filter(query.holds).map(query.row)
        )
        var after = Dictionary(uniqueKeysWithValues: samples.map { ($0.id, $0) })
        for (id, sample) in changes { after[id] = sample }
        let batch = list.apply(changes.map { query.change($0, $1) })
        let (old, new) = (query.fresh(samples), query.fresh(after.values))
        var faults = BatchChecker.faults(batch, query, from: old, to: new)
        if list.sections != query.sections(new) { faults.append("the list is not a fresh query") }
        return faults.isEmpty ? [] : ["\(query), \(samples), \(changes)"] + faults
    }

    private let queries = [
        SampleQuery(),
        SampleQuery(isSectioned: true),
        SampleQuery(isSectioned: true, sectionsDescend: true, window: ListWindow(offset: 1, limit: 2)),
        SampleQuery(ranksDescend: true, showsRank: false, window: ListWindow(offset: 0, limit: 2)),
    ]

    @Test(arguments: 0..<4, 0...5)
    func everySingleChangeOfASmallList(query: Int, count: Int) {
        let query = queries[query]
        let samples = (0..<count).map { Sample($0, group: $0 * 2 / max(count, 1), rank: $0 * 2) }
        for change in changes(samples, groups: query.isSectioned ? 3 : 1) {
            let faults = check(query, samples, [change])
            #expect(faults == [])
            if !faults.isEmpty { return }
        }
    }

    @Test(arguments: 0..<4, 0...2)
    func everyPairOfChangesOfASmallerList(query: Int, count: Int) {
        let query = queries[query]
        let samples = (0..<count).map { Sample($0, group: $0, rank: $0 * 2) }
        let changes = changes(samples, groups: query.isSectioned ? 2 : 1)
        for first in changes {
            for second in changes where first.0 < second.0 {
                let faults = check(query, samples, [first, second])
                #expect(faults == [])
                if !faults.isEmpty { return }
            }
        }
    }

    /// Any one to five rows take any order among themselves, with and without a third that stays.
    @Test(arguments: 0..<4, 1...5)
    func everyPermutation(query: Int, count: Int) {
        let query = queries[query]
        let samples = (0..<count).map { Sample($0, group: $0 / 2, rank: $0 * 2) }
        for order in permutations(Array(0..<count)) {
            for noted in [0, 0b01010, 0b11111] {
                let changes = (0..<count).map { place -> (Identifier, Sample?) in
                    let note = noted >> place & 1
                    return (
                        samples[place].id, Sample(place, group: order[place] / 2, rank: order[place] * 2, note: note)
                    )
                }
                let faults = check(query, samples + [Sample(9, group: 1, rank: 3)], changes)
                #expect(faults == [])
                if !faults.isEmpty { return }
            }
        }
    }

    private func permutations(_ values: [Int]) -> [[Int]] {
        guard !values.isEmpty else { return [[]] }
        return values.flatMap { first in permutations(values.filter { $0 != first }).map { [first] + $0 } }
    }
}
