import Messages

extension Identifier {
    /// The id of what a command makes: the same in every repetition with the same key, a new one without a key.
    ///
    /// From a key of version 7 it has the key's time; from any other it is of version 8 (RFC 9562, section 5.8).
    ///
    /// - Parameter index: tells apart what one command makes, from 0.
    static func made(by key: Identifier?, _ index: Int = 0) -> Identifier {
        guard let key else { return .make() }
        let low = mixed(key.low &+ mixed(key.high &+ UInt64(index)))
        let high = mixed(low ^ key.high)
        let variant = UInt64(0b10) << 62
        guard key.version == 7 else {
            return Identifier(high: high & ~0xf000 | 0x8000, low: variant | low >> 2)
        }
        return Identifier(high: key.high & ~0xfff | high & 0xfff, low: variant | low >> 2)
    }

    /// The key of the `index`th of several commands that one command line sends; the first has the key as it is.
    static func key(_ key: Identifier?, _ index: Int) -> Identifier? {
        index == 0 ? key : key.map { made(by: $0, index) }
    }

    /// The steps of SplitMix64: one bit changed in, half of them changed out.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}
