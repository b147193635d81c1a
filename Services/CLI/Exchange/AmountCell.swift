import Measures
import Messages
import Text

/// An amount as people and spreadsheets write it: `1.234,50`, `-12,25`, `4.711,98 €`, `USD 1,234.50`, `1 234,5`.
///
/// Thousands may be parted by the mark that is not the decimal one, by blanks or by apostrophes, all alike and in groups
/// of three. A sign of a currency, or its code, may stand before or behind; it must be of the amount's currency.
enum AmountCell {
    /// What currencies are written with beside their codes; a `$` is any dollar's, as `kr` is any crown's.
    private static let signs: [(sign: String, codes: Set<String>)] = [
        ("€", ["EUR"]), ("£", ["GBP"]), ("¥", ["JPY", "CNY"]),
        ("$", ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN"]), ("kr", ["SEK", "NOK", "DKK", "ISK"]),
    ]

    /// Reads an amount.
    ///
    /// - Throws: ``AmountError``, also for groups that are not of three.
    static func money(_ text: String, decimal: DecimalMark, currency: Currency) throws(AmountError) -> Money {
        let number = withoutCurrency(TextNormalizer.trimmedNormalized(text), currency)
        return try Money(parsing: try plain(number, decimal: decimal), currency: currency)
    }

    /// A number by a decimal point and without groups.
    ///
    /// - Throws: ``AmountError/unexpected(_:in:)`` for another character, also for groups that are not of three; what
    ///   else is wrong with the number is left to who reads it.
    static func plain(_ number: String, decimal: DecimalMark) throws(AmountError) -> String {
        if let plain = ungrouped(number, decimal) { return plain }
        let wrong = number.unicodeScalars.first {
            !("0"..."9" ~= $0) && $0 != decimal.scalar && !["-", "+", "\u{2212}"].contains($0)
        }
        if let wrong { throw .unexpected(wrong, in: number) }
        return number
    }

    private static func withoutCurrency(_ text: String, _ currency: Currency) -> String {
        let words = [currency.code] + signs.filter { $0.codes.contains(currency.code) }.map(\.sign)
        for word in words {
            if text.hasSuffix(word) { return trimmed(text.dropLast(word.count)) }
            if text.hasPrefix(word) { return trimmed(text.dropFirst(word.count)) }
            // The sign of the number before that of the currency: -€5.
            if let sign = text.first, sign == "-" || sign == "+" || sign == "\u{2212}", text.dropFirst().hasPrefix(word)
            {
                return String(sign) + trimmed(text.dropFirst(1 + word.count))
            }
        }
        return text
    }

    private static func trimmed(_ text: Substring) -> String { TextNormalizer.trimmedNormalized(String(text)) }

    /// The number by a decimal point and without groups; nil where it is none.
    private static func ungrouped(_ text: String, _ decimal: DecimalMark) -> String? {
        var scalars = Array(text.unicodeScalars)[...]
        var plain = ""
        if let sign = scalars.first, ["-", "+", "\u{2212}"].contains(sign) {
            plain.unicodeScalars.append(sign)
            scalars.removeFirst()
        }
        let parts = scalars.split(separator: decimal.scalar, omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first else { return nil }
        let separators = whole.filter { !("0"..."9" ~= $0) }
        guard Set(separators).count <= 1, separators.allSatisfy({ isGroupMark($0, decimal) }) else { return nil }
        let groups = whole.split(omittingEmptySubsequences: false) { !("0"..."9" ~= $0) }
        guard groups.count == 1 || 1...3 ~= groups[0].count && groups.dropFirst().allSatisfy({ $0.count == 3 }) else {
            return nil
        }
        for group in groups { plain.unicodeScalars.append(contentsOf: group) }
        guard parts.count == 2 else { return plain }
        plain += "."
        plain.unicodeScalars.append(contentsOf: parts[1])
        return plain
    }

    private static func isGroupMark(_ scalar: Unicode.Scalar, _ decimal: DecimalMark) -> Bool {
        scalar == decimal.other.scalar || [" ", "\u{A0}", "\u{202F}", "'", "\u{2019}"].contains(scalar)
    }
}
