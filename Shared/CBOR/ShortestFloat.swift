/// The narrowest of half, single and double that keeps a value (RFC 8949, section 4.1).
@usableFromInline
struct ShortestFloat {
    /// 25, 26 or 27: the low bits of the head.
    @usableFromInline let info: UInt8
    @usableFromInline let bits: UInt64

    /// Every NaN becomes the one quiet NaN `7e00`.
    @usableFromInline
    init(_ value: Double) {
        let single = Float(value)
        let half = Float16(single)
        if value.isNaN {
            (info, bits) = (25, 0x7e00)
        } else if Double(half) == value {
            (info, bits) = (25, UInt64(half.bitPattern))
        } else if Double(single) == value {
            (info, bits) = (26, UInt64(single.bitPattern))
        } else {
            (info, bits) = (27, value.bitPattern)
        }
    }

    init(_ head: Head) { self.init(head.double) }
}

extension Head {
    /// The value of a float's head.
    @usableFromInline var double: Double {
        switch info {
        case 25: Double(Float16(bitPattern: UInt16(truncatingIfNeeded: argument)))
        case 26: Double(Float(bitPattern: UInt32(truncatingIfNeeded: argument)))
        default: Double(bitPattern: argument)
        }
    }

    @usableFromInline var isFloat: Bool { major == 7 && info >= 25 && info <= 27 }
    var isNaN: Bool { isFloat && double.isNaN }
}
