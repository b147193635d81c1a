import Messages
import Testing

@testable import Measures

@Suite struct ScalingTests {
    private func scaled(_ line: String, _ factor: Rational, mark: DecimalMark? = nil) throws -> String {
        try IngredientLine(line).scaled(by: factor, mark: mark).text
    }

    @Test func scalesExactly() throws {
        #expect(try scaled("1/3 g yeast", Rational(3)) == "1 g yeast")
        #expect(try scaled("1/8 tsp salt", Rational(1, 2)) == "1/16 tsp salt")
        #expect(try scaled("0.2 tbsp oil", Rational(3)) == "0.6 tbsp oil")
        #expect(try scaled("1 1/2 cups milk", Rational(2)) == "3 cups milk")
        #expect(try scaled("200 g flour", Rational(5001, 5000)) == "200.04 g flour")
        #expect(try scaled("2200 g flour", Rational(5001, 5000)) == "2200.44 g flour")
        #expect(try scaled("1 onion", Rational(4, 7)) == "0.571 onion")
        #expect(try scaled("0,5 apples", Rational(3)) == "1,5 apples")
        #expect(try scaled("0,5 apples", Rational(3), mark: .point) == "1.5 apples")
        #expect(try scaled("250 g Mehl", Rational(1, 8), mark: .comma) == "31,25 g Mehl")
    }

    @Test(
        arguments: [
            ("  2 – 3  EL Öl, heiß ", "  4 – 6  EL Öl, heiß "), ("10½oz onions", "21oz onions"),
            ("240g (8.5 oz) sugar", "480g (17 oz) sugar"), ("½ cup", "1 cup"), ("1 lb 2 oz beef", "2 lb 4 oz beef"),
            ("¾ cup (6 oz/170 g)  cream (, warm)", "1 ½ cup (12 oz/340 g)  cream (, warm)"),
            ("1 cup cocoa (plus 2 tablespoons )", "2 cup cocoa (plus 4 tablespoons )"),
            ("2 eggs plus 1 egg yolk", "4 eggs plus 2 egg yolk"), ("Öl , 3 - 4 EL", "Öl , 6 - 8 EL"),
            ("1 cup milk or 2 tbsp cream", "2 cup milk or 4 tbsp cream"),
            ("♥バター 大さじ2+大さじ3(60g)", "♥バター 大さじ4+大さじ6(120g)"), ("1\u{a0}½ cup\r", "3 cup\r"),
        ]
    )
    func keepsEverythingButTheAmounts(_ line: String, _ twice: String) throws {
        let changed = try IngredientLine(line).scaled(by: Rational(2))
        #expect(changed.text == twice)
        #expect(!changed.hasOtherNumbers)
    }

    @Test(
        arguments: [
            ("1 (14.5 oz) can beans", "2 (14.5 oz) can beans"), ("2 steaks (about 350g)", "4 steaks (about 350g)"),
            ("400g boeuf en cubes de 25 g", "800g boeuf en cubes de 25 g"),
            ("2 x 400 g can of chickpeas", "4 x 400 g can of chickpeas"),
            ("200 g cookies (2 g each)", "400 g cookies (2 g each)"),
        ]
    )
    func tellsOfNumbersThatItLeaves(_ line: String, _ twice: String) throws {
        let changed = try IngredientLine(line).scaled(by: Rational(2))
        #expect(changed.text == twice)
        #expect(changed.hasOtherNumbers)
    }

    @Test func saysWhyALineIsNotScaled() {
        #expect(throws: ScalingError.unread(.noAmount)) { try scaled("Salt", Rational(2)) }
        #expect(throws: ScalingError.unread(.heading)) { try scaled("For the sauce:", Rational(2)) }
        #expect(throws: ScalingError.unread(.ambiguous("1,000 g"))) { try scaled("1,000 g flour", Rational(2)) }
        #expect(throws: ScalingError.factor) { try scaled("2 eggs", Rational(0)) }
        #expect(throws: ScalingError.factor) { try scaled("2 eggs", Rational(-1)) }
        #expect(throws: ScalingError.outOfRange) { try scaled("2 eggs", Rational(Int64.max)) }
    }

    @Test func leavesALineAloneForAFactorOf1() throws {
        #expect(try scaled("0.50 cup  oil", Rational(1)) == "0.50 cup  oil")
    }
}

@Suite struct AmountFormatTests {
    @Test(
        arguments: [
            (1, 2, nil, "½"), (3, 2, .cup, "1 ½"), (8, 3, .teaspoon, "2 ⅔"), (4, 5, nil, "⅘"), (5, 6, .cup, "⅚"),
            (7, 8, .ounce, "⅞"), (1, 16, .teaspoon, "1/16"), (1, 7, nil, "0.143"), (8, 7, nil, "1.14"),
            (1, 2, .gram, "0.5"), (1, 3, .gram, "0.333"), (5001, 25, .gram, "200.04"), (9, 8, .kilogram, "1.125"),
            (9, 8, .gram, "1.13"), (1, 3000, .gram, "1/3000"), (3, 1, .gram, "3"), (1, 2, .metricTablespoon, "½"),
            (-1, 2, .celsius, "-0.5"), (0, 1, nil, "0"),
        ] as [(Int64, Int64, Measures.Unit?, String)]
    )
    func writesAmountsAsPeopleDo(_ top: Int64, _ bottom: Int64, _ unit: Measures.Unit?, _ expected: String) throws {
        #expect(AmountFormat().text(try Rational(top, bottom), unit: unit) == expected)
    }

    @Test func writesTheMarkThatIsAskedFor() throws {
        #expect(AmountFormat(mark: .comma).text(try Rational(1, 4), unit: .kilogram) == "0,25")
        #expect(AmountFormat(mark: .comma, prefersDecimals: true).text(try Rational(3, 2)) == "1,5")
    }

    @Test func writesRangesWithADash() throws {
        let amount = try #require(Amount(try Rational(1, 2), Rational(2)))
        #expect(AmountFormat().text(amount, unit: .cup) == "½–2")
    }
}
