/// How much of something: a decimal number with up to 6 places, exact; may be negative.
///
/// On the wire it is text in its shortest form, `2` or `0.333`, so that equal quantities have equal bytes.
public struct Quantity: Hashable, Sendable {
    /// Decimals that can be kept.
    public static let places = 6

    /// In millionths.
    public let millionths: Int64

    /// A whole number of millionths.
    public init(millionths: Int64) {
        self.millionths = millionths
    }

    /// Reads a number such as `2`, `1.5` or `-0.25`; see ``DecimalText/minorUnits(_:decimals:)``.
    ///
    /// - Throws: ``AmountError``; nothing is ever rounded.
    public init(parsing text: some StringProtocol) throws(AmountError) {
        self.init(millionths: try DecimalText.minorUnits(text, decimals: Self.places))
    }

    /// One.
    public static let one = Quantity(millionths: 1_000_000)

    /// What this many cost at `price` minor units each, rounded half away from zero to whole minor units.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public func times(_ price: Int64, currency: Currency) throws(AmountError) -> Int64 {
        let product = roundedQuotient(Int128(millionths) * Int128(price), by: 1_000_000)
        guard let sum = Int64(exactly: product) else { throw .sumOutOfRange(currency) }
        return sum
    }
}

extension Quantity: CustomStringConvertible {
    /// Without zeros behind the last decimal: `2`, `1.5`, `-0.25`.
    public var description: String {
        var text = DecimalText.text(millionths, decimals: Self.places)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension Quantity: Codable {
    /// Reads text such as `1.5`.
    ///
    /// - Throws: `DecodingError` with the sentence of the ``AmountError``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(AmountError) {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the shortest form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The quotient rounded to a whole number, halves away from zero: 5 by 2 is 3, -5 by 2 is -3.
///
/// - Parameter divisor: above 0.
func roundedQuotient(_ number: Int128, by divisor: Int128) -> Int128 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    let doubled = remainder * 2
    if doubled >= divisor { return quotient + 1 }
    if doubled <= -divisor { return quotient - 1 }
    return quotient
}
