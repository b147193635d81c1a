/// Appends items to a growing buffer, each in its shortest form and of definite length.
///
/// The writer trusts its caller with the structure: after `arrayHead(2)` come two items, after `mapHead(2)` two keys
/// each followed by its value. Cost: no allocation but the buffer's growth, and one copy of all by ``bytes``.
///
///     var writer = CBORWriter()
///     writer.mapHead(1)
///     writer.text("sum")
///     writer.int(1250)      // a1 63 73756d 19 04e2
public struct CBORWriter: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    @usableFromInline var end = 0
    /// How many bytes were written so far.
    @inlinable public var count: Int { end }

    /// A copy of what was written so far.
    public var bytes: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: base, count: end)) }

    /// - Parameter capacity: Bytes to reserve at once.
    public init(capacity: Int = 512) {
        self.capacity = max(capacity, 16)
        base = .allocate(byteCount: self.capacity, alignment: 1)
    }

    deinit {
        base.deallocate()
    }

    /// Lends what was written so far.
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: base, count: end))
    }

    /// Makes room for so many bytes more.
    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - end < more { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        capacity = max(2 * capacity, end + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        larger.copyMemory(from: base, byteCount: end)
        base.deallocate()
        base = larger
    }

    @inlinable @inline(__always)
    mutating func append(_ byte: UInt8) {
        reserve(1)
        base.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
        end += 1
    }

    @inlinable @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        reserve(bytes.count)
        (base + end).copyMemory(from: start, byteCount: bytes.count)
        end += bytes.count
    }

    /// Takes back what was written behind the first `count` bytes.
    mutating func cut(to count: Int) { end = count }

    /// Gives the container that was begun at `start`, with a head of one byte, its true head; what is in it moves where that
    /// is longer.
    @usableFromInline
    mutating func setHead(at start: Int, _ major: UInt8, _ argument: Int) {
        let length = end - start - 1
        guard argument >= 24 else {
            base.storeBytes(of: major << 5 | UInt8(truncatingIfNeeded: argument), toByteOffset: start, as: UInt8.self)
            return
        }
        reserve(8)
        let content = [UInt8](UnsafeRawBufferPointer(start: base + start + 1, count: length))
        end = start
        head(major, UInt64(argument))
        content.withUnsafeBytes { append($0) }
    }

    /// Writes a head: the major type and its argument in as few bytes as hold it.
    @inlinable @inline(__always)
    mutating func head(_ major: UInt8, _ argument: UInt64) {
        if argument < 24 {
            append(major << 5 | UInt8(truncatingIfNeeded: argument))
        } else {
            longHead(major, argument)
        }
    }

    @usableFromInline
    mutating func longHead(_ major: UInt8, _ argument: UInt64) {
        switch argument {
        case ...0xff: bigEndian(major << 5 | 24, UInt8(truncatingIfNeeded: argument))
        case ...0xffff: bigEndian(major << 5 | 25, UInt16(truncatingIfNeeded: argument))
        case ...0xffff_ffff: bigEndian(major << 5 | 26, UInt32(truncatingIfNeeded: argument))
        default: bigEndian(major << 5 | 27, argument)
        }
    }

    private mutating func bigEndian<T: FixedWidthInteger>(_ first: UInt8, _ value: T) {
        append(first)
        withUnsafeBytes(of: value.bigEndian) { append($0) }
    }

    /// Writes 0 … 2⁶⁴ − 1.
    @inlinable
    public mutating func unsigned(_ value: UInt64) { head(0, value) }

    /// Writes −2⁶³ … 2⁶³ − 1.
    @inlinable
    public mutating func int(_ value: Int64) {
        if value >= 0 { head(0, UInt64(value)) } else { head(1, ~UInt64(bitPattern: value)) }
    }

    /// Writes −1 − `magnitude`, down to −2⁶⁴.
    @inlinable
    public mutating func negative(_ magnitude: UInt64) { head(1, magnitude) }

    /// Writes true or false.
    @inlinable
    public mutating func bool(_ value: Bool) { append(value ? 0xf5 : 0xf4) }

    /// Writes null.
    @inlinable
    public mutating func null() { append(0xf6) }

    /// Writes undefined.
    @inlinable
    public mutating func undefined() { append(0xf7) }

    /// Writes a simple value: 0 … 23 or 32 … 255; 24 … 31 do not exist and end the program.
    public mutating func simple(_ value: UInt8) {
        precondition(value < 24 || value >= 32, "simple values 24 to 31 do not exist (RFC 8949, section 3.3)")
        head(7, UInt64(value))
    }

    /// Writes the narrowest of half, single and double that keeps the value; every NaN is `f97e00`.
    public mutating func double(_ value: Double) {
        let float = ShortestFloat(value)
        switch float.info {
        case 25: bigEndian(0xf9, UInt16(truncatingIfNeeded: float.bits))
        case 26: bigEndian(0xfa, UInt32(truncatingIfNeeded: float.bits))
        default: bigEndian(0xfb, float.bits)
        }
    }

    /// Writes a text; its UTF-8 is copied once.
    @inlinable
    public mutating func text(_ value: String) {
        var value = value
        value.withUTF8 { utf8 in
            head(3, UInt64(utf8.count))
            append(UnsafeRawBufferPointer(utf8))
        }
    }

    /// Writes bytes that are UTF-8 as a text.
    @inlinable
    public mutating func text(utf8: UnsafeRawBufferPointer) {
        head(3, UInt64(utf8.count))
        append(utf8)
    }

    /// Writes a literal, such as a key; the head is settled at compile time.
    @inlinable
    public mutating func text(_ value: StaticString) {
        value.withUTF8Buffer { utf8 in
            head(3, UInt64(utf8.count))
            append(UnsafeRawBufferPointer(utf8))
        }
    }

    /// Writes a byte string.
    @inlinable
    public mutating func byteString(_ value: UnsafeRawBufferPointer) {
        head(2, UInt64(value.count))
        append(value)
    }

    /// Writes an array as a byte string.
    @inlinable
    public mutating func byteString(_ value: [UInt8]) {
        value.withUnsafeBytes { byteString($0) }
    }

    /// Writes any bytes as a byte string.
    @inlinable
    public mutating func byteString(_ value: some Collection<UInt8>) {
        byteString([UInt8](value))
    }

    /// Writes the bytes of a span as a byte string.
    @inlinable
    public mutating func byteString(_ value: borrowing RawSpan) {
        value.withUnsafeBytes { byteString($0) }
    }

    /// Begins an array; `count` items follow.
    @inlinable
    public mutating func arrayHead(_ count: Int) { head(4, UInt64(count)) }

    /// Begins a map; `count` keys follow, each with its value.
    @inlinable
    public mutating func mapHead(_ count: Int) { head(5, UInt64(count)) }

    /// Begins a tagged item; its content follows.
    @inlinable
    public mutating func tag(_ number: UInt64) { head(6, number) }

    /// Splices one item that is encoded already; the bytes are not looked at.
    @inlinable
    public mutating func raw(_ item: [UInt8]) { item.withUnsafeBytes { append($0) } }

    /// Splices items that are encoded already; the bytes are not looked at.
    @inlinable
    public mutating func raw(_ items: UnsafeRawBufferPointer) { append(items) }

    /// Splices the items of another writer.
    @inlinable
    public mutating func raw(_ other: borrowing CBORWriter) {
        append(UnsafeRawBufferPointer(start: other.base, count: other.end))
    }
}
