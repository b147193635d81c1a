/// The digest of a live list's rows, by which a mirror knows that it is right.
///
/// D starts at 0. For each section in order its key, then each of its rows, is added: D ← (D·B + h) mod 2⁶¹−1, with
/// h the 64-bit FNV-1a (draft-eastlake-fnv) of a kind byte (`S` for a key, `R` for a row) and the encoded item, and
/// B = 477555723559750805, a primitive root. The digest of two stretches follows from theirs, so a tree keeps it up to
/// date.
///
/// One section with the key null (`f6`) and one row `01`: h = 0945c007b5d5381c and 09493307b5d8315c (in hexadecimal),
/// D = 1fe50d33f6199ea6.
public struct ListDigest: Hashable, Sendable {
    /// 2⁶¹ − 1, a prime.
    public static let modulus: UInt64 = 0x1fff_ffff_ffff_ffff
    /// B.
    public static let base: UInt64 = 0x06a0_9e66_7f3b_cc95

    /// Below `modulus`.
    public private(set) var value: UInt64 = 0

    public init() {}

    /// Adds a section's key as encoded.
    public mutating func add(section key: [UInt8]) { add(Self.section(key)) }

    /// Adds a row as encoded.
    public mutating func add(row: [UInt8]) { add(Self.row(row)) }

    /// Adds an item by what ``section(_:)`` or ``row(_:)`` made of it.
    @inlinable
    public mutating func add(_ hash: UInt64) { append(hash, Self.base) }

    /// Adds a stretch of `n` items by its own digest and Bⁿ.
    @inlinable
    public mutating func append(_ digest: UInt64, _ power: UInt64) {
        set(Self.sum(Self.product(value, power), digest))
    }

    @usableFromInline
    mutating func set(_ value: UInt64) { self.value = value }

    /// h of a section's key, reduced.
    public static func section(_ key: [UInt8]) -> UInt64 { reduced(hash(kind: UInt8(ascii: "S"), key)) }

    /// h of a row, reduced.
    public static func row(_ row: [UInt8]) -> UInt64 { reduced(hash(kind: UInt8(ascii: "R"), row)) }

    /// FNV-1a, 64 bits, of a kind byte and `bytes`.
    public static func hash(kind: UInt8, _ bytes: [UInt8]) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01b3
        var hash = (0xcbf2_9ce4_8422_2325 ^ UInt64(kind)) &* prime
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* prime }
        return hash
    }

    /// `value` mod 2⁶¹−1.
    @inlinable
    public static func reduced(_ value: UInt64) -> UInt64 {
        let folded = (value & modulus) + (value >> 61)
        return folded >= modulus ? folded - modulus : folded
    }

    /// The sum of two reduced numbers, reduced.
    @inlinable
    public static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let sum = left + right
        return sum >= modulus ? sum - modulus : sum
    }

    /// The product of two reduced numbers, reduced.
    @inlinable
    public static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        // 2⁶¹ ≡ 1, so the part above bit 61 is added to the part below.
        return sum(low & modulus, high << 3 | low >> 61)
    }
}
