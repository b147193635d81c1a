internal import Messages

extension IngredientLine {
    /// The line with its masses and volumes in units of a system, to three digits; everything else as it was written.
    ///
    /// Spoons stay, since every kitchen has them. A line that says its amount in units of the system already, as
    /// `240 g (8.5 oz)` does in both, stays as it is; the text is then the same.
    ///
    /// - Parameter mark: the decimal mark of new numbers; that of the number replaced where it is nil.
    /// - Throws: ``ScalingError/unread(_:)``; ``ScalingError/noMeasure`` where nothing is measured; and
    ///   ``ScalingError/outOfRange``.
    public func converted(to system: Unit.System, mark: DecimalMark? = nil) throws(ScalingError) -> Changed {
        if let unread { throw .unread(unread) }
        let measured = wholes.filter { $0.isMeasured && $0.modifier == nil }
        guard !measured.isEmpty else { throw .noMeasure }
        let isThere = measured.contains { $0.unit?.belongs(to: system) ?? false }
        guard !isThere else { return Changed(text: text, hasOtherNumbers: false) }
        var replacements: [(range: Range<Int>, text: String)] = []
        for quantity in measured.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard let text = quantity.text(in: system, mark) else { throw .outOfRange }
            replacements.append((quantity.range, text))
        }
        return Changed(
            text: LineScanner(text).replacing(replacements),
            hasOtherNumbers: hasOtherNumbers || measured.count < quantities.count
        )
    }
}

extension IngredientLine {
    /// The amounts, with the parts of one as one: `1 lb 2 oz` as 9/8 lb.
    private var wholes: [Quantity] {
        var wholes: [Quantity] = []
        for quantity in quantities {
            guard quantity.isPart, let unit = quantity.unit, var whole = wholes.popLast(), let larger = whole.unit,
                let part = try? Converter.convert(quantity.lower.value, from: unit, to: larger),
                let sum = try? whole.lower.value.adding(part)
            else {
                wholes.append(quantity)
                continue
            }
            whole.lower.value = sum
            whole.range = whole.range.lowerBound..<quantity.range.upperBound
            wholes.append(whole)
        }
        return wholes
    }
}

extension Quantity {
    /// `237 ml`; nil where the number takes more than 64 bits.
    fileprivate func text(in system: Unit.System, _ mark: DecimalMark?) -> String? {
        guard let unit, let target = unit.counterpart(of: (upper ?? lower).value, in: system) else { return nil }
        let format = AmountFormat(mark: mark ?? lower.mark ?? .point, prefersDecimals: true)
        var texts: [String] = []
        for number in numbers {
            guard let value = try? Converter.convert(number.value, from: unit, to: target).roundedToThreeDigits() else {
                return nil
            }
            texts.append(format.text(value, unit: target))
        }
        return "\(texts.joined(separator: "–")) \(target.symbol)"
    }
}

extension WrittenNumber {
    fileprivate var mark: DecimalMark? {
        if case .decimal(let mark) = form { mark } else { nil }
    }
}

extension Unit {
    /// Teaspoons and tablespoons of any size.
    var isSpoon: Bool {
        switch self {
        case .teaspoon, .tablespoon, .metricTeaspoon, .metricTablespoon, .spiceMeasure: true
        default: false
        }
    }

    /// Whether it needs no conversion there: ounces and pounds are American and British, and spoons are everywhere.
    fileprivate func belongs(to system: System) -> Bool {
        isSpoon || self.system == system || kind == .mass && self.system == .us && system == .imperial
    }

    /// The unit of `system` in which people would write `value` of this one.
    fileprivate func counterpart(of value: Rational, in system: System) -> Unit? {
        let steps: [(Unit, from: Unit)] =
            switch (kind, system) {
            case (.mass, .metric): [(.kilogram, .kilogram), (.gram, .gram)]
            case (.volume, .metric): [(.liter, .liter), (.milliliter, .milliliter)]
            case (.mass, _): [(.pound, .pound), (.ounce, .ounce)]
            case (.volume, .imperial): [(.imperialPint, .imperialPint), (.imperialFluidOunce, .imperialFluidOunce)]
            case (.volume, _): [(.cup, .fluidOunce), (.tablespoon, .tablespoon), (.teaspoon, .teaspoon)]
            default: []
            }
        for (unit, least) in steps {
            guard let converted = try? Converter.convert(value, from: self, to: least) else { return nil }
            // A quarter of a cup is two ounces; less is told in spoons.
            let limit = Rational(least == .fluidOunce ? 2 : 1)
            if converted >= limit { return unit }
        }
        return steps.last?.0
    }
}

extension Rational {
    /// To three digits: 236.588 is 237, 1.0567 is 1.06.
    fileprivate func roundedToThreeDigits() throws(RationalError) -> Rational {
        guard self > Rational(0) else { return self }
        var (decimals, scale) = (0, Int64(1))
        while decimals < 6, try multiplied(by: Rational(scale)) < Rational(100) {
            decimals += 1
            scale *= 10
        }
        return try Rational(try rounded(decimals: decimals), scale)
    }
}
