import Messages
import Testing

@testable import Measures

@Suite struct ConverterTests {
    @Test func convertsExactly() throws {
        #expect(try Converter.convert(Rational(1), from: .cup, to: .tablespoon) == Rational(16))
        #expect(try Converter.convert(Rational(1), from: .gallon, to: .cup) == Rational(16))
        #expect(try Converter.convert(Rational(1), from: .pound, to: .gram) == Rational(45_359_237, 100_000))
        #expect(try Converter.convert(Rational(1), from: .cup, to: .milliliter) == Rational(473_176_473, 2_000_000))
        #expect(try Converter.convert(Rational(350), from: .fahrenheit, to: .celsius) == Rational(1590, 9))
        #expect(try Converter.convert(Rational(-40), from: .celsius, to: .fahrenheit) == Rational(-40))
        #expect(try Converter.convert(Rational(1), from: .imperialPint, to: .imperialFluidOunce) == Rational(20))
        #expect(try Converter.convert(Rational(3), from: .clove, to: .clove) == Rational(3))
    }

    @Test func thereAndBackIsTheSame() throws {
        let value = try Rational(7, 3)
        for from in Unit.allCases {
            for to in Unit.allCases where from.kind == to.kind && (from.kind != .count || from == to) {
                let there = try Converter.convert(value, from: from, to: to)
                #expect(try Converter.convert(there, from: to, to: from) == value)
            }
        }
    }

    @Test func takesADensityBetweenMassAndVolume() throws {
        let flour = try Rational(6, 10)
        #expect(try Converter.convert(Rational(100), from: .milliliter, to: .gram, density: flour) == Rational(60))
        #expect(try Converter.convert(Rational(60), from: .gram, to: .milliliter, density: flour) == Rational(100))
        #expect(throws: ConversionError.needsDensity(.gram, .cup)) {
            try Converter.convert(Rational(100), from: .gram, to: .cup)
        }
        #expect(throws: ConversionError.density) {
            try Converter.convert(Rational(1), from: .gram, to: .cup, density: Rational(0))
        }
    }

    @Test func refusesWhatHasNoConversion() {
        #expect(throws: ConversionError.noConversion(.clove, .gram)) {
            try Converter.convert(Rational(1), from: .clove, to: .gram)
        }
        #expect(throws: ConversionError.noConversion(.celsius, .gram)) {
            try Converter.convert(Rational(1), from: .celsius, to: .gram)
        }
        #expect(throws: ConversionError.negative) { try Converter.convert(Rational(-1), from: .gram, to: .pound) }
        #expect(throws: ConversionError.belowAbsoluteZero) {
            try Converter.convert(Rational(-500), from: .fahrenheit, to: .celsius)
        }
        #expect(throws: ConversionError.outOfRange) {
            try Converter.convert(Rational(Int64.max), from: .kilogram, to: .milligram)
        }
    }

    @Test func splitsIntoWholeLargerUnits() throws {
        func split(_ grams: Int64, _ units: [Measures.Unit], _ decimals: Int) throws -> [Rational] {
            try Converter.split(Rational(grams), from: .gram, into: units, decimals: decimals).map(\.value)
        }
        #expect(try split(500, [.pound, .ounce], 2) == [Rational(1), Rational(164, 100)])
        // 15.979 oz, which rounds up to a pound.
        #expect(try split(453, [.pound, .ounce], 1) == [Rational(1), Rational(0)])
        #expect(try split(1021, [.kilogram, .gram], 0) == [Rational(1), Rational(21)])
        #expect(throws: ConversionError.notFalling(.ounce, .pound)) { try split(1, [.ounce, .pound], 0) }
        #expect(throws: ConversionError.notFalling(.pound, .cup)) { try split(1, [.pound, .cup], 0) }
    }

    @Test(
        arguments: [
            (100, "3.5 oz"), (452, "15.9 oz"), (453, "1 lbs 0 oz"), (1000, "2 lbs 3.3 oz"), (19999, "44 lbs 1.5 oz"),
            (0, "0 oz"),
        ] as [(Int64, String)]
    )
    func showsGramsAsTheSampleDoes(_ grams: Int64, _ expected: String) throws {
        #expect(try WeightDisplay.imperial(grams: Rational(grams)) == expected)
    }

    @Test(arguments: [(1, "28 g"), (35, "992 g"), (36, "1 kg 21 g"), (0, "0 g")] as [(Int64, String)])
    func showsOuncesAsTheSampleDoes(_ ounces: Int64, _ expected: String) throws {
        #expect(try WeightDisplay.metric(ounces: Rational(ounces)) == expected)
    }

    @Test func refusesNegativeWeights() {
        #expect(throws: ConversionError.negative) { try WeightDisplay.imperial(grams: Rational(-1)) }
        #expect(throws: ConversionError.negative) { try WeightDisplay.metric(ounces: Rational(-1)) }
    }

    @Test func hasTheElevenSettingsOfAnOven() throws {
        let rows = OvenSetting.all.map {
            "\($0.celsius)/\($0.fahrenheit)/\(AmountFormat().text($0.gasMark)) \($0.heat)"
        }
        #expect(
            rows == [
                "110/225/¼ very slow", "120/250/½ very slow", "140/275/1 slow", "150/300/2 slow", "160/325/3 moderate",
                "180/350/4 moderate", "190/375/5 moderately hot", "200/400/6 moderately hot", "220/425/7 hot",
                "230/450/8 hot", "240/475/9 very hot",
            ]
        )
    }
}
