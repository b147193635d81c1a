/// A UUID: 16 bytes, most significant first (RFC 9562, section 4).
///
/// New ones are version 7, so their byte order is the order in which they were made:
///
///     018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47
///     └ 48 bits ms ─┘ │└┬┘ │└──── 62 random bits
///           version 7 ┘ │  └ variant, bits 10
///              12-bit counter
///
/// Ordering is by bytes, the same as SQLite's order of the 16-byte blobs.
public struct Identifier: Hashable, Sendable {
    /// Bytes 0 to 7, the first byte in the most significant place.
    public let high: UInt64
    /// Bytes 8 to 15, the first byte in the most significant place.
    public let low: UInt64

    /// Any 128 bits; version and variant are not looked at.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes in wire order; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for byte in bytes {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
        self.init(high: high, low: low)
    }

    /// The same for bytes in memory.
    public init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    /// The 16 bytes in wire order. Allocates; see ``withUnsafeBytes(_:)``.
    public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

    /// Lends the 16 bytes in wire order, without allocating; they are valid only inside `body`.
    ///
    /// - Throws: what `body` throws.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
    }

    /// The version digit, 0 to 15 (RFC 9562, section 4.2).
    public var version: Int { Int(high >> 12 & 0xf) }

    /// When a version 7 identifier was made, in milliseconds since 1970 UTC; `nil` for other versions.
    public var milliseconds: Int64? { version == 7 ? Int64(high >> 16) : nil }
}

extension Identifier: Comparable {
    public static func < (left: Identifier, right: Identifier) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

extension Identifier: LosslessStringConvertible {
    /// The form 8-4-4-4-12 in digits of either case, nothing before or after; `nil` for any other text.
    public init?(_ text: String) {
        let bytes = text.utf8.span
        guard bytes.count == 36 else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for position in bytes.indices {
            let byte = bytes[position]
            if isHyphen(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = hexadecimalValue(byte) else { return nil }
                high = high << 4 | low >> 60
                low = low << 4 | digit
            }
        }
        self.init(high: high, low: low)
    }

    /// The form 8-4-4-4-12 in lower case.
    public var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var nibble = 0
            for position in 0..<36 {
                if isHyphen(position) {
                    buffer[position] = UInt8(ascii: "-")
                } else {
                    buffer[position] = digit(nibble)
                    nibble += 1
                }
            }
            return 36
        }
    }

    /// All 32 digits in lower case, without hyphens.
    public var hexadecimal: String { tail(32) }

    /// The last `count` digits in lower case, for a short name on the screen; `count` is held to 0...32.
    ///
    /// The end tells version 7 identifiers apart; their beginning is the time and looks alike.
    public func tail(_ count: Int) -> String {
        let count = min(max(count, 0), 32)
        return String(unsafeUninitializedCapacity: count) { buffer in
            for position in 0..<count { buffer[position] = digit(32 - count + position) }
            return count
        }
    }

    /// All identifiers whose digits begin with `prefix`, as the smallest and the greatest; `nil` if that isn't 1 to
    /// 32 digits. Hyphens are passed over, wherever they stand.
    public static func range(prefix: String) -> ClosedRange<Identifier>? {
        var (high, low, count) = (UInt64(0), UInt64(0), 0)
        for byte in prefix.utf8 where byte != UInt8(ascii: "-") {
            guard count < 32, let digit = hexadecimalValue(byte) else { return nil }
            if count < 16 { high |= digit << (60 - 4 * count) } else { low |= digit << (124 - 4 * count) }
            count += 1
        }
        guard count > 0 else { return nil }
        let first = Identifier(high: high, low: low)
        // Shifts past the width give 0 in Swift, so both halves follow one rule.
        let last = Identifier(high: high | UInt64.max >> (4 * count), low: low | UInt64.max >> max(0, 4 * count - 64))
        return first...last
    }

    private func digit(_ index: Int) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: index < 16 ? high >> (60 - 4 * index) : low >> (124 - 4 * index)) & 0xf
        return value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension Identifier: Codable {
    /// Reads the text of 36 characters.
    ///
    /// - Throws: `DecodingError` for other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Identifier(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "not an identifier of the form 8-4-4-4-12"
            )
        }
        self = value
    }

    /// Writes the text of 36 characters.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

private func isHyphen(_ position: Int) -> Bool {
    position == 8 || position == 13 || position == 18 || position == 23
}

private func hexadecimalValue(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}
