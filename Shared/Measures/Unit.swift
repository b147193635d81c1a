public import Messages

/// What an amount in a recipe is counted in.
///
/// Spoons, cups, pints and gallons are those of the United States where nothing else is said; the metric spoons of
/// other languages (`EL`, `msk`, `cucchiaio`) and imperial measures are units of their own.
public enum Unit: String, CaseIterable, Hashable, Sendable {
    case milligram = "mg"
    case gram = "g"
    /// 10 g, the `dkg` of Austria and Hungary.
    case decagram = "dag"
    case hectogram = "hg"
    case kilogram = "kg"
    case ounce = "oz"
    case pound = "lb"

    case milliliter = "ml"
    case centiliter = "cl"
    case deciliter = "dl"
    case liter = "l"
    case teaspoon = "tsp"
    case tablespoon = "tbsp"
    case fluidOunce = "fl oz"
    case cup = "cup"
    case pint = "pint"
    case quart = "quart"
    case gallon = "gallon"
    /// 1 ml, the Swedish kryddmått.
    case spiceMeasure = "krm"
    case metricTeaspoon = "metric tsp"
    case metricTablespoon = "metric tbsp"
    case metricCup = "metric cup"
    case imperialFluidOunce = "imp fl oz"
    case imperialPint = "imp pint"
    case imperialQuart = "imp quart"
    case imperialGallon = "imp gallon"

    case celsius = "°C"
    case fahrenheit = "°F"

    case bag
    case bottle
    case box
    case bunch
    case can
    case clove
    case container
    case cube
    case dash
    case drop
    case envelope
    case handful
    case head
    case jar
    case knob
    case leaf
    case loaf
    case package
    case piece
    case pinch
    case sheet
    case slice
    case splash
    case sprig
    case stalk
    case stick
    case tube

    /// What can be converted into each other; ``count`` converts into nothing.
    public enum Kind: Hashable, Sendable {
        case mass
        case volume
        case temperature
        case count
    }

    /// The system that a unit belongs to.
    public enum System: String, Hashable, Sendable {
        case metric
        case us
        case imperial
    }

    /// The canonical sign or word: `g`, `fl oz`, `clove`. Stored with recipes.
    public var symbol: String { rawValue }

    public var kind: Kind {
        switch self {
        case .milligram, .gram, .decagram, .hectogram, .kilogram, .ounce, .pound: .mass
        case .celsius, .fahrenheit: .temperature
        case _ where Self.factors[self] != nil: .volume
        default: .count
        }
    }

    /// Nil for what is counted, which is the same everywhere.
    public var system: System? {
        switch self {
        case .ounce, .pound, .teaspoon, .tablespoon, .fluidOunce, .cup, .pint, .quart, .gallon, .fahrenheit: .us
        case .imperialFluidOunce, .imperialPint, .imperialQuart, .imperialGallon: .imperial
        default: kind == .count ? nil : .metric
        }
    }

    /// How many grams or millilitres one is, exactly; nil for temperatures and what is counted.
    ///
    /// The pound is the international one of 0.453 592 37 kg, the US gallon 231 cubic inches (NIST Handbook 44,
    /// appendix C), the imperial gallon 4.546 09 l (Units of Measurement Regulations 1995, schedule), the metric spoons
    /// 5 and 15 ml, the metric cup 250 ml.
    public var factor: Rational? { Self.factors[self] }

    private static let factors: [Unit: Rational] = {
        let table: [(Unit, Int64, Int64)] = [
            (.milligram, 1, 1000), (.gram, 1, 1), (.decagram, 10, 1), (.hectogram, 100, 1), (.kilogram, 1000, 1),
            (.pound, 45_359_237, 100_000), (.ounce, 45_359_237, 1_600_000),
            (.milliliter, 1, 1), (.centiliter, 10, 1), (.deciliter, 100, 1), (.liter, 1000, 1),
            (.gallon, 3_785_411_784, 1_000_000), (.quart, 3_785_411_784, 4_000_000),
            (.pint, 3_785_411_784, 8_000_000), (.cup, 3_785_411_784, 16_000_000),
            (.fluidOunce, 3_785_411_784, 128_000_000), (.tablespoon, 3_785_411_784, 256_000_000),
            (.teaspoon, 3_785_411_784, 768_000_000),
            (.spiceMeasure, 1, 1), (.metricTeaspoon, 5, 1), (.metricTablespoon, 15, 1), (.metricCup, 250, 1),
            (.imperialGallon, 454_609, 100), (.imperialQuart, 454_609, 400), (.imperialPint, 454_609, 800),
            (.imperialFluidOunce, 454_609, 16_000),
        ]
        var factors: [Unit: Rational] = [:]
        for (unit, top, bottom) in table {
            guard let factor = try? Rational(top, bottom) else {
                preconditionFailure("\(unit) has a factor that is no fraction")
            }
            factors[unit] = factor
        }
        return factors
    }()
}
