/// Appends items to a growing buffer, each in its shortest form and of definite length.
///
/// The writer trusts its caller with the structure: after `arrayHead(2)` come two items, after `mapHead(2)` two keys
/// each followed by its value. Cost: no allocation but the buffer's growth.
///
///     var writer = CBORWriter()
///     writer.mapHead(1)
///     writer.text("sum")
///     writer.int(1250)      // a1 63 73756d 19 04e2
public struct CBORWriter: Sendable {
    /// What was written so far.
    @inlinable public var bytes: [UInt8] { buffer }
    @usableFromInline var buffer: [UInt8]
    /// How many bytes were written so far.
    @inlinable public var count: Int { buffer.count }

    /// - Parameter capacity: Bytes to reserve at once.
    @inlinable
    public init(capacity: Int = 256) {
        buffer = []
        buffer.reserveCapacity(capacity)
    }

    /// Writes a head: the major type and its argument in as few bytes as hold it.
    @inlinable @inline(__always)
    mutating func head(_ major: UInt8, _ argument: UInt64) {
        if argument < 24 {
            buffer.append(major << 5 | UInt8(truncatingIfNeeded: argument))
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
        buffer.append(first)
        withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
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
    public mutating func bool(_ value: Bool) { buffer.append(value ? 0xf5 : 0xf4) }

    /// Writes null.
    @inlinable
    public mutating func null() { buffer.append(0xf6) }

    /// Writes undefined.
    @inlinable
    public mutating func undefined() { buffer.append(0xf7) }

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
            buffer.append(contentsOf: utf8)
        }
    }

    /// Writes bytes that are UTF-8 as a text.
    @inlinable
    public mutating func text(utf8: UnsafeRawBufferPointer) {
        head(3, UInt64(utf8.count))
        buffer.append(contentsOf: utf8)
    }

    /// Writes a literal, such as a key; the head is settled at compile time.
    @inlinable
    public mutating func text(_ value: StaticString) {
        value.withUTF8Buffer { utf8 in
            head(3, UInt64(utf8.count))
            buffer.append(contentsOf: utf8)
        }
    }

    /// Writes a byte string.
    @inlinable
    public mutating func byteString(_ value: UnsafeRawBufferPointer) {
        head(2, UInt64(value.count))
        buffer.append(contentsOf: value)
    }

    /// Writes an array as a byte string.
    @inlinable
    public mutating func byteString(_ value: [UInt8]) {
        head(2, UInt64(value.count))
        buffer.append(contentsOf: value)
    }

    /// Writes any bytes as a byte string.
    @inlinable
    public mutating func byteString(_ value: some Collection<UInt8>) {
        head(2, UInt64(value.count))
        buffer.append(contentsOf: value)
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
    public mutating func raw(_ item: [UInt8]) { buffer.append(contentsOf: item) }

    /// Splices items that are encoded already; the bytes are not looked at.
    @inlinable
    public mutating func raw(_ items: UnsafeRawBufferPointer) { buffer.append(contentsOf: items) }

    /// Splices the items of another writer.
    @inlinable
    public mutating func raw(_ other: borrowing CBORWriter) { buffer.append(contentsOf: other.buffer) }
}
