import CBOR
import LiveList
import Messages
import Testing

/// A row of the tests' data: what a list is made of is spelled out, so that a naive list can be made of it too.
struct Sample: Hashable {
    var id: Identifier
    var group: Int
    var rank: Int
    /// Shown, and not ordered by.
    var note: Int

    init(_ number: Int, group: Int = 0, rank: Int, note: Int = 0) {
        id = Identifier(high: 7, low: UInt64(number))
        self.group = group
        self.rank = rank
        self.note = note
    }
}

/// A query over samples.
struct SampleQuery: Sendable {
    var isSectioned = false
    var sectionsDescend = false
    var ranksDescend = false
    /// Whether rows show their rank. A list can be ordered by what it doesn't show.
    var showsRank = true
    /// Only samples whose note has this remainder by 3 are in the list.
    var remainder: Int?
    var window = ListWindow.all

    func holds(_ sample: Sample) -> Bool { remainder.map { sample.note % 3 == $0 } ?? true }

    func row(_ sample: Sample) -> ListRow {
        var order = OrderKey()
        order.add(Int64(sample.rank), descending: ranksDescend)
        var section = SectionKey.none
        if isSectioned {
            var order = OrderKey()
            order.add(Int64(sample.group), descending: sectionsDescend)
            section = SectionKey(order: order, value: EncodedCBOR(trusted: Int64(sample.group).encoded()))
        }
        return ListRow(id: sample.id, section: section, order: order, row: shown(sample))
    }

    func shown(_ sample: Sample) -> EncodedCBOR {
        var writer = CBORWriter()
        writer.arrayHead(3)
        writer.unsigned(sample.id.low)
        writer.int(Int64(showsRank ? sample.rank : 0))
        writer.int(Int64(sample.note))
        return EncodedCBOR(trusted: writer.bytes)
    }

    func change(_ id: Identifier, _ sample: Sample?) -> ListChange {
        guard let sample, holds(sample) else { return .remove(id) }
        return .put(row(sample))
    }

    /// The visible samples in sections, by sorting them all.
    func fresh(_ samples: some Sequence<Sample>) -> [Shown] {
        let sorted = samples.filter(holds).sorted { left, right in
            if isSectioned, left.group != right.group { return (left.group < right.group) != sectionsDescend }
            if left.rank != right.rank { return (left.rank < right.rank) != ranksDescend }
            return left.id < right.id
        }
        var sections: [Shown] = []
        for sample in sorted.dropFirst(window.offset).prefix(window.limit ?? .max) {
            let key = isSectioned ? Int64(sample.group).encoded() : [0xf6]
            if sections.last?.key.bytes != key { sections.append(Shown(key: EncodedCBOR(trusted: key), samples: [])) }
            sections[sections.count - 1].samples.append(sample)
        }
        return sections
    }
}

/// A section of a naive list.
struct Shown: Hashable {
    var key: EncodedCBOR
    var samples: [Sample]
}

extension SampleQuery {
    func sections(_ shown: [Shown]) -> [ListSection] {
        shown.map { ListSection(key: $0.key, rows: $0.samples.map(self.shown)) }
    }
}

/// The digest by its definition.
func plainDigest(_ sections: [ListSection]) -> UInt64 {
    var digest: UInt64 = 0
    func add(_ kind: Character, _ bytes: [UInt8]) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in [kind.asciiValue ?? 0] + bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let product = UInt128(digest) * 477_555_723_559_750_805 + UInt128(hash)
        digest = UInt64(product % (1 << 61 - 1))
    }
    for section in sections {
        add("S", section.key.bytes)
        for row in section.rows { add("R", row.bytes) }
    }
    return digest
}

/// The batch, where there must be one. The macro can't be given a mutating call.
func required(_ batch: ListBatch?) throws -> ListBatch { try #require(batch) }
