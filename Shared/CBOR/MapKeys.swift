/// The keys of the maps that a validator is inside of, for telling duplicates.
///
/// Keys are compared as encoded bytes. A key in another than its shortest form is first written again, so that 1 as
/// `01` and as `1801` is one key. Few keys are compared pair by pair; many are sorted, so that a map of a hundred
/// thousand keys costs n log n.
struct MapKeys {
    private struct Key {
        /// The length and the first bytes: differs for nearly all different keys.
        var fingerprint: UInt64
        var start: Int
        var length: Int
        var isRewritten: Bool
    }

    private var open: [Key] = []
    private var rewritten: [UInt8] = []

    /// Up to this many keys are compared pair by pair.
    private static let pairwiseLimit = 16

    /// Where the keys of a map that is being entered begin.
    var mark: Int { open.count }

    /// Adds the key whose validated item stands at `range`.
    mutating func append(_ range: Range<Int>, in bytes: ItemBytes, isCanonical: Bool) throws(CBORError) {
        // One allocation serves the maps of a usual message.
        if open.capacity == 0 { open.reserveCapacity(16) }
        guard isCanonical || bytes.isShortestLeaf(range) else {
            var reader = CBORReader(bytes: bytes, position: range.lowerBound)
            let canonical = try CBORValue(from: &reader).canonicalBytes
            let start = rewritten.count
            rewritten += canonical
            let print = canonical.withUnsafeBytes { ItemBytes($0).fingerprint(0..<canonical.count) }
            open.append(Key(fingerprint: print, start: start, length: canonical.count, isRewritten: true))
            return
        }
        open.append(
            Key(
                fingerprint: bytes.fingerprint(range),
                start: range.lowerBound,
                length: range.count,
                isRewritten: false
            )
        )
    }

    /// Refuses two equal keys among those since `mark`, and forgets these.
    mutating func requireDistinct(since mark: Int, in bytes: ItemBytes) throws(CBORError) {
        let duplicate = open.count - mark <= Self.pairwiseLimit ? pair(since: mark, in: bytes) : sorted(mark, bytes)
        if let duplicate {
            throw .duplicateKey(try name(of: duplicate, in: bytes))
        }
        while open.count > mark { open.removeLast() }
        if open.isEmpty, !rewritten.isEmpty { rewritten.removeAll() }
    }

    private func pair(since mark: Int, in bytes: ItemBytes) -> Key? {
        var index = mark + 1
        while index < open.count {
            let key = open[index]
            for other in mark..<index
            where open[other].fingerprint == key.fingerprint && order(open[other], key, bytes) == 0 {
                return key
            }
            index += 1
        }
        return nil
    }

    private mutating func sorted(_ mark: Int, _ bytes: ItemBytes) -> Key? {
        let keys = open[mark...].sorted { order($0, $1, bytes) < 0 }
        return zip(keys, keys.dropFirst()).first { order($0, $1, bytes) == 0 }?.0
    }

    /// Below, equal to, or above 0; any total order will do.
    private func order(_ left: Key, _ right: Key, _ bytes: ItemBytes) -> Int {
        guard left.fingerprint == right.fingerprint else { return left.fingerprint < right.fingerprint ? -1 : 1 }
        guard left.length == right.length else { return left.length - right.length }
        return withBytes(of: left, in: bytes) { mine in
            withBytes(of: right, in: bytes) { other in
                for index in 0..<mine.count where mine[index] != other[index] {
                    return Int(mine[index]) - Int(other[index])
                }
                return 0
            }
        }
    }

    private func name(of key: Key, in bytes: ItemBytes) throws(CBORError) -> String {
        let item = withBytes(of: key, in: bytes) { Array($0) }
        let value = try CBORValue(decoding: item, profile: .rfc8949, maximumDepth: .max)
        return if case .text(let text) = value { text } else { "\(value)" }
    }

    private func withBytes<R>(of key: Key, in bytes: ItemBytes, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        let range = key.start..<key.start + key.length
        guard key.isRewritten else { return body(bytes.buffer(range)) }
        return rewritten.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

extension ItemBytes {
    /// A short key itself, or a mix of the length, the first eight and the last eight bytes.
    fileprivate func fingerprint(_ range: Range<Int>) -> UInt64 {
        guard range.count >= 8 else {
            guard range.lowerBound + 8 <= count else {
                return buffer(range).reversed().reduce(0) { $0 << 8 | UInt64($1) }
            }
            // The bytes of the key in a word; what follows it is masked away.
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
            return word & ((1 << UInt64(range.count * 8)) - 1)
        }
        let first = base.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        let last = base.loadUnaligned(fromByteOffset: range.upperBound - 8, as: UInt64.self)
        return first ^ (last &* 0x9e37_79b9_7f4a_7c15) ^ UInt64(range.count)
    }

    /// Whether the validated item is an integer or a definite text in the shortest form: what nearly all keys are.
    fileprivate func isShortestLeaf(_ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        guard let head = try? head(at: &position), head.major == 0 || head.major == 1 || head.major == 3 else {
            return false
        }
        return switch head.info {
        case ..<24: true
        case 24: head.argument >= 24
        case 25: head.argument > 0xff
        case 26: head.argument > 0xffff
        case 27: head.argument > 0xffff_ffff
        default: false
        }
    }
}
