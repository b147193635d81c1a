/// Walks foreign bytes once and refuses whatever the profile does not allow.
///
/// Everything that reads afterwards relies on it: heads are whole, lengths lie inside the input, text is UTF-8, no map
/// holds a key twice, nesting is bounded. Recursion goes as deep as `maximumDepth`, never as deep as the bytes ask for.
/// Cost: linear in the bytes, and n log n in the keys of one map.
struct Validator: ~Copyable {
    private let bytes: ItemBytes
    private let isStrict: Bool
    private let maximumDepth: Int
    private var keys = MapKeys()

    /// What the stack surely bears, whatever depth is asked for.
    private static let depthLimit = 512

    init(_ bytes: ItemBytes, profile: CBORProfile, maximumDepth: Int) {
        self.bytes = bytes
        self.isStrict = profile == .wire
        self.maximumDepth = min(max(maximumDepth, 1), Self.depthLimit)
    }

    /// Validates exactly one item that fills the input.
    mutating func wholeInput() throws(CBORError) {
        var position = 0
        try item(at: &position, depth: 0)
        guard position == bytes.count else { throw .trailingBytes(offset: position) }
    }

    /// Validates the item at the input's beginning, whatever follows it.
    ///
    /// - Returns: where it ends.
    /// - Throws: `truncated` where it is not all there.
    mutating func firstItem() throws(CBORError) -> Int { try item(from: 0) }

    /// Validates the item that begins at `start`.
    ///
    /// - Returns: where it ends.
    mutating func item(from start: Int) throws(CBORError) -> Int {
        var position = start
        try item(at: &position, depth: 0)
        return position
    }

    private mutating func item(at position: inout Int, depth: Int) throws(CBORError) {
        let start = position
        let head = try bytes.head(at: &position)
        if isStrict, head.info >= 24 { try head.requireShortest(at: start) }
        switch head.major {
        case 0, 1: break
        case 2, 3: try string(head, at: &position, from: start)
        case 4: try array(head, at: &position, depth: depth + 1)
        case 5: try map(head, at: &position, depth: depth + 1)
        case 6: try tagged(at: &position, from: start, depth: depth + 1)
        default:
            guard !head.isBreak else { throw .malformed(offset: start, reason: "a break without a container") }
            try head.requireSimpleValue(at: start)
        }
    }

    private func string(_ head: Head, at position: inout Int, from start: Int) throws(CBORError) {
        guard head.isIndefinite else { return try chunk(head, at: &position) }
        while true {
            let chunkStart = position
            let next = try bytes.head(at: &position)
            guard !next.isBreak else { return }
            guard next.major == head.major, !next.isIndefinite else {
                throw .malformed(offset: chunkStart, reason: "\(next.kind) as a chunk of \(head.kind)")
            }
            try chunk(next, at: &position)
        }
    }

    private func chunk(_ head: Head, at position: inout Int) throws(CBORError) {
        let range = try bytes.string(head, at: &position)
        guard head.major == 2 || bytes.isUTF8(range) else { throw .invalidUTF8(offset: range.lowerBound) }
    }

    private func enter(_ depth: Int) throws(CBORError) {
        guard depth <= maximumDepth else { throw .tooDeep(maximum: maximumDepth) }
    }

    private mutating func array(_ head: Head, at position: inout Int, depth: Int) throws(CBORError) {
        try enter(depth)
        if head.isIndefinite {
            while try !takesBreak(at: &position) { try item(at: &position, depth: depth) }
            return
        }
        // Each item takes a byte at least: a count beyond the input is a lie, and is refused before the first item.
        guard head.argument <= UInt64(bytes.count - position) else { throw .truncated(offset: bytes.count) }
        for _ in 0..<Int(head.argument) { try item(at: &position, depth: depth) }
    }

    private mutating func map(_ head: Head, at position: inout Int, depth: Int) throws(CBORError) {
        try enter(depth)
        let mark = keys.mark
        if head.isIndefinite {
            while try !takesBreak(at: &position) { try pair(at: &position, depth: depth) }
        } else {
            guard head.argument <= UInt64(bytes.count - position) / 2 else { throw .truncated(offset: bytes.count) }
            for _ in 0..<Int(head.argument) { try pair(at: &position, depth: depth) }
        }
        try keys.requireDistinct(since: mark, in: bytes)
    }

    private mutating func pair(at position: inout Int, depth: Int) throws(CBORError) {
        let start = position
        guard start < bytes.count else { throw .truncated(offset: bytes.count) }
        guard !isStrict || bytes[start] >> 5 == 3 else {
            throw .notCanonical(offset: start, reason: "a key that is not text")
        }
        try item(at: &position, depth: depth)
        try keys.append(start..<position, in: bytes, isCanonical: isStrict)
        try item(at: &position, depth: depth)
    }

    private mutating func tagged(at position: inout Int, from start: Int, depth: Int) throws(CBORError) {
        guard !isStrict else { throw .notCanonical(offset: start, reason: "a tag") }
        try enter(depth)
        try item(at: &position, depth: depth)
    }

    private func takesBreak(at position: inout Int) throws(CBORError) -> Bool {
        guard position < bytes.count else { throw .truncated(offset: bytes.count) }
        guard bytes[position] == Head.breakByte else { return false }
        position += 1
        return true
    }
}

extension Head {
    /// Refuses what is longer than it need be, and what has no definite length.
    func requireShortest(at start: Int) throws(CBORError) {
        let isShortest =
            switch (major, info) {
            case (7, 24), (7, 31): true
            case (7, _): ShortestFloat(self).info == info && (!isNaN || argument == 0x7e00)
            case (_, 24): argument >= 24
            case (_, 25): argument > 0xff
            case (_, 26): argument > 0xffff
            case (_, 27): argument > 0xffff_ffff
            default: false
            }
        guard isShortest else {
            throw .notCanonical(
                offset: start,
                reason: isIndefinite ? "an indefinite length" : "not the shortest form"
            )
        }
    }

    /// Refuses a simple value that is not in its one form.
    func requireSimpleValue(at start: Int) throws(CBORError) {
        guard major != 7 || info != 24 || argument >= 32 else {
            throw .malformed(offset: start, reason: "a simple value below 32 in two bytes")
        }
    }

    /// Refuses what the wire's profile does not have, where an item is to begin.
    func requireWireProfile(at start: Int) throws(CBORError) {
        guard major != 6, !isBreak else { throw .notCanonical(offset: start, reason: kind) }
        if info >= 24 { try requireShortest(at: start) }
        try requireSimpleValue(at: start)
    }
}

extension ItemBytes {
    /// Whether the range is UTF-8; ASCII is passed over eight bytes at a time.
    @usableFromInline
    func isUTF8(_ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        while position + 8 <= range.upperBound,
            base.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            position += 8
        }
        while position < range.upperBound, self[position] < 0x80 { position += 1 }
        guard position < range.upperBound else { return true }
        let rest = buffer(position..<range.upperBound).assumingMemoryBound(to: UInt8.self)
        return (try? UTF8Span(validating: Span(_unsafeElements: rest))) != nil
    }
}
