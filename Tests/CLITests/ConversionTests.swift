import Measures
import Messages
import Testing

@testable import CLI

@Suite struct ConversionTests {
    @Test(
        arguments: [
            ("250 ml", "cup", nil, "1.057 cup"), ("350 F", "C", nil, "176.667 °C"),
            ("453 g", "lb oz", nil, "0 lb 15.98 oz"),
            ("1 1/2 cups", "ml", nil, "354.882 ml"), ("100 ml", "g", "0.6", "60 g"),
            ("2 lb 3 oz", "kg", nil, "0.992 kg"),
            ("-40 C", "F", nil, "-40 °F"), ("1 l", "fl oz", nil, "33.814 fl oz"), ("1 cup", "tbsp", nil, "16 tbsp"),
        ] as [(String, String, String?, String)]
    )
    func converts(_ amount: String, _ target: String, _ density: String?, _ expected: String) throws {
        #expect(try Conversion(amount, to: target, density: density).result == expected)
    }

    @Test(
        arguments: [
            ("2 cups", "g", nil, "--density 1 is that of water"), ("1 cuup", "ml", nil, "did you mean 'cup'?"),
            ("3 t", "ml", nil, "there are mg, g,"), ("1 clove", "g", nil, "clove can't be converted into g"),
            ("1,000 g", "kg", nil, "may be thousands or decimals"), ("5", "ml", nil, "'5' has no unit"),
            ("350 F", "gas", nil, "convert --oven"), ("1 g", "ml", "x", "--density: 'x' is no number"),
            ("1 g", "ml", "0", "above 0"), ("1 kg", "g lb", nil, "the larger first"),
            ("1 C 2 F", "C", nil, "don't make one amount"),
            ("1 g", " ", nil, "Give the unit"), ("99999999999999999 kg", "mg", nil, "too large"),
        ] as [(String, String, String?, String)]
    )
    func saysWhatIsKnown(_ amount: String, _ target: String, _ density: String?, _ sentence: String) {
        let error = #expect(throws: CLIError.self) { try Conversion(amount, to: target, density: density) }
        #expect(error?.description.contains(sentence) ?? false, "\(error?.description ?? "")")
        #expect(error?.processStatus == .usage)
    }

    @Test(
        arguments: [
            ("453 g", "1 lbs 0 oz"), ("1 kg", "2 lbs 3.3 oz"), ("1 oz", "28 g"), ("2 lb 3 oz", "992 g"),
            ("2 lb 4 oz", "1 kg 21 g"),
        ]
    )
    func showsWeightsAsTheSampleDoes(_ weight: String, _ expected: String) throws {
        #expect(try Conversion(weight: weight).result == expected)
    }

    @Test func showsWeightsAlone() {
        #expect(throws: CLIError.self) { try Conversion(weight: "1 cup") }
        #expect(throws: CLIError.self) { try Conversion(weight: "1 clove") }
    }

    @Test func printsTheOvenTable() throws {
        let capture = try Capture()
        try capture.presentation(.csv).list(OvenSetting.all.suffix(1), of: .ovenSetting)
        #expect(try capture.text() == "celsius,fahrenheit,gasMark,heat\n240,475,9,very hot\n")
    }
}

@Suite struct RecipeScaleTests {
    private let soup = Recipe(
        name: "Leek soup",
        yield: "Serves 4",
        ingredients: [
            Ingredient(line: "For the soup", isHeading: true), Ingredient(line: "3 leeks"),
            Ingredient(line: "0,5 l Brühe"),
            Ingredient(line: "1 (400 g) can beans"), Ingredient(line: "Salt"), Ingredient(line: "1,000 g stock"),
        ]
    )

    @Test func printsEachLineAndWhatWasLeft() throws {
        let capture = try Capture()
        let factor = try RecipeScale.factor(soup, servings: Rational(6))
        try capture.presentation().show(RecipeScale(soup, by: factor, mark: nil))
        #expect(
            try capture.text() == """
                Leek soup
                Serves 6

                For the soup
                4 ½ leeks
                0,75 l Brühe
                1 ½ (400 g) can beans  [other numbers as written]
                Salt  [as written: it has no amount]
                1,000 g stock  [as written: '1,000 g' can be read in more than one way]

                2 of 5 lines are as written.

                """
        )
    }

    @Test func printsJSON() throws {
        let capture = try Capture()
        var soup = soup
        soup.ingredients = [Ingredient(line: "3 leeks")]
        let scaled = RecipeScale(soup, by: Rational(2), mark: nil)
        try capture.presentation(.json, fields: ["name", "factor", "yield", "ingredients", "left"]).show(scaled)
        #expect(
            try capture.text() == """
                {
                  "name": "Leek soup",
                  "factor": "2",
                  "yield": "Serves 8",
                  "ingredients": [
                    {
                      "line": "6 leeks",
                      "written": "3 leeks",
                      "isHeading": false,
                      "changed": true,
                      "note": null
                    }
                  ],
                  "left": 0
                }

                """
        )
    }

    @Test(
        arguments: [
            ("24", 23, "23/24", "23"), ("Serves 4-6", 12, "2", "Serves 8-12"), ("4.5 servings", 9, "2", "9 servings"),
            ("3 dozen", 18, "1/2", "1 ½ dozen"), ("5000", 5001, "5001/5000", "5001"),
        ] as [(String, Int64, String, String)]
    )
    func takesTheFactorFromTheYield(_ yield: String, _ servings: Int64, _ expected: String, _ text: String) throws {
        let recipe = Recipe(name: "Rye loaf", yield: yield)
        let factor = try RecipeScale.factor(recipe, servings: Rational(servings))
        #expect(factor.description == expected)
        #expect(RecipeScale(recipe, by: factor, mark: nil).yield == text)
    }

    @Test(arguments: [nil, "Diverse mogelijkheden", "0", "-2"]) func saysWhyServingsAreOff(_ yield: String?) {
        let recipe = Recipe(name: "Rye loaf", yield: yield)
        let error = #expect(throws: CLIError.self) { try RecipeScale.factor(recipe, servings: Rational(2)) }
        #expect(error?.description.contains("give --factor") ?? false)
        #expect(error?.processStatus == .failure)
    }

    @Test func convertsLineByLine() {
        let recipe = Recipe(
            name: "Rye loaf",
            ingredients: [Ingredient(line: "1 cup milk"), Ingredient(line: "2 tbsp oil"), Ingredient(line: "2 eggs")]
        )
        let converted = RecipeScale(recipe, in: .metric, mark: .comma)
        #expect(converted.lines.map(\.line) == ["237 ml milk", "2 tbsp oil", "2 eggs"])
        #expect(converted.lines[2].note == "as written: it has neither a weight nor a volume")
    }
}
