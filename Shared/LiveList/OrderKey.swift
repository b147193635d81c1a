public import Messages

/// What a row is ordered by, as bytes whose order is the order of the rows: comparing two is one `memcmp`.
///
/// Build the keys of all rows of one list from the same components in the same directions. An absent value comes
/// first, last when descending. `ORDER BY` over the columns gives the same order in SQLite, and so does a BLOB column
/// that holds `bytes`.
///
///     var key = OrderKey()
///     key.add(day, descending: true)
///     key.add(collationKey: bytes)
///
/// One component after another, each free of prefixes:
///
///     integer 5                80 00 00 00 00 00 00 05     big-endian, sign flipped
///     the same, descending     7f ff ff ff ff ff ff fa     every byte inverted
///     bytes 61 00 62           61 00 ff 62 00 00           00 as 00 ff, then 00 00
public struct OrderKey: Hashable, Sendable, Comparable {
    /// What is compared.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// Adds an integer. Absent equals the lowest one.
    public mutating func add(_ value: Int64?, descending: Bool = false) {
        add(UInt64(bitPattern: value ?? .min) ^ 1 << 63, bytes: 8, descending)
    }

    /// Adds a number; −0 equals 0, and what isn't a number comes last.
    public mutating func add(_ value: Double?, descending: Bool = false) {
        guard let value else { return add(0, bytes: 8, descending) }
        let bits = value.isNaN ? Double.nan.bitPattern : (value + 0).bitPattern
        add(bits >> 63 == 1 ? ~bits : bits | 1 << 63, bytes: 8, descending)
    }

    /// Adds a flag, false before true.
    public mutating func add(_ value: Bool, descending: Bool = false) {
        add(value ? 1 : 0, bytes: 1, descending)
    }

    /// Adds a calendar day.
    public mutating func add(_ day: CalendarDay?, descending: Bool = false) {
        add(day.map { UInt64($0.year << 9 | $0.month << 5 | $0.day) } ?? 0, bytes: 3, descending)
    }

    /// Adds an identifier, by its bytes.
    public mutating func add(_ id: Identifier?, descending: Bool = false) {
        add(id == nil ? 0 : 1, bytes: 1, descending)
        add(id?.high ?? 0, bytes: 8, descending)
        add(id?.low ?? 0, bytes: 8, descending)
    }

    /// Adds text by its collation key, as a library of collation made it. Empty for absent text.
    public mutating func add(collationKey: [UInt8], descending: Bool = false) {
        add(escaped: collationKey, descending)
    }

    /// Adds text by its UTF-8: capitals before small letters, accents last. Absent equals empty.
    public mutating func add(text: String?, descending: Bool = false) {
        add(escaped: (text ?? "").utf8, descending)
    }

    private mutating func add(_ value: UInt64, bytes count: Int, _ descending: Bool) {
        let value = descending ? ~value : value
        for place in (0..<count).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
    }

    private mutating func add(escaped value: some Sequence<UInt8>, _ descending: Bool) {
        let mask: UInt8 = descending ? 0xff : 0
        for byte in value {
            bytes.append(byte ^ mask)
            if byte == 0 { bytes.append(0xff ^ mask) }
        }
        bytes.append(mask)
        bytes.append(mask)
    }

    public static func < (left: OrderKey, right: OrderKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
