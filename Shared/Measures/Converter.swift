public import Messages

/// Converts amounts between units by exact factors; nothing is rounded before it is written.
public enum Converter {
    /// `value` of one unit in another of the same kind; masses into volumes and back where a density is given.
    ///
    /// - Parameter density: grams per millilitre: water has 1, flour about 0.6.
    /// - Throws: ``ConversionError``.
    public static func convert(
        _ value: Rational,
        from: Unit,
        to: Unit,
        density: Rational? = nil
    ) throws(ConversionError) -> Rational {
        if let density, density <= Rational(0) { throw .density }
        if from.kind == .temperature, to.kind == .temperature { return try temperature(value, from, to) }
        guard value >= Rational(0) else { throw .negative }
        if from == to { return value }
        guard let source = from.factor, let target = to.factor else { throw .noConversion(from, to) }
        do {
            let factor = try source.divided(by: target)
            if from.kind == to.kind { return try value.multiplied(by: factor) }
            guard let density else { throw ConversionError.needsDensity(from, to) }
            let weighed = from.kind == .volume ? density : try Rational(1).divided(by: density)
            return try value.multiplied(by: factor).multiplied(by: weighed)
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .outOfRange
        }
    }

    /// `value` in several units of one kind, from the largest: 1 lb 0.05 oz. All but the last are whole numbers, the last
    /// is rounded to `decimals`; what rounds up to a whole larger unit goes there.
    ///
    /// - Parameter units: at least one, falling, of one kind that is no temperature.
    /// - Throws: ``ConversionError``.
    public static func split(
        _ value: Rational,
        from: Unit,
        into units: [Unit],
        decimals: Int,
        density: Rational? = nil
    ) throws(ConversionError) -> [(value: Rational, unit: Unit)] {
        guard let last = units.last else { return [] }
        for (larger, smaller) in zip(units, units.dropFirst()) {
            guard let high = larger.factor, let low = smaller.factor, larger.kind == smaller.kind, high > low else {
                throw .notFalling(larger, smaller)
            }
        }
        do {
            var scale = Int64(1)
            for _ in 0..<decimals { scale *= 10 }
            // Rounded before it is split, so that 15.97 oz are a pound.
            let exact = try convert(value, from: from, to: last, density: density)
            var rest = try Rational(exact.rounded(decimals: decimals), scale)
            var parts: [(value: Rational, unit: Unit)] = []
            for unit in units.dropLast() {
                let size = try convert(Rational(1), from: unit, to: last)
                let count = Rational(try rest.divided(by: size).floor)
                rest = try rest.subtracting(count.multiplied(by: size))
                parts.append((count, unit))
            }
            return parts + [(rest, last)]
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .outOfRange
        }
    }

    private static func temperature(
        _ value: Rational,
        _ from: Unit,
        _ to: Unit
    ) throws(ConversionError) -> Rational {
        do {
            let (nine, five, freezing) = (Rational(9), Rational(5), Rational(32))
            let celsius =
                from == .celsius ? value : try value.subtracting(freezing).multiplied(by: five).divided(by: nine)
            guard celsius >= (try Rational(-27_315, 100)) else { throw ConversionError.belowAbsoluteZero }
            if from == to { return value }
            return to == .celsius ? celsius : try value.multiplied(by: nine).divided(by: five).adding(freezing)
        } catch let error as ConversionError {
            throw error
        } catch {
            throw .outOfRange
        }
    }
}

/// Why an amount isn't converted.
public enum ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One of the units is a count, or they measure different things.
    case noConversion(Unit, Unit)
    /// A mass and a volume.
    case needsDensity(Unit, Unit)
    /// The density is 0 or less.
    case density
    /// A mass or volume below 0.
    case negative
    case belowAbsoluteZero
    /// The second of two parts is not smaller, or of another kind.
    case notFalling(Unit, Unit)
    /// The result takes more than 64 bits.
    case outOfRange

    public var description: String {
        switch self {
        case .noConversion(let from, let to): "\(from.symbol) can't be converted into \(to.symbol)."
        case .needsDensity(let from, let to):
            "\(from.symbol) and \(to.symbol) are a mass and a volume: how they compare depends on what is measured. "
                + "Its density in grams per millilitre is needed."
        case .density: "A density must be above 0 grams per millilitre."
        case .negative: "A mass or volume can't be below 0."
        case .belowAbsoluteZero: "There is no temperature below -273.15 °C."
        case .notFalling(let first, let second):
            "\(first.symbol) and \(second.symbol) don't make one amount: name units of one kind, the larger first, "
                + "like lb oz."
        case .outOfRange: "The result is too large or has too many digits: use a simpler number."
        }
    }
}
