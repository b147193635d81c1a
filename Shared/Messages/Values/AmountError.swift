/// Why an amount or a currency is refused. Texts found are clipped to 40 characters.
public enum AmountError: Error, Hashable, Sendable {
    /// Nothing was written.
    case empty
    /// A space, tab or line end somewhere in the text.
    case blank(String)
    /// A sign alone, a second sign, or one that is not in front.
    case misplacedSign(String)
    /// A comma, as thousands or decimals are grouped in some countries.
    case comma(String)
    /// An exponent, as in `1e3`.
    case exponent(String)
    /// A character that is no part of an amount.
    case unexpected(Unicode.Scalar, in: String)
    /// A point without digits on both sides, or two points.
    case misplacedPoint(String)
    /// More decimals than the currency has.
    case tooManyDecimals(String, allowed: Int)
    /// Beyond what 64 bits of minor units hold.
    case outOfRange(String)
    /// A sum or a difference beyond what 64 bits of minor units hold.
    case sumOutOfRange(Currency)
    /// A tax rate below 0 or above 100 %.
    case rateOutOfRange(String)
    /// No active code of ISO 4217; the nearest one, if any is near.
    case unknownCurrency(String, suggestion: Currency?)
    /// Amounts of two currencies never add up.
    case differentCurrencies(Currency, Currency)
}

extension AmountError: CustomStringConvertible {
    /// What was found.
    public var found: String {
        switch self {
        case .empty: ""
        case .blank(let text), .misplacedSign(let text), .comma(let text), .exponent(let text),
            .unexpected(_, let text),
            .misplacedPoint(let text), .tooManyDecimals(let text, _), .outOfRange(let text), .rateOutOfRange(let text),
            .unknownCurrency(let text, _):
            text
        case .sumOutOfRange(let currency): currency.code
        case .differentCurrencies(let left, let right): "\(left) and \(right)"
        }
    }

    /// A sentence: what was found and what to try.
    public var description: String {
        switch self {
        case .empty: "No amount was given: write one like 12.50."
        case .blank: "\"\(found)\" holds a blank: write the amount without blanks, like 1234.50."
        case .misplacedSign: "\"\(found)\" has a sign in the wrong place: write one sign in front, like -12.50."
        case .comma: "\"\(found)\" holds a comma: write a point before the decimals and no grouping, like 1234.50."
        case .exponent: "\"\(found)\" holds an exponent: write all digits, like 1000."
        case .unexpected(let scalar, _):
            "\"\(found)\" holds \(scalar.escaped(asASCII: false)): write only digits and a point, like 12.50."
        case .misplacedPoint: "\"\(found)\" has a point in the wrong place: write digits on both sides, like 0.50."
        case .tooManyDecimals(_, 0): "\"\(found)\" has decimals, and this currency has none: write a whole number."
        case .tooManyDecimals(_, let allowed):
            "\"\(found)\" has too many decimals: write at most \(allowed), like \(DecimalText.text(1234, decimals: allowed))."
        case .outOfRange: "\"\(found)\" is beyond the largest amount that can be kept: use a smaller one."
        case .sumOutOfRange:
            "The sum in \(found) is beyond the largest that can be kept: take fewer or smaller amounts."
        case .rateOutOfRange: "\"\(found)\" is no tax rate: write a percentage from 0 to 100, like 19 or 5.5."
        case .unknownCurrency(_, let suggestion?): "\"\(found)\" is not a currency code: did you mean \(suggestion)?"
        case .unknownCurrency: "\"\(found)\" is not a currency code: use three letters of ISO 4217, like EUR."
        case .differentCurrencies: "Amounts in \(found) can't be added up: take each currency by itself."
        }
    }
}
