public import Messages

extension IngredientLine {
    /// A line with other amounts.
    public struct Changed: Hashable, Sendable {
        /// The line, all but its amounts as it was written.
        public let text: String
        /// Whether it holds numbers that were left as they are, such as the weight in `2 steaks (about 350 g)`.
        public let hasOtherNumbers: Bool
    }

    /// The line for `factor` times as much: each amount is replaced, everything else stays as it was written.
    ///
    /// The line itself keeps its exact numbers, so that any factor and its inverse lead back to it.
    ///
    /// - Parameters:
    ///   - factor: above 0.
    ///   - mark: the decimal mark of new numbers; that of each old number where it is nil, and a point where that has none.
    /// - Throws: ``ScalingError``.
    public func scaled(by factor: Rational, mark: DecimalMark? = nil) throws(ScalingError) -> Changed {
        guard factor > Rational(0) else { throw .factor }
        if let unread { throw .unread(unread) }
        guard factor != Rational(1) else { return Changed(text: text, hasOtherNumbers: hasOtherNumbers) }
        var replacements: [(range: Range<Int>, text: String)] = []
        for (number, unit) in numbers {
            guard let value = try? number.value.multiplied(by: factor) else { throw .outOfRange }
            replacements.append((number.range, number.format(mark).text(value, unit: unit)))
        }
        return Changed(text: LineScanner(text).replacing(replacements), hasOtherNumbers: hasOtherNumbers)
    }
}

extension WrittenNumber {
    /// How a number in the place of this one is written: decimals for decimals, with the same mark.
    func format(_ mark: DecimalMark?) -> AmountFormat {
        switch form {
        case .decimal(let own), .decimalOrThousands(let own): AmountFormat(mark: mark ?? own, prefersDecimals: true)
        case .whole, .fraction: AmountFormat(mark: mark ?? .point)
        }
    }
}

/// Why a line isn't scaled or converted.
public enum ScalingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The factor is 0 or less.
    case factor
    case unread(UnreadAmount)
    /// There is neither a mass nor a volume to convert.
    case noMeasure
    /// The product takes more than 64 bits.
    case outOfRange

    public var description: String {
        switch self {
        case .factor: "A factor must be above 0."
        case .unread(let reason): reason.description
        case .noMeasure: "it has neither a weight nor a volume"
        case .outOfRange: "its amount would be too large or have too many digits"
        }
    }
}
