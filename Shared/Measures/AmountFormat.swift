public import Messages

/// Writes amounts as people do in kitchens: `½`, `1 ½`, `2 ⅔`, `1/16`; grams, litres and whatever was written with
/// decimals as `0.25` or `0,25`.
///
/// What is written exactly reads back as the same number. Other numbers are rounded: to three decimals where such a
/// number can't be taken for thousands, else to two; a tiny one is written as a fraction rather than as 0.
public struct AmountFormat: Hashable, Sendable {
    public var mark: DecimalMark
    /// Decimals before fractions, where they are exact.
    public var prefersDecimals: Bool
    /// The most decimals; nil for as many as can't be taken for thousands when the text is read again.
    public var decimals: Int?

    public init(mark: DecimalMark = .point, prefersDecimals: Bool = false, decimals: Int? = nil) {
        self.mark = mark
        self.prefersDecimals = prefersDecimals
        self.decimals = decimals
    }

    /// A number, or a range with an en dash: `2–3`.
    public func text(_ amount: Amount, unit: Unit? = nil) -> String {
        let lower = text(amount.lower, unit: unit)
        return amount.upper.map { "\(lower)–\(text($0, unit: unit))" } ?? lower
    }

    /// - Parameter unit: what the number counts: metric units take decimals.
    public func text(_ value: Rational, unit: Unit? = nil) -> String {
        if value.denominator == 1 { return "\(value.numerator)" }
        if value < Rational(0) { return "-" + text(negated: value, unit) }
        let places = decimals ?? (value < Rational(1) || isClear(unit) ? 3 : 2)
        let isMetric = unit?.takesDecimals ?? false
        if isMetric || prefersDecimals, Self.isExact(value, places) { return decimals(value, places) }
        if !isMetric, let fraction = fraction(value) { return fraction }
        if value < Self.smallestDecimal { return "\(value)" }
        return decimals(value, places)
    }

    private func text(negated value: Rational, _ unit: Unit?) -> String {
        guard let positive = try? Rational(0).subtracting(value) else { return "\(value)".dropFirst().description }
        return text(positive, unit: unit)
    }

    /// Whether three decimals behind a whole number are sure to be decimals when they are read.
    private func isClear(_ unit: Unit?) -> Bool {
        if unit == .kilogram || unit == .liter || unit?.kind == .temperature { return true }
        return mark == .point && [.us, .imperial].contains(unit?.system)
    }

    private func fraction(_ value: Rational) -> String? {
        let whole = value.floor
        guard let rest = try? value.subtracting(Rational(whole)) else { return nil }
        let prefix = whole == 0 ? "" : "\(whole) "
        if let sign = Self.signs[rest] { return prefix + sign }
        guard [16, 32].contains(rest.denominator) else { return nil }
        return prefix + "\(rest)"
    }

    private func decimals(_ value: Rational, _ places: Int) -> String {
        guard let scaled = try? value.rounded(decimals: places) else { return "\(value.floor)" }
        var digits = DecimalText.text(scaled, decimals: places)
        while digits.hasSuffix("0") { digits.removeLast() }
        if digits.hasSuffix(".") { digits.removeLast() }
        return mark == .point ? digits : String(digits.map { $0 == "." ? "," : $0 })
    }

    private static func isExact(_ value: Rational, _ places: Int) -> Bool {
        var scale = Int64(1)
        for _ in 0..<places { scale *= 10 }
        return scale % value.denominator == 0
    }

    private static let smallestDecimal = rational(1, 1000)

    private static let signs: [Rational: String] = {
        var signs: [Rational: String] = [:]
        for (scalar, (top, bottom)) in LineScanner.fractions where top > 0 && [2, 3, 4, 5, 6, 8].contains(bottom) {
            signs[rational(top, bottom)] = String(scalar)
        }
        return signs
    }()

    private static func rational(_ top: Int64, _ bottom: Int64) -> Rational {
        guard let value = try? Rational(top, bottom) else { preconditionFailure("\(top)/\(bottom) is no fraction") }
        return value
    }
}

extension Unit {
    /// Metric masses, volumes and all temperatures are written with decimals; spoons and cups with fractions.
    var takesDecimals: Bool {
        switch self {
        case .metricTeaspoon, .metricTablespoon, .metricCup, .spiceMeasure: false
        default: kind == .temperature || system == .metric
        }
    }
}
