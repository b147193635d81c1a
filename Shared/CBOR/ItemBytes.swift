/// The head of one item (RFC 8949, section 3).
@usableFromInline
struct Head {
    /// 0 … 7.
    @usableFromInline var major: UInt8
    /// The low five bits of the first byte; 31 is an indefinite length, or a break.
    @usableFromInline var info: UInt8
    /// The argument, 0 for an indefinite length.
    @usableFromInline var argument: UInt64

    @inlinable
    init(major: UInt8, info: UInt8, argument: UInt64) {
        self.major = major
        self.info = info
        self.argument = argument
    }

    @usableFromInline static let breakByte: UInt8 = 0xff
    @inlinable var isBreak: Bool { major == 7 && info == 31 }
    @inlinable var isIndefinite: Bool { info == 31 }

    /// What an error message calls the item.
    @usableFromInline var kind: String {
        switch (major, info) {
        case (0, _): "an unsigned integer"
        case (1, _): "a negative integer"
        case (2, _): "a byte string"
        case (3, _): "a text string"
        case (4, _): "an array"
        case (5, _): "a map"
        case (6, _): "a tag"
        case (_, 20), (_, 21): "a boolean"
        case (_, 22): "null"
        case (_, 23): "undefined"
        case (_, 25), (_, 26), (_, 27): "a float"
        default: "a simple value"
        }
    }
}

/// Borrowed bytes with the readings that need no state: heads, lengths, and passing over items.
///
/// Each reading checks its bounds, so bytes that nobody validated can't reach memory outside the buffer.
@usableFromInline
struct ItemBytes {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int

    @inlinable
    init(_ buffer: UnsafeRawBufferPointer) {
        // A pointer is needed even for no bytes; it is never read from, since `count` is 0.
        base = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = buffer.baseAddress == nil ? 0 : buffer.count
    }

    @inlinable
    subscript(position: Int) -> UInt8 { base.load(fromByteOffset: position, as: UInt8.self) }

    @inlinable
    func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// Reads the head at `position` and moves past it.
    @inlinable @inline(__always)
    func head(at position: inout Int) throws(CBORError) -> Head {
        guard position < count else { throw .truncated(offset: count) }
        let first = self[position]
        let info = first & 31
        guard info < 24 else { return try longHead(at: &position) }
        position += 1
        return Head(major: first >> 5, info: info, argument: UInt64(info))
    }

    @usableFromInline
    func longHead(at position: inout Int) throws(CBORError) -> Head {
        let first = self[position]
        let (major, info) = (first >> 5, first & 31)
        guard info < 28 else {
            guard info == 31 else { throw .malformed(offset: position, reason: "a reserved head") }
            guard major != 0, major != 1, major != 6 else {
                throw .malformed(offset: position, reason: "an integer or tag of indefinite length")
            }
            position += 1
            return Head(major: major, info: info, argument: 0)
        }
        let width = 1 << Int(info - 24)
        guard width < count - position else { throw .truncated(offset: count) }
        let argument: UInt64 =
            switch width {
            case 1: UInt64(self[position + 1])
            case 2: UInt64(UInt16(bigEndian: base.loadUnaligned(fromByteOffset: position + 1, as: UInt16.self)))
            case 4: UInt64(UInt32(bigEndian: base.loadUnaligned(fromByteOffset: position + 1, as: UInt32.self)))
            default: UInt64(bigEndian: base.loadUnaligned(fromByteOffset: position + 1, as: UInt64.self))
            }
        position += 1 + width
        return Head(major: major, info: info, argument: argument)
    }

    /// The range of a definite string whose head was just read; moves past it.
    @inlinable @inline(__always)
    func string(_ head: Head, at position: inout Int) throws(CBORError) -> Range<Int> {
        guard head.argument <= UInt64(count - position) else { throw .truncated(offset: count) }
        let start = position
        position += Int(head.argument)
        return start..<position
    }

    /// Passes over the breaks of containers whose items have all been read.
    ///
    /// In validated bytes a break that stands where an item is expected can only be that.
    @inlinable @inline(__always)
    func skipBreaks(_ position: inout Int) {
        while position < count, self[position] == Head.breakByte { position += 1 }
    }

    /// Passes over one validated item without looking at it again.
    ///
    /// Definite containers are counted down in a loop; only indefinite ones recurse, as deep as the validator allowed.
    func skip(_ position: inout Int) throws(CBORError) {
        skipBreaks(&position)
        var pending: UInt64 = 1
        while pending > 0 {
            pending -= 1
            let head = try head(at: &position)
            switch head.major {
            case 2...5 where head.isIndefinite:
                while position < count, self[position] != Head.breakByte { try skip(&position) }
                position += 1
            case 2...3: _ = try string(head, at: &position)
            case 4...5:
                guard head.argument <= UInt64(count), pending <= UInt64(count) else { throw .truncated(offset: count) }
                pending += head.major == 5 ? head.argument * 2 : head.argument
            case 6: pending += 1
            default: break
            }
        }
    }

    /// How many items an indefinite container holds whose head was just read; `position` stays before the first.
    @usableFromInline
    func itemsUntilBreak(from start: Int) throws(CBORError) -> Int {
        var (position, items) = (start, 0)
        while true {
            guard position < count else { throw .truncated(offset: count) }
            guard self[position] != Head.breakByte else { return items }
            try skip(&position)
            items += 1
        }
    }

    /// Whether `length` bytes at `position` are those of `other`.
    @inlinable
    func equals(_ other: UnsafeRawPointer, at position: Int, length: Int) -> Bool {
        func word<Word: FixedWidthInteger>(_ type: Word.Type, _ offset: Int) -> Bool {
            base.loadUnaligned(fromByteOffset: position + offset, as: Word.self)
                == other.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        var offset = 0
        while offset + 8 <= length {
            guard word(UInt64.self, offset) else { return false }
            offset += 8
        }
        guard offset < length else { return true }
        // The rest by words that overlap.
        if length >= 8 { return word(UInt64.self, length - 8) }
        if length >= 4 { return word(UInt32.self, 0) && word(UInt32.self, length - 4) }
        if length >= 2 { return word(UInt16.self, 0) && word(UInt16.self, length - 2) }
        return word(UInt8.self, 0)
    }
}
