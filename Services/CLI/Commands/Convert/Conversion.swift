import Measures
import Messages

/// An amount, and the same in other units.
struct Conversion: Hashable, Sendable {
    /// As it was read: `250 ml`.
    var amount: String
    /// As it is printed: `1.057 cup`.
    var result: String
    /// The result before it is rounded, as a fraction of its last unit; nil for weights, which have rules of their own.
    var exact: Rational?

    /// Converts `amount` into the unit, or the units, that `target` names.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for texts that aren't understood and units that don't go together,
    ///   ``CLIError/failure(_:)`` for results that don't fit.
    init(_ amount: String, to target: String, density: String?) throws(CLIError) {
        let measured = try Self.measurements(amount)
        let units = try Self.units(target)
        guard let smallest = units.last else { throw .usage("Give the unit for the result, like 'ml'.") }
        do {
            let density = try density.map { text in try Measurement.number(text) }
            var total = try Converter.convert(measured[0].value, from: measured[0].unit, to: smallest, density: density)
            for part in measured.dropFirst() {
                guard part.unit.kind != .temperature else {
                    throw ConversionError.notFalling(measured[0].unit, part.unit)
                }
                total = try total.adding(
                    Converter.convert(part.value, from: part.unit, to: smallest, density: density)
                )
            }
            exact = total
            self.amount = Self.text(measured.map { ($0.value, $0.unit) })
            result =
                units.count == 1
                ? Self.text([(total, smallest)])
                : Self.text(try Converter.split(total, from: smallest, into: units, decimals: 2))
        } catch let error as ConversionError {
            throw .usage(error.needsDensity ? error.description + " --density 1 is that of water." : error.description)
        } catch let error as MeasurementError {
            throw .usage("--density: \(error.description)")
        } catch {
            throw .usage(ConversionError.outOfRange.description)
        }
    }

    /// Shows a weight as the recipe sample does: metric ones in pounds and ounces, others in kilograms and grams.
    ///
    /// - Throws: ``CLIError/usage(_:)``.
    init(weight: String) throws(CLIError) {
        let measured = try Self.measurements(weight)
        do {
            let isMetric = measured[0].unit.system == .metric
            let unit: Unit = isMetric ? .gram : .ounce
            var total = Rational(0)
            for part in measured {
                total = try total.adding(Converter.convert(part.value, from: part.unit, to: unit))
            }
            amount = Self.text(measured.map { ($0.value, $0.unit) })
            result =
                isMetric ? try WeightDisplay.imperial(grams: total) : try WeightDisplay.metric(ounces: total)
        } catch let error as ConversionError {
            throw .usage(
                error.needsDensity ? "--weights takes weights alone, like 453 g or 2 lb 3 oz." : error.description
            )
        } catch {
            throw .usage(ConversionError.outOfRange.description)
        }
    }

    private static func measurements(_ text: String) throws(CLIError) -> [Measurement] {
        do throws(MeasurementError) {
            return try Measurement.read(text)
        } catch .unknownUnit(let name) {
            throw unknownUnit(name)
        } catch {
            throw .usage(error.description)
        }
    }

    /// One unit, or several names behind each other: `lb oz`.
    private static func units(_ text: String) throws(CLIError) -> [Unit] {
        if let unit = Unit(asked: text) { return [unit] }
        return try text.split { $0 == " " || $0 == "," || $0 == "+" }.map { word throws(CLIError) in
            guard let unit = Unit(asked: word) else { throw unknownUnit(String(word)) }
            return unit
        }
    }

    private static func unknownUnit(_ name: String) -> CLIError {
        if name.lowercased().hasPrefix("gas") {
            return .usage("Gas marks are in the table of 'daybook convert --oven'.")
        }
        let known = Unit.convertible.map(\.symbol)
        // One letter is near to every other.
        let nearest = name.count > 1 ? Suggestion.nearest(to: name, among: known) : nil
        let end = nearest.map { "did you mean '\($0)'?" }
        return .usage("No unit \(quoted(name)); " + (end ?? "there are \(known.joined(separator: ", "))."))
    }

    private static func text(_ parts: [(value: Rational, unit: Unit)]) -> String {
        let format = AmountFormat(prefersDecimals: true, decimals: 3)
        return parts.map { "\(format.text($0.value, unit: $0.unit)) \($0.unit.symbol)" }.joined(separator: " ")
    }
}

extension ConversionError {
    fileprivate var needsDensity: Bool {
        if case .needsDensity = self { true } else { false }
    }
}

extension Noun where Row == Conversion {
    /// Conversions as they are printed.
    static let conversion = Noun(
        "conversion",
        plural: "conversions",
        summary: "An amount, and the same in other units.",
        fields: [
            .text("amount", "Amount", "What was converted.") { $0.amount },
            .text("result", "Result", "The same in the other unit, rounded to three decimals.") { $0.result },
            .text("exact", "Exact", "The result as a fraction of its last unit, before it is rounded.") {
                $0.exact?.description
            },
        ]
    )
}

extension Noun where Row == OvenSetting {
    /// Settings of ovens as they are printed.
    static let ovenSetting = Noun(
        "oven-setting",
        plural: "oven-settings",
        summary: "How an oven is set: rounded temperatures that go together.",
        fields: [
            .integer("celsius", "°C", "Degrees Celsius, without a fan.") { Int64($0.celsius) },
            .integer("fahrenheit", "°F", "Degrees Fahrenheit.") { Int64($0.fahrenheit) },
            .text("gasMark", "Gas", "The mark of British gas ovens.") { AmountFormat().text($0.gasMark) },
            .text("heat", "Heat", "What cooks call it.") { $0.heat },
        ]
    )
}
