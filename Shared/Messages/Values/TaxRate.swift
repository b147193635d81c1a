/// A tax rate: a percentage with up to two decimals, from 0 to 100 %. On the wire its hundredths: 19 % is 1900.
public struct TaxRate: Hashable, Comparable, Sendable {
    /// Hundredths of a percent.
    public let hundredths: Int

    /// - Returns: nil outside 0 to 10,000.
    public init?(hundredths: Int) {
        guard 0...10_000 ~= hundredths else { return nil }
        self.hundredths = hundredths
    }

    /// Reads a percentage such as `19` or `5.5`, perhaps with a percent sign behind it, after a blank or not.
    ///
    /// - Throws: ``AmountError``, also for what is negative or above 100.
    public init(parsing text: some StringProtocol) throws(AmountError) {
        var number = String(text)
        if number.utf8.last == UInt8(ascii: "%") {
            number.unicodeScalars.removeLast()
            if let last = number.unicodeScalars.last, [" ", "\u{A0}", "\u{202F}"].contains(last) {
                number.unicodeScalars.removeLast()
            }
        }
        let hundredths = try DecimalText.minorUnits(number, decimals: 2)
        guard let rate = Int(exactly: hundredths).flatMap(TaxRate.init(hundredths:)) else {
            throw .rateOutOfRange(clipped(text))
        }
        self = rate
    }

    public static func < (left: TaxRate, right: TaxRate) -> Bool { left.hundredths < right.hundredths }

    /// The tax that is added to a net amount of minor units, or that a gross amount holds; rounded half away from zero.
    func tax(on amount: Int128, isIncluded: Bool) -> Int128 {
        roundedQuotient(amount * Int128(hundredths), by: isIncluded ? Int128(10_000 + hundredths) : 10_000)
    }
}

extension TaxRate: CustomStringConvertible {
    /// `19 %`, `5.5 %`.
    public var description: String {
        "\(Quantity(millionths: Int64(hundredths) * 10_000)) %"
    }
}

extension TaxRate: Codable {
    /// Reads hundredths of a percent.
    ///
    /// - Throws: `DecodingError` outside 0 to 10,000.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let hundredths = try container.decode(Int.self)
        guard let rate = TaxRate(hundredths: hundredths) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a tax rate is 0 to 10000 hundredths of a percent, not \(hundredths)"
            )
        }
        self = rate
    }

    /// Writes hundredths of a percent.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hundredths)
    }
}
