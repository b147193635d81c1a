import CBOR
import LiveList
import Messages
import Testing

@Suite struct FetchedResultsTests {
    private let query = SampleQuery(isSectioned: true)
    private let samples = [Sample(1, group: 1, rank: 1), Sample(2, group: 1, rank: 2), Sample(3, group: 2, rank: 1)]

    private func pair() throws -> (LiveList, FetchedResults<EncodedCBOR>) {
        let list = LiveList(id: Identifier(high: 1, low: 1), rows: samples.map(query.row))
        return (list, try FetchedResults(list.snapshot.reply(topic: "=")))
    }

    @Test func followsAndPassesOverWhatItHas() throws {
        var (list, results) = try pair()
        #expect(results.isCurrent(list.state) && results.count == 3)
        let batch = try required(list.apply([.remove(samples[2].id)]))
        #expect(!results.isCurrent(list.state))
        let isNew = try results.apply(batch)
        #expect(isNew)
        #expect(results.isCurrent(list.state) && results.sections.count == 1)
        let isNewAgain = try results.apply(batch)
        #expect(!isNewAgain)
        #expect(results[ListPath(0, 1)] == query.shown(samples[1]))
        #expect(results[ListPath(0, 2)] == nil && results[ListPath(1, 0)] == nil)
    }

    @Test func takesWhateverFollowingGivesOut() throws {
        var (list, results) = (try pair().0, FetchedResults<EncodedCBOR>())
        let batch = try required(list.apply([.remove(samples[0].id)]))
        #expect(results.rows.isEmpty && results.list == nil)
        #expect(throws: ListError.otherList) { try results.apply(.batch(batch)) }
        try results.apply(.snapshot(try pair().0.snapshot.reply(topic: "=")))
        #expect(results.rows == samples.map(query.shown))
        try results.apply(.batch(batch))
        try results.apply(.resync("restart"))
        #expect(results.isCurrent(list.state) && results.rows == samples.dropFirst().map(query.shown))
        #expect(results.firstPath { $0 == query.shown(samples[2]) } == ListPath(1, 0))
        #expect(results.firstPath { $0 == query.shown(samples[0]) } == nil)
    }

    @Test func readsRowsAsValues() throws {
        let list = LiveList(id: Identifier(high: 1, low: 1), rows: samples.map(query.row))
        let results = try FetchedResults<[Int]>(list.snapshot.reply(topic: "="))
        #expect(results.sections.map(\.rows) == [[[1, 1, 0], [2, 2, 0]], [[3, 1, 0]]])
        #expect(throws: ListError.self) { try FetchedResults<String>(list.snapshot.reply(topic: "=")) }
    }

    @Test func refusesAHoleAnotherListAndAReset() throws {
        var (list, results) = try pair()
        let first = try required(list.apply([.remove(samples[0].id)]))
        let second = try required(list.apply([.remove(samples[1].id)]))
        #expect(throws: ListError.hole(expected: 0, found: 1)) { try results.apply(second) }
        #expect(throws: ListError.reset) { try results.apply(first.asReset) }
        var other = first
        other.list = Identifier(high: 2, low: 2)
        #expect(throws: ListError.otherList) { try results.apply(other) }
        #expect(results.number == 0 && results.count == 3)
        try results.apply(first)
        try results.apply(second)
        #expect(results.isCurrent(list.state))
    }

    @Test func refusesAReplyWithAWrongDigest() throws {
        var reply = LiveList(id: Identifier(high: 1, low: 1), rows: samples.map(query.row)).snapshot.reply(topic: "=")
        reply.sections[0].rows.swapAt(0, 1)
        #expect(throws: ListError.wrongDigest) { try FetchedResults<EncodedCBOR>(reply) }
    }

    /// What a broken or hostile service could send; each must be refused, and leave the rows alone.
    @Test(arguments: 0..<12)
    func refusesImpossibleBatches(number: Int) throws {
        let (list, opened) = try pair()
        var results = opened
        let row = query.shown(samples[0])
        let key = EncodedCBOR(trusted: [9])
        var batch = ListBatch(list: list.id, number: 1, positions: [:], digest: 1)
        switch number {
        case 0: batch.delete = [ListPath(0, 2)]
        case 1: batch.delete = [ListPath(7, 0)]
        case 2: batch.delete = [ListPath(0, 0), ListPath(0, 0)]
        case 3: batch.insert = [.init(to: ListPath(0, 4), row: row)]
        case 4: batch.insert = [.init(to: ListPath(2, 0), row: row)]
        case 5: batch.insert = [.init(to: ListPath(0, 1), row: row), .init(to: ListPath(0, 1), row: row)]
        case 6: batch.sections = .init(delete: [0])
        case 7: batch.sections = .init(delete: [5])
        case 8: batch.sections = .init(insert: [.init(at: 4, key: key)])
        case 9: batch.update = [.init(from: ListPath(0, 0), to: ListPath(0, 2), row: row)]
        case 10: batch.insert = [.init(to: ListPath(.max, .max), row: row)]
        default: batch.sections = .init(delete: [.min], insert: [.init(at: .min, key: key)])
        }
        #expect {
            try results.apply(batch)
        } throws: { error in
            if case .impossible = error as? ListError { true } else { false }
        }
        #expect(results.sections.map(\.rows) == query.sections(query.fresh(samples)).map(\.rows))
        batch = ListBatch(list: list.id, number: 1, positions: [:], digest: 1)
        #expect(throws: ListError.wrongDigest) { try results.apply(batch) }
    }
}
