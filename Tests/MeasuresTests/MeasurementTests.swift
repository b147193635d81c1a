import Messages
import Testing

@testable import Measures

@Suite struct MeasurementTests {
    @Test(
        arguments: [
            ("250 ml", [(250, .milliliter)]), ("250ml", [(250, .milliliter)]),
            ("2 lb 3 oz", [(2, .pound), (3, .ounce)]),
            ("-40 C", [(-40, .celsius)]), ("−40 °F", [(-40, .fahrenheit)]), ("350 f", [(350, .fahrenheit)]),
            ("1 kg, 20 g", [(1, .kilogram), (20, .gram)]), ("4 imp fl oz", [(4, .imperialFluidOunce)]),
        ] as [(String, [(Int64, Measures.Unit)])]
    )
    func readsWhatIsAskedFor(_ text: String, _ expected: [(Int64, Measures.Unit)]) throws {
        #expect(try Measurement.read(text) == expected.map { Measurement(Rational($0), $1) })
    }

    @Test(
        arguments: [
            ("", .unreadable("")), ("ml", .unreadable("ml")), ("250", .noUnit("250")),
            ("250 cuup", .unknownUnit("cuup")),
            ("1,000 g", .unclear("1,000")), ("3 t", .unknownUnit("t")), ("1/0 g", .unreadable("1/0 g")),
            ("1 g x", .unknownUnit("g x")),
        ] as [(String, MeasurementError)]
    )
    func refusesTheRest(_ text: String, _ expected: MeasurementError) {
        #expect(throws: expected) { try Measurement.read(text) }
    }

    @Test func readsNumbersAlone() throws {
        #expect(try Measurement.number("1/2") == Rational(1, 2))
        #expect(try Measurement.number(" 0,6 ") == Rational(3, 5))
        #expect(try Measurement.number("1.125") == Rational(9, 8))
        #expect(try Measurement.number("-1") == Rational(-1))
        for text in ["NaN", "", "1 x", "1e3", "inf", "0x10", "--1"] {
            #expect(throws: MeasurementError.self) { try Measurement.number(text) }
        }
    }
}

@Suite struct ConvertedLineTests {
    @Test(
        arguments: [
            ("1 cup milk", .metric, "237 ml milk"), ("2-3 cups milk", .metric, "473–710 ml milk"),
            ("12oz cheese, soft", .metric, "340 g cheese, soft"), ("3 lb beef", .metric, "1.36 kg beef"),
            ("500 g Mehl", .us, "1.1 lb Mehl"), ("100 g Mehl", .us, "3.53 oz Mehl"),
            ("250 ml Milch", .us, "1.06 cup Milch"),
            ("30 ml Öl", .us, "2.03 tbsp Öl"), ("5 ml Öl", .us, "1.01 tsp Öl"), ("2,5 dl mælk", .us, "1,06 cup mælk"),
            ("2 tbsp oil", .metric, "2 tbsp oil"), ("240 ml (1 cup) milk", .us, "240 ml (1 cup) milk"),
            ("1 pint milk", .imperial, "16.7 imp fl oz milk"), ("8 oz rice", .imperial, "8 oz rice"),
            ("1 lb 2 oz beef", .metric, "510 g beef"),
        ] as [(String, Measures.Unit.System, String)]
    )
    func convertsWeightsAndVolumes(_ line: String, _ system: Measures.Unit.System, _ expected: String) throws {
        #expect(try IngredientLine(line).converted(to: system).text == expected)
    }

    @Test func saysWhyALineIsNotConverted() {
        #expect(throws: ScalingError.noMeasure) { try IngredientLine("2 eggs").converted(to: .metric) }
        #expect(throws: ScalingError.noMeasure) { try IngredientLine("1 heaping cup rice").converted(to: .metric) }
        #expect(throws: ScalingError.unread(.noAmount)) { try IngredientLine("Salt").converted(to: .metric) }
    }
}
