import CBOR
import Messages
import Testing

@testable import LiveList

@Suite struct DigestTests {
    private func section(_ key: [UInt8], _ rows: [[UInt8]]) -> ListSection {
        ListSection(key: EncodedCBOR(trusted: key), rows: rows.map { EncodedCBOR(trusted: $0) })
    }

    /// Worked out apart from this project's code.
    @Test func hasTheGoldenValues() {
        let golden: [(UInt64, [ListSection])] = [
            (0, []),
            (2_298_257_701_665_873_574, [section([0xf6], [[1]])]),
            (1_160_870_606_091_693_500, [section([0x61, 0x61], [[1], [2]]), section([0x61, 0x62], [[3]])]),
            (
                646_308_539_430_630_245,
                [section([0xf6], (1000..<2000).map { [0x19, UInt8($0 >> 8), UInt8($0 & 0xff)] })]
            ),
        ]
        for (value, sections) in golden {
            var digest = ListDigest()
            for section in sections {
                digest.add(section: section.key.bytes)
                for row in section.rows { digest.add(row: row.bytes) }
            }
            #expect(digest.value == value)
            #expect(plainDigest(sections) == value)
            let rows = sections.enumerated().flatMap { index, section in
                section.rows.enumerated().map { place, row in
                    var (order, place2) = (OrderKey(), OrderKey())
                    order.add(Int64(index))
                    place2.add(Int64(place))
                    return ListRow(
                        id: Identifier(high: UInt64(index), low: UInt64(place)),
                        section: SectionKey(order: order, value: section.key),
                        order: place2,
                        row: row
                    )
                }
            }
            #expect(LiveList(id: Identifier(high: 1, low: 1), rows: rows).digest == value)
        }
    }

    @Test func hashesAsFNVDoes() {
        #expect(ListDigest.hash(kind: UInt8(ascii: "S"), [0xf6]) == 0x0945_c007_b5d5_381c)
        #expect(ListDigest.hash(kind: UInt8(ascii: "Q"), Array("abc".utf8)) == 0xf26a_b914_132f_2594)
    }

    @Test func multipliesAndAddsBelowTheModulus() {
        let modulus = UInt128(ListDigest.modulus)
        var random = Seeded(5)
        var values = (0..<200).map { _ in random.next() % ListDigest.modulus }
        values += [0, 1, ListDigest.modulus - 1, ListDigest.base]
        for (left, right) in zip(values, values.reversed()) {
            #expect(UInt128(ListDigest.product(left, right)) == UInt128(left) * UInt128(right) % modulus)
            #expect(UInt128(ListDigest.sum(left, right)) == (UInt128(left) + UInt128(right)) % modulus)
            #expect(UInt128(ListDigest.reduced(left << 3 | 7)) == UInt128(left << 3 | 7) % modulus)
        }
        #expect(ListDigest.reduced(ListDigest.modulus) == 0)
        #expect(ListDigest.reduced(.max) == 7)
    }

    /// Thousands of rows, so that the tree is deep, and shrinks to nothing again.
    @Test(arguments: [UInt64(1), 2, 3])
    func followsALongListUpAndDown(seed: UInt64) throws {
        var random = Seeded(seed)
        let query = SampleQuery(isSectioned: seed != 1, window: seed == 3 ? ListWindow(offset: 40, limit: 700) : .all)
        var samples: [Identifier: Sample] = [:]
        var list = LiveList(
            id: Identifier(high: 1, low: 1),
            window: query.window,
            positions: [:],
            rows: [],
            nodeCapacity: 8
        )
        for round in 0..<8 {
            for _ in 0..<300 {
                let number = Int(random.next() % 2000)
                let isRemoved = round < 4 ? number % 9 == 0 : number % 9 != 0
                let sample = Sample(number, group: number % 7, rank: Int(random.next() % 500), note: round)
                let id = sample.id
                samples[id] = isRemoved ? nil : sample
                _ = list.apply([query.change(id, samples[id])])
                if seed == 1 { try #require(list.tree.depth != nil, "out of shape in round \(round)") }
            }
            let sections = query.sections(query.fresh(samples.values))
            #expect(list.sections == sections, "seed \(seed), round \(round)")
            #expect(list.digest == plainDigest(sections), "seed \(seed), round \(round)")
            // Eight to a node, and two at least: a thousand rows can't lie deeper than log₂ of that.
            let depth = try #require(list.tree.depth, "out of shape: seed \(seed), round \(round)")
            #expect(3...8 ~= depth || list.totalCount < 100)
        }
        _ = list.apply(samples.keys.map { .remove($0) })
        #expect(list.totalCount == 0 && list.digest == 0 && list.tree.depth == 1)
    }

    /// Two leaves of seven; one filled to eight, the other emptied to one: together too many for a leaf.
    @Test func halvesAgainWhatIsTooWideAfterJoining() throws {
        let query = SampleQuery()
        var list = LiveList(
            id: Identifier(high: 1, low: 1),
            window: .all,
            positions: [:],
            rows: (0..<14).map { query.row(Sample($0, rank: $0)) },
            nodeCapacity: 8
        )
        #expect(list.tree.depth == 2)
        for change in [query.change(Sample(20, rank: 0).id, Sample(20, rank: 10))]
            + (0..<6).map({ ListChange.remove(Sample($0, rank: 0).id) })
        {
            _ = try required(list.apply([change]))
            #expect(list.tree.depth == 2)
        }
        #expect(list.count == 9)
        for number in 6..<12 { _ = try required(list.apply([.remove(Sample(number, rank: 0).id)])) }
        #expect(list.count == 3 && list.tree.depth == 1)
    }

    @Test func buildsTheSameListFromRowsInAnyOrder() {
        let query = SampleQuery(isSectioned: true)
        let samples = (0..<500).map { Sample($0, group: $0 % 5, rank: $0 * 7 % 100) }
        let rows = samples.map(query.row)
        let sorted = query.fresh(samples).flatMap(\.samples).map(query.row)
        let id = Identifier(high: 1, low: 1)
        let lists = [rows, rows.reversed(), sorted].map { LiveList(id: id, rows: $0) }
        for list in lists { #expect(list.sections == query.sections(query.fresh(samples))) }
        // Of two rows with one id the last counts.
        let twice = LiveList(id: id, rows: [query.row(Sample(1, rank: 9)), query.row(Sample(1, rank: 2))])
        #expect(twice.totalCount == 1 && twice.sections.first?.rows == [query.shown(Sample(1, rank: 2))])
    }
}
