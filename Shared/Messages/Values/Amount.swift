/// How much of something: a number from 0, or a range such as 2 to 3. What it is a number of is told beside it.
public struct Amount: Hashable, Sendable {
    /// The number, or the range's lower end; 0 or more.
    public let lower: Rational
    /// The range's upper end, above ``lower``; nil for a single number.
    public let upper: Rational?

    /// A number, or a range; nil for a number below 0, or an upper end that is not above the lower one.
    public init?(_ lower: Rational, _ upper: Rational? = nil) {
        guard lower >= Rational(0) else { return nil }
        if let upper, upper <= lower { return nil }
        self.lower = lower
        self.upper = upper
    }
}

extension Amount {
    /// Both ends times `factor`, exactly; nil for a factor of 0 or less.
    ///
    /// - Throws: ``RationalError/outOfRange``.
    public func scaled(by factor: Rational) throws(RationalError) -> Amount? {
        guard factor > Rational(0) else { return nil }
        guard let upper else { return Amount(try lower.multiplied(by: factor)) }
        return Amount(try lower.multiplied(by: factor), try upper.multiplied(by: factor))
    }
}

extension Amount: CustomStringConvertible {
    /// `3/2`, or `2-3` for a range.
    public var description: String { upper.map { "\(lower)-\($0)" } ?? lower.description }
}

extension Amount: Codable {
    private enum CodingKeys: String, CodingKey {
        case lower
        case upper
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let lower = try fields.decode(Rational.self, forKey: .lower)
        let upper = try fields.decodeIfPresent(Rational.self, forKey: .upper)
        guard let amount = Amount(lower, upper) else {
            throw DecodingError.dataCorruptedError(
                forKey: upper == nil ? .lower : .upper,
                in: fields,
                debugDescription: "an amount is 0 or more, and its upper end above the lower one"
            )
        }
        self = amount
    }
}
