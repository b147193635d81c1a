/// Reads items one after another from borrowed bytes that were validated as a whole beforehand.
///
/// `withBytes` and `CBORDecoder` make readers; both validate first, so every count is true, all text is UTF-8, no map
/// holds a key twice, and unknown values may be skipped unseen. A reader can't be copied and so can't outlive the bytes.
/// After a read that threw, the position is unspecified.
///
/// For a ``CBORShortcut`` the decoder first makes a reader over bytes that nobody looked at: it holds each item that it
/// reads to the wire's profile, and a shortcut reads all items. Whatever is wrong makes the decoder validate and read again.
///
/// Under `.rfc8949` the typed reads pass over tags, and a container of indefinite length reads like any other: its head
/// tells the true count, and its break is passed over unasked.
///
///     for _ in 0..<(try reader.mapHead()) {
///         switch try reader.text() {
///         case "sum": sum = try reader.int()
///         default: try reader.skipItem()
///         }
///     }
public struct CBORReader: ~Copyable {
    @usableFromInline let bytes: ItemBytes
    /// Offset of the next byte, from the start of the buffer.
    @inlinable public var position: Int { offset }
    @usableFromInline var offset: Int
    /// Whether items of the wire's profile alone are read: no tag and no break stands anywhere.
    @usableFromInline let isWire: Bool
    /// Whether the bytes were validated beforehand.
    @usableFromInline let isValidated: Bool

    @usableFromInline
    init(bytes: ItemBytes, position: Int = 0, isWire: Bool = false) {
        self.bytes = bytes
        self.isWire = isWire
        isValidated = true
        offset = position
    }

    /// A reader of bytes that nobody validated: it checks what it reads.
    init(checking bytes: ItemBytes) {
        self.bytes = bytes
        isWire = true
        isValidated = false
        offset = 0
    }

    /// Validates `buffer` as one item and reads it with `body`.
    ///
    /// - Throws: What the validation refused, what `body` threw, `.trailingBytes` if `body` left something unread.
    public static func withBytes<R>(
        _ buffer: UnsafeRawBufferPointer,
        profile: CBORProfile = .wire,
        maximumDepth: Int = 32,
        _ body: (inout CBORReader) throws(CBORError) -> R
    ) throws(CBORError) -> R {
        let bytes = ItemBytes(buffer)
        var validator = Validator(bytes, profile: profile, maximumDepth: maximumDepth)
        try validator.wholeInput()
        var reader = CBORReader(bytes: bytes, isWire: profile == .wire)
        let result = try body(&reader)
        guard reader.atEnd else { throw .trailingBytes(offset: reader.position) }
        return result
    }

    /// Validates `array` as one item and reads it with `body`.
    public static func withBytes<R>(
        _ array: [UInt8],
        profile: CBORProfile = .wire,
        maximumDepth: Int = 32,
        _ body: (inout CBORReader) throws(CBORError) -> R
    ) throws(CBORError) -> R {
        try array.withUnsafeBufferPointer { (buffer) throws(CBORError) in
            try withBytes(UnsafeRawBufferPointer(buffer), profile: profile, maximumDepth: maximumDepth, body)
        }
    }

    /// Reads `array` with `body`, without validating it first: what is read is held to the wire's profile.
    ///
    /// For a type that is read in its usual form by this, and by `CBORDecoder` in any other. The body reads every item, and
    /// less deep than 16.
    ///
    /// - Returns: nil where the body threw, or left something unread.
    public static func quickly<R>(_ array: [UInt8], _ body: (inout CBORReader) throws(CBORError) -> R) -> R? {
        array.withUnsafeBytes { buffer in
            var reader = CBORReader(checking: ItemBytes(buffer))
            guard let result = try? body(&reader), reader.offset == buffer.count else { return nil }
            return result
        }
    }

    /// The major type of the next item (RFC 8949, section 3.1), tags and breaks included; nil at the end. Reads nothing.
    public var majorType: UInt8? { offset < bytes.count ? bytes[offset] >> 5 : nil }

    /// Whether everything was read.
    public var atEnd: Bool {
        var position = offset
        bytes.skipBreaks(&position)
        return position == bytes.count
    }

    /// Reads the next head that is neither a tag nor the break of a container that has been read.
    @inlinable @inline(__always)
    mutating func next() throws(CBORError) -> Head {
        if offset < bytes.count {
            let first = bytes[offset]
            if first & 31 < 24, first >> 5 != 6 {
                offset += 1
                return Head(major: first >> 5, info: first & 31, argument: UInt64(first & 31))
            }
        }
        return try longNext()
    }

    @usableFromInline
    mutating func longNext() throws(CBORError) -> Head {
        while true {
            let start = offset
            let head = try bytes.head(at: &offset)
            if !isValidated { try head.requireWireProfile(at: start) }
            if head.major < 6 || (head.major == 7 && !head.isBreak) { return head }
        }
    }

    @inlinable
    func mismatch(_ expected: String, _ head: Head) -> CBORError {
        .typeMismatch(path: "", expected: expected, found: head.kind)
    }

    /// Reads 0 … 2⁶⁴ − 1; `.outOfRange` below 0.
    public mutating func unsigned() throws(CBORError) -> UInt64 { try integer(as: UInt64.self) }

    /// Reads −2⁶³ … 2⁶³ − 1; `.outOfRange` beyond.
    public mutating func int() throws(CBORError) -> Int64 { try integer(as: Int64.self) }

    /// Reads an integer of any width.
    ///
    /// - Throws: `.outOfRange` if `type` can't hold it.
    @inlinable
    public mutating func integer<T: FixedWidthInteger>(as type: T.Type) throws(CBORError) -> T {
        let head = try next()
        guard head.major <= 1 else { throw mismatch("an integer", head) }
        let bits = T(truncatingIfNeeded: head.argument)
        if head.major == 0 {
            if let value = T(exactly: head.argument) { return value }
        } else if T.isSigned, bits >= 0, UInt64(truncatingIfNeeded: bits) == head.argument {
            return ~bits
        }
        throw .outOfRange(path: "", value: "\(CBORValue(integer: head))", type: "\(type)")
    }

    /// Reads true or false.
    @inlinable
    public mutating func bool() throws(CBORError) -> Bool {
        let head = try next()
        guard head.major == 7, head.info == 20 || head.info == 21 else { throw mismatch("a boolean", head) }
        return head.info == 21
    }

    /// Reads a float of any width, or an integer that a `Double` keeps exactly.
    public mutating func double() throws(CBORError) -> Double {
        let head = try next()
        if head.isFloat { return head.double }
        guard head.major <= 1 else { throw mismatch("a number", head) }
        let magnitude = head.major == 0 ? Double(exactly: head.argument) : Double(exactly: UInt128(head.argument) + 1)
        guard let magnitude else {
            throw .outOfRange(path: "", value: "\(CBORValue(integer: head))", type: "Double")
        }
        return head.major == 0 ? magnitude : -magnitude
    }

    /// Whether the next item is null (or undefined); reads nothing.
    @inlinable
    public var isNull: Bool {
        if isWire { return offset < bytes.count && bytes[offset] & 0xfe == 0xf6 }
        var ahead = CBORReader(bytes: bytes, position: offset)
        guard let head = try? ahead.next() else { return false }
        return head.major == 7 && (head.info == 22 || head.info == 23)
    }

    /// Reads null (or undefined).
    public mutating func null() throws(CBORError) {
        let head = try next()
        guard head.major == 7, head.info == 22 || head.info == 23 else { throw mismatch("null", head) }
    }

    /// Reads a text; the chunks of an indefinite one are joined.
    @inlinable
    public mutating func text() throws(CBORError) -> String {
        let head = try next()
        guard head.major == 3 else { throw mismatch("a text string", head) }
        guard !head.isIndefinite else { return String(decoding: try chunks(), as: UTF8.self) }
        let range = try bytes.string(head, at: &offset)
        guard isValidated || bytes.isUTF8(range) else { throw .invalidUTF8(offset: range.lowerBound) }
        return String(decoding: bytes.buffer(range), as: UTF8.self)
    }

    /// Lends the UTF-8 of a text to `body` without copying it.
    @inlinable
    public mutating func withText<R>(_ body: (UnsafeRawBufferPointer) throws(CBORError) -> R) throws(CBORError) -> R {
        let head = try next()
        guard head.major == 3 else { throw mismatch("a text string", head) }
        guard !head.isIndefinite else {
            return try chunks().withUnsafeBufferPointer { (buffer) throws(CBORError) in
                try body(UnsafeRawBufferPointer(buffer))
            }
        }
        let range = try bytes.string(head, at: &offset)
        guard isValidated || bytes.isUTF8(range) else { throw .invalidUTF8(offset: range.lowerBound) }
        return try body(bytes.buffer(range))
    }

    /// Reads the next item if it is exactly this text, such as the key that is expected next.
    ///
    /// - Returns: Whether it was read. Cheaper than `text()`, since nothing is made of the bytes.
    @inlinable
    public mutating func takes(_ expected: StaticString) throws(CBORError) -> Bool {
        let length = expected.utf8CodeUnitCount
        guard isWire, length < 24, expected.hasPointerRepresentation else { return try takesLong(expected) }
        guard offset + length < bytes.count, bytes[offset] == 0x60 | UInt8(truncatingIfNeeded: length),
            bytes.equals(UnsafeRawPointer(expected.utf8Start), at: offset + 1, length: length)
        else { return false }
        offset += 1 + length
        return true
    }

    @usableFromInline
    mutating func takesLong(_ expected: StaticString) throws(CBORError) -> Bool {
        let start = offset
        var ahead = offset
        bytes.skipBreaks(&ahead)
        let head = try bytes.head(at: &ahead)
        if !isValidated { try head.requireWireProfile(at: start) }
        guard head.major == 3, !head.isIndefinite, head.argument == UInt64(expected.utf8CodeUnitCount) else {
            return false
        }
        let range = try bytes.string(head, at: &ahead)
        let isEqual = expected.withUTF8Buffer { utf8 in
            utf8.count == 0
                || bytes.equals(
                    UnsafeRawPointer(utf8.baseAddress.unsafelyUnwrapped),
                    at: range.lowerBound,
                    length: utf8.count
                )
        }
        if isEqual { offset = ahead }
        return isEqual
    }

    /// Reads a byte string into an array; the chunks of an indefinite one are joined.
    public mutating func byteString() throws(CBORError) -> [UInt8] {
        try withByteString { Array($0) }
    }

    /// Lends the bytes of a byte string to `body` without copying them.
    @inlinable
    public mutating func withByteString<R>(
        _ body: (UnsafeRawBufferPointer) throws(CBORError) -> R
    ) throws(CBORError) -> R {
        let head = try next()
        guard head.major == 2 else { throw mismatch("a byte string", head) }
        guard !head.isIndefinite else {
            return try chunks().withUnsafeBufferPointer { (buffer) throws(CBORError) in
                try body(UnsafeRawBufferPointer(buffer))
            }
        }
        return try body(bytes.buffer(try bytes.string(head, at: &offset)))
    }

    /// Joins the chunks of an indefinite string whose head was read.
    @usableFromInline
    mutating func chunks() throws(CBORError) -> [UInt8] {
        var joined: [UInt8] = []
        while true {
            let chunk = try bytes.head(at: &offset)
            guard !chunk.isBreak else { return joined }
            joined += bytes.buffer(try bytes.string(chunk, at: &offset))
        }
    }

    /// Enters an array and tells how many items it holds: never more than there are bytes left.
    @inlinable
    public mutating func arrayHead() throws(CBORError) -> Int {
        let head = try next()
        guard head.major == 4 else { throw mismatch("an array", head) }
        return try count(of: head, perByte: 1)
    }

    /// Enters a map and tells how many pairs it holds.
    @inlinable
    public mutating func mapHead() throws(CBORError) -> Int {
        let head = try next()
        guard head.major == 5 else { throw mismatch("a map", head) }
        return try count(of: head, perByte: 2)
    }

    @inlinable
    func count(of head: Head, perByte items: Int) throws(CBORError) -> Int {
        guard !head.isIndefinite else { return try bytes.itemsUntilBreak(from: offset) / items }
        // Always so in validated bytes; a type that read past its own item must not get a count out of thin air.
        guard head.argument <= UInt64(bytes.count - offset) else { throw .truncated(offset: bytes.count) }
        return Int(head.argument)
    }

    /// Reads a tag's number if a tag is next; its content follows.
    public mutating func tag() throws(CBORError) -> UInt64? {
        bytes.skipBreaks(&offset)
        var ahead = offset
        let head = try bytes.head(at: &ahead)
        guard head.major == 6 else { return nil }
        offset = ahead
        return head.argument
    }

    /// Passes over one item with all it contains; iterative for definite lengths.
    public mutating func skipItem() throws(CBORError) {
        guard isValidated else { return try checkItem() }
        try bytes.skip(&offset)
    }

    /// Passes over one item and tells where its bytes are.
    public mutating func rawItem() throws(CBORError) -> Range<Int> {
        bytes.skipBreaks(&offset)
        let start = offset
        try skipItem()
        return start..<offset
    }

    /// Validates one item and passes over it.
    private mutating func checkItem() throws(CBORError) {
        var validator = Validator(bytes, profile: .wire, maximumDepth: Self.uncheckedDepth)
        offset = try validator.item(from: offset)
    }

    /// What is around an item within a ``CBORShortcut`` is less deep than this, and the item itself may be as deep: together no
    /// deeper than a decoder allows that takes shortcuts.
    static let uncheckedDepth = 16

    /// A copy of the bytes that `rawItem()` told.
    public func copy(_ range: Range<Int>) -> [UInt8] {
        let range = range.clamped(to: 0..<bytes.count)
        return Array(bytes.buffer(range))
    }
}
