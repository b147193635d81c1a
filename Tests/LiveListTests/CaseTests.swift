import CBOR
import LiveList
import Messages
import Testing

@Suite struct CaseTests {
    private func list(_ query: SampleQuery, _ samples: [Sample]) -> LiveList {
        LiveList(
            id: Identifier(high: 1, low: 1),
            window: query.window,
            rows: samples.filter(query.holds).map(query.row)
        )
    }

    private func ids(_ list: LiveList) throws -> [[Int]] {
        try list.sections.map { section in
            try section.rows.map { row in
                guard case .array(let items) = try CBORValue(decoding: row.bytes), case .unsigned(let id) = items[0]
                else {
                    return -1
                }
                return Int(id)
            }
        }
    }

    private func keys(_ list: LiveList) -> [EncodedCBOR] { list.sections.map(\.key) }

    @Test func movesTheLastRowOutOfASectionThatVanishes() throws {
        let query = SampleQuery(isSectioned: true)
        let (a, b, c) = (Sample(1, group: 2, rank: 1), Sample(2, group: 1, rank: 2), Sample(3, group: 3, rank: 3))
        let d = Sample(4, group: 0, rank: 4)
        let moved = Sample(4, group: 1, rank: 4)
        var list = list(query, [a, b, c, d])
        #expect(try ids(list) == [[4], [2], [1], [3]])

        let batch = try required(list.apply([.put(query.row(moved))]))
        #expect(batch.sections == .init(delete: [0]))
        #expect(batch.move == [.init(from: ListPath(0, 0), to: ListPath(0, 1), row: query.shown(moved))])
        #expect(batch.delete == nil && batch.insert == nil && batch.update == nil)
        #expect(try ids(list) == [[2, 4], [1], [3]])
        #expect(keys(list) == [1, 2, 3].map { EncodedCBOR(trusted: Int64($0).encoded()) })

        let back = try required(list.apply([.put(query.row(d))]))
        #expect(back.sections == .init(insert: [.init(at: 0, key: EncodedCBOR(trusted: [0]))]))
        #expect(back.move == [.init(from: ListPath(0, 1), to: ListPath(0, 0), row: query.shown(d))])
        #expect(try ids(list) == [[4], [2], [1], [3]])
    }

    @Test func updatesInPlaceAndKeepsSilentAboutEqualValues() throws {
        let query = SampleQuery()
        var list = list(query, [Sample(1, rank: 1), Sample(2, rank: 2), Sample(3, rank: 3)])
        let changed = Sample(2, rank: 2, note: 5)
        let batch = try required(list.apply([.put(query.row(changed))]))
        let path = ListPath(0, 1)
        #expect(batch.update == [.init(from: path, to: path, row: query.shown(changed))])
        #expect(batch.move == nil && batch.delete == nil && batch.insert == nil && batch.sections == nil)
        let silence = list.apply([.put(query.row(changed))])
        #expect(silence == nil)
        #expect(list.number == 1)
    }

    @Test func deletesInsertsAndReplacesEverything() throws {
        let query = SampleQuery()
        let samples = (1...3).map { Sample($0, rank: $0) }
        var list = list(query, samples)

        let deletes = try required(list.apply(samples.map { .remove($0.id) }))
        #expect(deletes.delete == [ListPath(0, 0), ListPath(0, 1), ListPath(0, 2)])
        #expect(deletes.sections == .init(delete: [0]))
        #expect(deletes.digest == 0 && list.sections == [])

        let inserts = try required(list.apply(samples.map { .put(query.row($0)) }))
        #expect(inserts.insert?.map(\.to) == [ListPath(0, 0), ListPath(0, 1), ListPath(0, 2)])
        #expect(inserts.sections == .init(insert: [.init(at: 0, key: EncodedCBOR(trusted: [0xf6]))]))

        let updates = try required(
            list.apply(samples.map { .put(query.row(Sample(Int($0.id.low), rank: $0.rank, note: 9))) })
        )
        #expect(updates.update?.count == 3)
        #expect(updates.delete == nil && updates.insert == nil && updates.move == nil && updates.sections == nil)
    }

    @Test func isDeafToWhatTheFilterLeavesOut() {
        let query = SampleQuery(remainder: 1)
        var list = list(query, [Sample(1, rank: 1, note: 1), Sample(2, rank: 2, note: 2)])
        for rank in 0..<100 {
            let sample = Sample(2, rank: rank, note: 2)
            let silence = list.apply([query.change(sample.id, sample)])
            #expect(silence == nil)
        }
        #expect(list.number == 0)
        let batch = list.apply((3...5).map { query.change(Sample($0, rank: 1).id, Sample($0, rank: $0, note: 4)) })
        #expect(batch?.insert?.count == 3)
    }

    @Test func tellsTheEdgesOfAWindow() throws {
        let query = SampleQuery(window: ListWindow(offset: 1, limit: 2))
        var list = list(query, (1...5).map { Sample($0, rank: $0 * 10) })
        #expect(try ids(list) == [[2, 3]])
        // A row before the window pushes one out at its end and one in at its start.
        let batch = try required(list.apply([.put(query.row(Sample(9, rank: 5)))]))
        #expect(batch.delete == [ListPath(0, 1)])
        #expect(batch.insert == [.init(to: ListPath(0, 0), row: query.shown(Sample(1, rank: 10)))])
        #expect(try ids(list) == [[1, 2]])
        // Behind the window nothing is visible.
        let silence = list.apply([.remove(Sample(5, rank: 0).id)])
        #expect(silence == nil)
        #expect(list.count == 2 && list.totalCount == 5)
    }

    @Test func movesTheOneRowThatWentFarNotTheManyItPassed() throws {
        let query = SampleQuery()
        var list = list(query, (1...50).map { Sample($0, rank: $0) })
        let batch = try required(list.apply([.put(query.row(Sample(1, rank: 99)))]))
        #expect(batch.move?.map(\.from) == [ListPath(0, 0)] && batch.move?.map(\.to) == [ListPath(0, 49)])
        #expect(batch.update == nil)
    }

    @Test func keepsUnmovedTheRowThatLooksTheSame() throws {
        let query = SampleQuery(showsRank: false)
        var list = list(query, [Sample(1, rank: 1), Sample(2, rank: 2)])
        // Both are told to have changed, and change places; only the first looks different.
        let changed = Sample(1, rank: 4, note: 1)
        let batch = try required(list.apply([.put(query.row(changed)), .put(query.row(Sample(2, rank: 3)))]))
        #expect(batch.move == [.init(from: ListPath(0, 0), to: ListPath(0, 1), row: query.shown(changed))])
        #expect(batch.update == nil)
    }

    @Test func findsPathsAndKeepsSnapshotsApart() throws {
        let query = SampleQuery(isSectioned: true, window: ListWindow(offset: 1))
        var list = list(
            query,
            [Sample(1, group: 1, rank: 1), Sample(2, group: 1, rank: 2), Sample(3, group: 2, rank: 1)]
        )
        #expect(list.path(of: Sample(1, rank: 0).id) == nil)
        #expect(list.path(of: Sample(2, rank: 0).id) == ListPath(0, 0))
        #expect(list.path(of: Sample(3, rank: 0).id) == ListPath(1, 0))
        let snapshot = list.snapshot
        let sections = list.sections
        _ = try required(list.apply([.remove(Sample(3, rank: 0).id)]))
        #expect(snapshot.sections == sections && list.sections != sections)
        let position = Position(epoch: Identifier(high: 0, low: 1), sequence: 4)
        let silence = list.apply([], positions: ["orders": position])
        #expect(silence == nil)
        #expect(list.snapshot.positions == ["orders": position])
    }
}
