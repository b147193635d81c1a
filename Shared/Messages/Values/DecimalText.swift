/// Plain decimal numbers and whole minor units, either way, without floating point.
///
/// The form is `-1234.50`: an optional sign, digits, and perhaps a point with digits on both sides.
public enum DecimalText {
    /// The minor units that `text` says: with 2 decimals, `12`, `12.5` and `12.50` are 1200, 1250 and 1250.
    ///
    /// The sign is `+`, `-` or U+2212 MINUS SIGN. Read by bytes, so that no combining mark hides a digit or a sign.
    ///
    /// - Parameter decimals: 0 to 18.
    /// - Throws: ``AmountError``: for more digits after the point than `decimals`, even zeros; exponents; letters;
    ///   blanks; grouping; a second sign; a bare point; a number beyond 64 bits; no text at all.
    public static func minorUnits(_ text: some StringProtocol, decimals: Int) throws(AmountError) -> Int64 {
        guard !text.isEmpty else { throw .empty }
        var magnitude = UInt64(0)
        var negative = false
        var signed = false
        var digits = 0
        var fraction: Int?
        var overflow = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0"..."9":
                let digit = UInt64(scalar.value - 0x30)
                overflow = !append(digit, to: &magnitude) || overflow
                digits += 1
                fraction = fraction.map { $0 + 1 }
            case "+", "-", "\u{2212}":
                guard !signed, digits == 0, fraction == nil else { throw .misplacedSign(clipped(text)) }
                signed = true
                negative = scalar != "+"
            case ".":
                guard digits > 0, fraction == nil else { throw .misplacedPoint(clipped(text)) }
                fraction = 0
            case ",": throw .comma(clipped(text))
            case "e", "E": throw digits > 0 ? .exponent(clipped(text)) : .unexpected(scalar, in: clipped(text))
            case _ where scalar.properties.isWhitespace: throw .blank(clipped(text))
            default: throw .unexpected(scalar, in: clipped(text))
            }
        }
        guard digits > 0 else { throw .misplacedSign(clipped(text)) }
        guard fraction != 0 else { throw .misplacedPoint(clipped(text)) }
        guard fraction ?? 0 <= decimals else { throw .tooManyDecimals(clipped(text), allowed: decimals) }
        for _ in (fraction ?? 0)..<decimals { overflow = !append(0, to: &magnitude) || overflow }
        let limit = UInt64(Int64.max) + (negative ? 1 : 0)
        guard !overflow, magnitude <= limit else { throw .outOfRange(clipped(text)) }
        // Through wrapping subtraction, because the smallest number has no positive twin.
        return negative ? 0 &- Int64(bitPattern: magnitude) : Int64(magnitude)
    }

    /// The text of `minorUnits`, always with all `decimals` (0 to 18): -123450 with 2 is `-1234.50`, 5 is `0.05`.
    public static func text(_ minorUnits: Int64, decimals: Int) -> String {
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let whole = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return sign + whole.dropLast(decimals) + "." + whole.suffix(decimals)
    }

    private static func append(_ digit: UInt64, to number: inout UInt64) -> Bool {
        let (product, tooLarge) = number.multipliedReportingOverflow(by: 10)
        let (sum, overflow) = product.addingReportingOverflow(digit)
        number = sum
        return !tooLarge && !overflow
    }
}
