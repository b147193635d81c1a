internal import CBOR
internal import Messages

/// A row in the tree. Its bytes are shared with the index by id, and hold
///
///     section        4   the number of the section in the table of sections
///     sectionLength  4   how much of the key is the section's
///     length         4   how long the key is
///     key                section's order and value, row's order, id: what rows are compared by
///     row                as encoded
struct Entry: Sendable {
    // The first bytes of the key, and those behind the section's part: most comparisons end here, without a look at
    // other memory.
    private let sectionPrefix: UInt64
    private let prefix: UInt64
    /// h of the row; see `ListDigest`.
    let hash: UInt64
    let section: UInt32
    let bytes: [UInt8]

    private static var keyStart: Int { 12 }

    init(_ row: ListRow, section: UInt32) {
        let sectionLength = row.section.order.bytes.count + row.section.value.bytes.count
        let length = sectionLength + row.order.bytes.count + 16
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.keyStart + length + row.row.bytes.count)
        for number in [section, UInt32(sectionLength), UInt32(length)] { withUnsafeBytes(of: number) { bytes += $0 } }
        bytes += row.section.order.bytes
        bytes += row.section.value.bytes
        bytes += row.order.bytes
        row.id.withUnsafeBytes { bytes += $0 }
        bytes += row.row.bytes
        self.init(bytes: bytes, hash: ListDigest.row(row.row.bytes))
    }

    /// What comes before all rows of a section and behind all of the section before.
    init(start key: SectionKey, section: UInt32) {
        let key = key.order.bytes + key.value.bytes
        var bytes: [UInt8] = []
        for number in [section, UInt32(key.count), UInt32(key.count)] { withUnsafeBytes(of: number) { bytes += $0 } }
        self.init(bytes: bytes + key, hash: 0)
    }

    /// Takes bytes of the form above.
    init(bytes: [UInt8], hash: UInt64) {
        (section, sectionPrefix, prefix) = bytes.withUnsafeBytes { buffer in
            let middle = Self.keyStart + Int(buffer.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            let end = Self.keyStart + Int(buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            let section = buffer.loadUnaligned(as: UInt32.self)
            return (section, Self.prefix(buffer, Self.keyStart..<end), Self.prefix(buffer, middle..<end))
        }
        self.hash = hash
        self.bytes = bytes
    }

    /// The first eight bytes, with zeros behind fewer.
    private static func prefix(_ buffer: UnsafeRawBufferPointer, _ key: Range<Int>) -> UInt64 {
        if key.count >= 8 {
            return UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: key.lowerBound, as: UInt64.self))
        }
        return (0..<8).reduce(0) { $0 << 8 | ($1 < key.count ? UInt64(buffer[key.lowerBound + $1]) : 0) }
    }

    private var keyLength: Int {
        bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) }
    }

    var id: Identifier {
        bytes.withUnsafeBytes { buffer in
            let length = Int(buffer.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            let place = Self.keyStart + length - 16
            return Identifier(
                high: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
                low: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
            )
        }
    }

    var row: EncodedCBOR { EncodedCBOR(trusted: Array(bytes[(Self.keyStart + keyLength)...])) }

    func showsSame(as other: Entry) -> Bool {
        bytes[(Self.keyStart + keyLength)...] == other.bytes[(Self.keyStart + other.keyLength)...]
    }

    @inline(__always)
    static func < (left: Entry, right: Entry) -> Bool {
        if left.sectionPrefix != right.sectionPrefix { return left.sectionPrefix < right.sectionPrefix }
        if left.section == right.section, left.prefix != right.prefix { return left.prefix < right.prefix }
        return left.comparison(right) < 0
    }

    func hasKey(of other: Entry) -> Bool {
        section == other.section && prefix == other.prefix && comparison(other) == 0
    }

    /// Below, equal to or above 0, as the key is below, equal to or above the other's.
    private func comparison(_ other: Entry) -> Int {
        bytes.withUnsafeBytes { mine in
            other.bytes.withUnsafeBytes { theirs in
                let length = Int(mine.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
                let otherLength = Int(theirs.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
                var place = Self.keyStart
                let common = Self.keyStart + min(length, otherLength)
                while place + 8 <= common {
                    let left = UInt64(bigEndian: mine.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    let right = UInt64(bigEndian: theirs.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                    if left != right { return left < right ? -1 : 1 }
                    place += 8
                }
                while place < common {
                    if mine[place] != theirs[place] { return Int(mine[place]) - Int(theirs[place]) }
                    place += 1
                }
                return length - otherLength
            }
        }
    }
}
