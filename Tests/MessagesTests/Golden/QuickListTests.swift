import CBOR
import Messages
import Support
import Testing

/// The shorter way to read a list's request reads what `CBORDecoder` reads, or nothing.
struct QuickListTests {
    private static let id = Identifier(high: 1, low: 2)
    private static let values: [FilterValue?] = [
        nil, .text(""), .text("Bj\u{F6}rn"), .integer(0), .integer(.min), .integer(.max), .boolean(true),
        .boolean(false), .id(id),
    ]
    private static var filters: [Filter?] {
        var filters: [Filter?] = [
            nil, .contains("name", "a"), .startsWith("name", ""), .search(nil, "a"), .search("rows", "b"),
        ]
        for value in values {
            filters += [
                .equal("name", value), .range("name", from: value, through: values[2]),
                .range("date", from: nil, through: value),
            ]
        }
        return filters
    }

    private static var lists: [List<Customer>] {
        let sorts: [[SortKey]?] = [
            nil, [], [SortKey("id", descending: true)], [SortKey("name"), SortKey("city", descending: false)],
        ]
        return filters.flatMap { filter in sorts.map { List(filter: filter, sort: $0, after: [1, 2], limit: 50) } }
            + [List(), List(after: []), List(limit: -1), List(limit: .max)]
    }

    @Test func whatIsUsualIsRead() throws {
        for list in Self.lists {
            let bytes = try CBOREncoder().encode(list)
            let quick = try #require(List<Customer>(quickly: bytes))
            #expect(try CBOREncoder().encode(quick) == bytes)
        }
    }

    /// Other forms are left to the decoder.
    @Test func whatIsNotIsLeft() throws {
        let joined: [Filter] = [.and([.equal("name", nil)]), .or([]), .not(.equal("name", .integer(1)))]
        for list in joined.map({ List<Customer>(filter: $0) }) + [List(asOf: AsOf(sequence: 3))] {
            #expect(List<Customer>(quickly: try CBOREncoder().encode(list)) == nil)
        }
    }

    /// Whatever it reads of changed bytes, the decoder reads, too, as the same.
    @Test(arguments: [3, 11] as [UInt64]) func changedBytesAreReadAlike(seed: UInt64) throws {
        var random = Seeded(seed)
        var read = 0
        for list in Self.lists {
            let bytes = try CBOREncoder().encode(list)
            for _ in 0..<40 {
                var changed = bytes
                let place = Int.random(in: changed.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: changed.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
                default: changed.remove(at: place)
                }
                guard let quick = List<Customer>(quickly: changed) else { continue }
                read += 1
                let slow = try CBORDecoder().decode(List<Customer>.self, from: changed)
                #expect(try CBOREncoder().encode(quick) == CBOREncoder().encode(slow), "\(hexadecimal(changed))")
            }
        }
        #expect(read > 100)
    }
}
