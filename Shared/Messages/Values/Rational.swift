/// An exact fraction, such as 3/2: reduced, with a positive denominator, so that equal numbers are equal values.
///
/// On the wire a pair, `[3, 2]`. Sums and products are exact or refused, never rounded.
public struct Rational: Hashable, Sendable {
    /// Carries the sign.
    public let numerator: Int64
    /// 1 or more; has no divisor in common with ``numerator``.
    public let denominator: Int64

    /// A whole number.
    public init(_ whole: Int64) {
        numerator = whole
        denominator = 1
    }

    /// `numerator` / `denominator`, reduced.
    ///
    /// - Throws: ``RationalError/divisionByZero`` or ``RationalError/outOfRange``.
    public init(_ numerator: Int64, _ denominator: Int64) throws(RationalError) {
        try self.init(reducing: Int128(numerator), Int128(denominator))
    }

    /// Both parts may be products of two numbers of 64 bits, which 128 bits hold.
    private init(reducing numerator: Int128, _ denominator: Int128) throws(RationalError) {
        guard denominator != 0 else { throw .divisionByZero }
        var (divisor, rest) = (numerator.magnitude, denominator.magnitude)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        let sign: Int128 = denominator < 0 ? -1 : 1
        let common = Int128(divisor) * sign
        guard let top = Int64(exactly: numerator / common), let bottom = Int64(exactly: denominator / common) else {
            throw .outOfRange
        }
        self.numerator = top
        self.denominator = bottom
    }
}

extension Rational {
    /// The exact sum.
    ///
    /// - Throws: ``RationalError/outOfRange``.
    public func adding(_ other: Rational) throws(RationalError) -> Rational {
        let left = Int128(numerator) * Int128(other.denominator)
        let right = Int128(other.numerator) * Int128(denominator)
        return try Rational(reducing: left + right, Int128(denominator) * Int128(other.denominator))
    }

    /// The exact difference.
    ///
    /// - Throws: ``RationalError/outOfRange``.
    public func subtracting(_ other: Rational) throws(RationalError) -> Rational {
        let left = Int128(numerator) * Int128(other.denominator)
        let right = Int128(other.numerator) * Int128(denominator)
        return try Rational(reducing: left - right, Int128(denominator) * Int128(other.denominator))
    }

    /// The exact product.
    ///
    /// - Throws: ``RationalError/outOfRange``.
    public func multiplied(by other: Rational) throws(RationalError) -> Rational {
        try Rational(
            reducing: Int128(numerator) * Int128(other.numerator),
            Int128(denominator) * Int128(other.denominator)
        )
    }

    /// The exact quotient.
    ///
    /// - Throws: ``RationalError/divisionByZero`` or ``RationalError/outOfRange``.
    public func divided(by other: Rational) throws(RationalError) -> Rational {
        try Rational(
            reducing: Int128(numerator) * Int128(other.denominator),
            Int128(denominator) * Int128(other.numerator)
        )
    }

    /// The largest whole number that is not above.
    public var floor: Int64 {
        let (quotient, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// Times 10 to the power of `decimals`, as the nearest whole number; halves away from zero.
    ///
    /// - Parameter decimals: 0 to 18.
    /// - Throws: ``RationalError/outOfRange``.
    public func rounded(decimals: Int) throws(RationalError) -> Int64 {
        var scale = Int128(1)
        for _ in 0..<decimals { scale *= 10 }
        let (quotient, rest) = (Int128(numerator) * scale).quotientAndRemainder(dividingBy: Int128(denominator))
        let isHalf = rest.magnitude * 2 >= denominator.magnitude
        guard let whole = Int64(exactly: quotient + (isHalf ? Int128(rest.signum()) : 0)) else { throw .outOfRange }
        return whole
    }
}

extension Rational: Comparable {
    public static func < (left: Rational, right: Rational) -> Bool {
        Int128(left.numerator) * Int128(right.denominator) < Int128(right.numerator) * Int128(left.denominator)
    }
}

extension Rational: CustomStringConvertible {
    /// `3/2`, or `2` for a whole number.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Rational: Codable {
    /// Reads `[numerator, denominator]`; a denominator below 1 and a fraction that isn't reduced are refused, so that a
    /// number has one form.
    public init(from decoder: any Decoder) throws {
        var pair = try decoder.unkeyedContainer()
        let (top, bottom) = (try pair.decode(Int64.self), try pair.decode(Int64.self))
        guard pair.isAtEnd, bottom > 0, let value = try? Rational(top, bottom), value.denominator == bottom else {
            throw DecodingError.dataCorruptedError(
                in: pair,
                debugDescription: "\(top)/\(bottom) is no reduced fraction with a denominator from 1"
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var pair = encoder.unkeyedContainer()
        try pair.encode(numerator)
        try pair.encode(denominator)
    }
}

/// Why there is no such fraction.
public enum RationalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reduced numerator or denominator takes more than 64 bits.
    case outOfRange
    /// A denominator or divisor of 0.
    case divisionByZero

    public var description: String {
        switch self {
        case .outOfRange: "The number is too large or has too many digits: use a simpler one."
        case .divisionByZero: "There is no number divided by 0: use another divisor."
        }
    }
}
