import CBOR
import LiveList
import Messages
import Support

/// What one change costs in lists of 1,000 to 1,000,000 rows, its batch and digest included, and what a row takes.
enum ListChanges {
    static var benchmark: Benchmark {
        Benchmark(
            name: "list-changes",
            title: "one change of a LiveList, rows of 130 bytes, keys of 30; ratio to 1,000 rows",
            rounds: 7,
            prepare: { _ in
                [1_000, 10_000, 100_000, 1_000_000].map { count in
                    let bench = Bench(count)
                    return Case(name: "\(count) rows", measure: bench.measure)
                }
            }
        )
    }

    /// How many changes of each kind a round has.
    private static let changes = 2000

    private final class Bench {
        private let count: Int
        private var random = SeededGenerator(seed: 4)
        private var list: LiveList
        /// What each row is ordered by now.
        private var keys: [UInt64]
        private let bytesOfRow: Double

        init(_ count: Int) {
            self.count = count
            keys = (0..<count).map { UInt64($0) * 1000 }
            let before = residentBytes()
            list = LiveList(id: .make(), rows: keys.enumerated().lazy.map { Bench.row($0, key: $1, content: 0) })
            bytesOfRow = Double(residentBytes() - before) / Double(count)
        }

        private static func row(_ number: Int, key: UInt64, content: UInt64) -> ListRow {
            var order = OrderKey()
            // 20 digits and what ends a text: with the id behind it, like the key of a name.
            let digits = String(key)
            order.add(text: String(repeating: "0", count: 20 - digits.count) + digits)
            var writer = CBORWriter()
            writer.arrayHead(2)
            writer.unsigned(content)
            writer.byteString(Array(repeating: UInt8(truncatingIfNeeded: number), count: 119))
            let id = Identifier(high: 7, low: UInt64(number))
            return ListRow(id: id, order: order, row: EncodedCBOR(trusted: writer.bytes))
        }

        func measure() throws -> [Figure] {
            var figures: [Figure] = []
            figures += Figure.times("update", times(places().map { .put(row($0, content: random.next())) }))
            figures += Figure.times(
                "move",
                times(
                    places().map { place in
                        keys[place] = random.next() % (UInt64(count) * 1000)
                        return .put(row(place, content: random.next()))
                    }
                )
            )
            let new = (count..<count + ListChanges.changes).map { number in
                Self.row(number, key: random.next() % (UInt64(count) * 1000), content: 1)
            }
            figures += Figure.times("insert", times(new.map { .put($0) }))
            figures += Figure.times("delete", times(new.map { .remove($0.id) }))
            // Of fewer rows the pages that were free before hide too much.
            if count >= 100_000 { figures.append(Figure("memory a row", bytesOfRow, "bytes")) }
            return figures
        }

        private func places() -> [Int] {
            (0..<ListChanges.changes).map { _ in Int.random(in: 0..<count, using: &random) }
        }

        private func row(_ place: Int, content: UInt64) -> ListRow {
            Self.row(place, key: keys[place], content: content)
        }

        /// Each change is applied alone.
        private func times(_ changes: [ListChange]) -> [UInt64] {
            changes.map { change in
                timed {
                    guard list.apply([change]) != nil else { preconditionFailure("a change without a batch") }
                }
            }
        }
    }
}
