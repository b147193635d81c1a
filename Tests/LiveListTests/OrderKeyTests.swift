import LiveList
import Messages
import Testing

@Suite struct OrderKeyTests {
    private func key(_ build: (inout OrderKey) -> Void) -> OrderKey {
        var key = OrderKey()
        build(&key)
        return key
    }

    private func rises(_ keys: [OrderKey]) -> Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }

    @Test func looksAsDocumented() {
        #expect(key { $0.add(5 as Int64) }.bytes == [0x80, 0, 0, 0, 0, 0, 0, 5])
        #expect(key { $0.add(5 as Int64, descending: true) }.bytes == [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfa])
        #expect(key { $0.add(collationKey: [0x61, 0, 0x62]) }.bytes == [0x61, 0, 0xff, 0x62, 0, 0])
    }

    @Test(arguments: [false, true])
    func ordersEachKindOfValue(descending: Bool) throws {
        let days =
            try [nil, CalendarDay(year: 1, month: 1, day: 1), CalendarDay(year: 2024, month: 2, day: 29)]
            + [try CalendarDay(year: 2024, month: 12, day: 1), try CalendarDay(year: 9999, month: 12, day: 31)]
        let integers: [Int64?] = [.min, -1, 0, 1, 255, 256, .max]
        let doubles: [Double?] = [nil, -.infinity, -2.5, -.leastNonzeroMagnitude, 0, 1e-9, 3, .infinity, .nan]
        let ids = [nil, Identifier(high: 0, low: 0), Identifier(high: 0, low: 1), Identifier(high: 1, low: 0)]
        let texts: [[UInt8]] = [[], [0], [0, 0], [0, 1], [1], [1, 0], [1, 1], [1, 255], [255], [255, 0]]
        let ladders = [
            days.map { day in key { $0.add(day, descending: descending) } },
            integers.map { integer in key { $0.add(integer, descending: descending) } },
            doubles.map { double in key { $0.add(double, descending: descending) } },
            ids.map { id in key { $0.add(id, descending: descending) } },
            [false, true].map { flag in key { $0.add(flag, descending: descending) } },
            texts.map { text in key { $0.add(collationKey: text, descending: descending) } },
            [nil, "A", "AB", "B", "a"].map { text in key { $0.add(text: text, descending: descending) } },
        ]
        for ladder in ladders { #expect(rises(descending ? ladder.reversed() : ladder)) }
    }

    /// The first component decides whatever follows it, also where one text begins with the other.
    @Test(arguments: [false, true], [false, true])
    func comparesComponentByComponent(first: Bool, second: Bool) {
        var random = Seeded(11)
        let pairs = (0..<300).map { _ in
            let bytes = (0..<(random.next() % 4)).map { _ in [UInt8(0), 1, 254, 255][Int(random.next() % 4)] }
            return (text: bytes, integer: Int64(random.next() % 3) - 1)
        }
        let keys = pairs.map { pair in
            key {
                $0.add(collationKey: pair.text, descending: first)
                $0.add(pair.integer, descending: second)
            }
        }
        for left in pairs.indices {
            for right in pairs.indices {
                let (a, b) = (pairs[left], pairs[right])
                let isBelow =
                    a.text == b.text
                    ? (second ? b.integer < a.integer : a.integer < b.integer)
                    : (first ? b.text.lexicographicallyPrecedes(a.text) : a.text.lexicographicallyPrecedes(b.text))
                #expect((keys[left] < keys[right]) == isBelow)
            }
        }
    }

    @Test func treatsZeroesAndAbsentIntegersAlike() {
        #expect(key { $0.add(-0.0) } == key { $0.add(0.0) })
        #expect(key { $0.add(nil as Int64?) } == key { $0.add(Int64.min) })
    }
}
