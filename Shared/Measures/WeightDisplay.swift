public import Messages

/// Weights as the recipe sample of Apple's Core Data documentation shows them, with 28.349 g to the ounce.
///
/// Kept for those who are used to its numbers; ``Converter`` is exact.
public enum WeightDisplay {
    /// Pounds and ounces to one decimal, no pounds below one: `15.9 oz`, `1 lbs 0 oz`, `2 lbs 3.3 oz`.
    ///
    /// - Parameter grams: 0 or more.
    /// - Throws: ``ConversionError/negative`` or ``ConversionError/outOfRange``.
    public static func imperial(grams: Rational) throws(ConversionError) -> String {
        guard grams >= Rational(0) else { throw .negative }
        do {
            let tenths = try grams.divided(by: gramsInAnOunce).rounded(decimals: 1)
            let (pounds, rest) = tenths.quotientAndRemainder(dividingBy: 160)
            let ounces = AmountFormat(prefersDecimals: true).text(try Rational(rest, 10))
            return pounds == 0 ? "\(ounces) oz" : "\(pounds) lbs \(ounces) oz"
        } catch {
            throw .outOfRange
        }
    }

    /// Whole grams, and kilograms above the first: `28 g`, `992 g`, `1 kg 21 g`.
    ///
    /// - Parameter ounces: 0 or more.
    /// - Throws: ``ConversionError/negative`` or ``ConversionError/outOfRange``.
    public static func metric(ounces: Rational) throws(ConversionError) -> String {
        guard ounces >= Rational(0) else { throw .negative }
        do {
            let exact = try ounces.multiplied(by: gramsInAnOunce)
            let grams = try exact.rounded(decimals: 0)
            guard exact > Rational(1000) else { return "\(grams) g" }
            return "\(grams / 1000) kg \(grams % 1000) g"
        } catch {
            throw .outOfRange
        }
    }

    private static let gramsInAnOunce: Rational = {
        guard let value = try? Rational(28_349, 1000) else { preconditionFailure("28.349 is no fraction") }
        return value
    }()
}
