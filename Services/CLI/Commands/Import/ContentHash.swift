import Messages

/// FNV-1a over 128 bits, mixed at the end: ids that are the same wherever and whenever they are made from a text.
///
/// `Identifier.imported("customer", "ALFKI")` hashes the bytes `customer`, 00, `ALFKI`, and is of version 8 (RFC 9562,
/// section 5.8). It must never change: a second import finds by it what the first one stored.
struct ContentHash: Sendable {
    private var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            value ^= UInt128(byte)
            value &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
        }
    }

    /// The hash as an id of version 8.
    var identifier: Identifier {
        let high = UInt64(truncatingIfNeeded: value >> 64)
        let low = UInt64(truncatingIfNeeded: value)
        // FNV leaves the last bytes in the low digits; ids are told apart by either end.
        let first = Self.mixed(high ^ Self.mixed(low))
        let second = Self.mixed(low &+ first)
        return Identifier(high: first & ~0xf000 | 0x8000, low: 0b10 << 62 | second >> 2)
    }

    /// The steps of SplitMix64.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}

extension Identifier {
    /// The id of what is imported, by what it is called where it comes from.
    ///
    /// - Parameter keys: one, or several for a part of a record: the order's and the row's.
    static func imported(_ entity: String, _ keys: String...) -> Identifier {
        var hash = ContentHash()
        hash.add(entity.utf8)
        for key in keys {
            hash.add(CollectionOfOne(0))
            hash.add(key.utf8)
        }
        return hash.identifier
    }
}
