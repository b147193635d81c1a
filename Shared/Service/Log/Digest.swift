/// FNV-1a, 64 bits (draft-eastlake-fnv): fingerprints of commands and the chain over the event log.
///
/// Not a defence against forgery; it tells two honest histories apart. A byte costs about a nanosecond.
package struct Digest: Sendable {
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }

    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
    }

    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0xFF)
    }

    package mutating func add(number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var digest = Digest()
        digest.add(bytes)
        return digest.value
    }
}
