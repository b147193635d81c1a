internal import CBOR
internal import Messages

/// A row in the tree. Its bytes are shared with the index by id, and hold
///
///     section   4   the number of the section in the table of sections
///     length    4   how long the key is
///     key           section's order and value, row's order, id: what rows are compared by
///     row           as encoded
struct Entry: Sendable {
    /// The first eight bytes of the key: most comparisons end here, without a look at other memory.
    let prefix: UInt64
    /// h of the row; see `ListDigest`.
    let hash: UInt64
    let section: UInt32
    let bytes: [UInt8]

    init(_ row: ListRow, section: UInt32) {
        let length = row.section.order.bytes.count + row.section.value.bytes.count + row.order.bytes.count + 16
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + length + row.row.bytes.count)
        withUnsafeBytes(of: section) { bytes += $0 }
        withUnsafeBytes(of: UInt32(length)) { bytes += $0 }
        bytes += row.section.order.bytes
        bytes += row.section.value.bytes
        bytes += row.order.bytes
        row.id.withUnsafeBytes { bytes += $0 }
        bytes += row.row.bytes
        self.init(bytes: bytes, hash: ListDigest.row(row.row.bytes))
    }

    /// What comes before all rows of a section and behind all of the section before.
    init(start section: SectionKey) {
        let key = section.order.bytes + section.value.bytes
        self.init(bytes: [0, 0, 0, 0] + withUnsafeBytes(of: UInt32(key.count)) { [UInt8]($0) } + key, hash: 0)
    }

    /// Takes bytes of the form above.
    init(bytes: [UInt8], hash: UInt64) {
        (section, prefix) = bytes.withUnsafeBytes { buffer in
            let length = Int(buffer.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            var prefix: UInt64 = 0
            for place in 0..<8 { prefix = prefix << 8 | (place < length ? UInt64(buffer[8 + place]) : 0) }
            return (buffer.loadUnaligned(as: UInt32.self), prefix)
        }
        self.hash = hash
        self.bytes = bytes
    }

    private var keyLength: Int {
        bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) }
    }

    var id: Identifier {
        bytes.withUnsafeBytes { buffer in
            let place = Int(buffer.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) - 8
            return Identifier(
                high: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
                low: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self))
            )
        }
    }

    var row: EncodedCBOR { EncodedCBOR(trusted: Array(bytes[(8 + keyLength)...])) }

    func showsSame(as other: Entry) -> Bool {
        bytes[(8 + keyLength)...] == other.bytes[(8 + other.keyLength)...]
    }

    @inline(__always)
    static func < (left: Entry, right: Entry) -> Bool {
        left.prefix == right.prefix ? left.comparison(right) < 0 : left.prefix < right.prefix
    }

    func hasKey(of other: Entry) -> Bool { prefix == other.prefix && comparison(other) == 0 }

    /// Below, equal to or above 0, as the key is below, equal to or above the other's.
    private func comparison(_ other: Entry) -> Int {
        bytes.withUnsafeBytes { mine in
            other.bytes.withUnsafeBytes { theirs in
                let length = Int(mine.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                let otherLength = Int(theirs.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                var place = 8
                let common = 8 + min(length, otherLength)
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
