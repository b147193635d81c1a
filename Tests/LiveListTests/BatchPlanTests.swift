import CBOR
import Messages
import Synchronization
import Testing

@testable import LiveList

/// What a batch of very many edits costs.
@Suite(.serialized) struct BatchPlanTests {
    private struct Group: RowGroup {
        let key: EncodedCBOR
        var rows: [Int] = []

        init(key: EncodedCBOR) {
            self.key = key
        }
    }

    /// An array that counts the elements which its edits move.
    private struct Counted: RisingEdits {
        static let moved = Atomic(0)
        private(set) var elements: [Group] = []

        init() {}
        var startIndex: Int { 0 }
        var endIndex: Int { elements.count }

        subscript(position: Int) -> Group {
            get { elements[position] }
            set { elements[position] = newValue }
        }

        mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Group>) {
            Self.moved.add(new.count + elements.count - range.upperBound, ordering: .relaxed)
            elements.replaceSubrange(range, with: new)
        }
    }

    private func key(_ number: Int) -> EncodedCBOR { EncodedCBOR(trusted: [UInt8(24), UInt8(number % 200 + 50)]) }

    /// Sections of a row each, every second one of which the batch takes or brings.
    private func sections(_ count: Int) -> (groups: Counted, batch: ListBatch) {
        var groups = Counted()
        var batch = ListBatch(list: Identifier(high: 1, low: 1), number: 1, positions: [:], digest: 1)
        for number in 0..<count {
            var group = Group(key: key(number))
            group.rows = [number]
            groups.append(group)
        }
        let places = stride(from: 0, to: count, by: 2)
        batch.delete = places.map { ListPath($0, 0) }
        batch.sections = .init(delete: Array(places), insert: places.map { .init(at: $0, key: key($0 + 7)) })
        batch.insert = places.map { .init(to: ListPath($0, 0), row: key($0)) }
        return (groups, batch)
    }

    @Test(arguments: [1000, 10_000, 100_000])
    func manySectionsMoveEachSectionTwice(count: Int) throws {
        var (groups, batch) = sections(count)
        let plan = try BatchPlan(batch, groups.map(\.rows.count))
        Counted.moved.store(0, ordering: .relaxed)
        plan.apply(to: &groups, inserted: Array(repeating: -1, count: count / 2), updated: [])
        // Once where half of them go, once where others come: not once for each that goes or comes.
        #expect(Counted.moved.load(ordering: .relaxed) == count / 2 + count)
        #expect(groups.map(\.rows) == (0..<count).map { $0 % 2 == 0 ? [-1] : [$0] })
        #expect(groups[0].key == key(7) && groups[1].key == key(1) && groups[2].key == key(9))
    }

    @Test func aFewAreEditedInPlace() throws {
        var (groups, batch) = sections(4)
        let plan = try BatchPlan(batch, groups.map(\.rows.count))
        plan.apply(to: &groups, inserted: [-1, -1], updated: [])
        #expect(groups.map(\.rows) == [[-1], [1], [-1], [3]])
    }

    /// One place is one section's, before and afterwards.
    @Test(arguments: [2, 40]) func aSectionTwiceIsRefused(count: Int) {
        for (deleted, inserted) in [([0, 0], []), ([], [1, 1])] {
            var batch = ListBatch(list: Identifier(high: 1, low: 1), number: 1, positions: [:], digest: 1)
            batch.sections = .init(delete: deleted, insert: inserted.map { .init(at: $0, key: key($0)) })
            #expect(throws: ListError.self) { try BatchPlan(batch, Array(repeating: 0, count: count)) }
        }
    }
}
