import Messages
import Testing

@testable import Measures

@Suite struct IngredientLineTests {
    /// A line and what is read: the amount, the unit's symbol, the name, the note.
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let amount: String?
        let unit: String?
        let name: String
        let note: String?

        init(_ line: String, _ amount: String?, _ unit: String?, _ name: String, _ note: String? = nil) {
            (self.line, self.amount, self.unit, self.name, self.note) = (line, amount, unit, name, note)
        }

        var testDescription: String { line }
    }

    private func check(_ expected: Case) {
        let line = IngredientLine(expected.line)
        #expect(line.amount?.description == expected.amount)
        #expect(line.unit?.symbol == expected.unit)
        #expect(line.name == expected.name)
        #expect(line.note == expected.note)
        #expect(line.text == expected.line)
        #expect((line.unread == nil) == (expected.amount != nil))
    }

    @Test(
        arguments: [
            Case("½ cup food", "1/2", "cup", "food"), Case("1½ cup milk", "3/2", "cup", "milk"),
            Case("1 ½ cup water", "3/2", "cup", "water"), Case("1⁄2 teaspoon cumin", "1/2", "tsp", "cumin"),
            Case("3 1/2 cups sugar", "7/2", "cup", "sugar"), Case("1/3 cup soy sauce", "1/3", "cup", "soy sauce"),
            Case("⅓ cup oil", "1/3", "cup", "oil"), Case("¹⁄₄ cup juice", "1/4", "cup", "juice"),
            Case("½\u{a0}teaspoon soda", "1/2", "tsp", "soda"), Case("10½oz onions", "21/2", "oz", "onions"),
            Case("0.333 cup flour", "333/1000", "cup", "flour"), Case("1-1/2 cups rice", "3/2", "cup", "rice"),
            Case("1 and 1/3 cup flour", "4/3", "cup", "flour"), Case("1 & ¼ cups flour", "5/4", "cup", "flour"),
            Case("1\u{2009}⅛ tsp salt", "9/8", "tsp", "salt"), Case("⅟8 tsp salt", "1/8", "tsp", "salt"),
            Case(".5 cup oil", "1/2", "cup", "oil"), Case("１／２ cup 水", "1/2", "cup", "水"),
        ]
    )
    func readsFractions(_ expected: Case) { check(expected) }

    @Test func readsEveryFractionOfUnicode() {
        for (scalar, (top, bottom)) in LineScanner.fractions {
            let value = try? Rational(top, bottom)
            #expect(IngredientLine("\(scalar) cup").amount?.lower == value)
        }
    }

    @Test(
        arguments: [
            Case("1,5 kg potatoes", "3/2", "kg", "potatoes"), Case("0,5 tsp salt", "1/2", "tsp", "salt"),
            Case("1.5 cup oil", "3/2", "cup", "oil"), Case("0,333333 g yeast", "333333/1000000", "g", "yeast"),
            Case("2 eggs, beaten", "2", nil, "eggs", "beaten"), Case("800.0 g Gnocchi", "800", "g", "Gnocchi"),
            Case("1,125 kg Mehl", "9/8", "kg", "Mehl"), Case("1.125 cups flour", "9/8", "cup", "flour"),
            Case("1000 g Mehl", "1000", "g", "Mehl"), Case("0,125 g Safran", "1/8", "g", "Safran"),
        ]
    )
    func readsDecimals(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            "1,000 g flour", "1.000 g Mehl", "12,500 ml water", "1,000,000 g salt", "1.234,5 g salt", "4-3 eggs",
            "1/0 cup water", "1/2/3 cups", "00 flour", "1 - 3 pound whole chicken", "2 - 14 oz cans tomatoes",
            "99999999999999999999 eggs", "2\u{308} eggs", "1½2 eggs",
        ]
    )
    func leavesWhatHasTwoReadings(_ text: String) {
        let line = IngredientLine(text)
        #expect(line.amount == nil)
        #expect(line.unit == nil)
        guard case .ambiguous = line.unread else {
            Issue.record("\(text) is \(String(describing: line.unread))")
            return
        }
    }

    @Test(
        arguments: [
            Case("2-3 EL Olivenöl", "2-3", "metric tbsp", "Olivenöl"), Case("3 – 4 eggs", "3-4", nil, "eggs"),
            Case("2 to 3 pineapple slices", "2-3", nil, "pineapple slices"), Case("2 bis 3 Äpfel", "2-3", nil, "Äpfel"),
            Case("2 à 3 gousses d'ail", "2-3", "clove", "ail"),
            Case("2½ -3  cups sweet potatoes", "5/2-3", "cup", "sweet potatoes"),
            Case("1/2 - 1 pepper (diced)", "1/2-1", nil, "pepper", "diced"),
            Case("1 up to 2 leeks", "1-2", nil, "leeks"),
            Case("100 g - 150 g Zucker", "100-150", "g", "Zucker"), Case("3 oder 4 Eier", "3-4", nil, "Eier"),
            Case("大さじ1〜2 油", "1-2", "metric tbsp", "油"),
        ]
    )
    func readsRanges(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            Case("1 c flour", "1", nil, "c flour"), Case("1 1/4 c. sugar", "5/4", nil, "c. sugar"),
            Case("2 T sugar", "2", nil, "T sugar"), Case("1 t salt", "1", nil, "t salt"),
            Case("1 G salt", "1", nil, "G salt"), Case("250 g Mehl", "250", "g", "Mehl"),
            Case("1,2 l Brühe", "6/5", "l", "Brühe"), Case("1 L Wasser", "1", "l", "Wasser"),
            Case("60g cream", "60", "g", "cream"), Case("1 Tasse Tee", "1", nil, "Tasse Tee"),
        ]
    )
    func takesABareLetterForNoUnitButGramAndLitre(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            Case("1 Prise Salz", "1", "pinch", "Salz"), Case("1 TL Zimt", "1", "metric tsp", "Zimt"),
            Case("1,5 El Olivenöl", "3/2", "metric tbsp", "Olivenöl"),
            Case("1 Stück(e) Ingwer", "1", "piece", "Ingwer"),
            Case("1.0 Stange(n) Lauch", "1", "stalk", "Lauch"), Case("2 el olie", "2", "metric tbsp", "olie"),
            Case("2 teentjes knoflook", "2", "clove", "knoflook"), Case("2,5 msk kakao", "5/2", "metric tbsp", "kakao"),
            Case("2 spsk olie", "2", "metric tbsp", "olie"), Case("1 ss olje", "1", "metric tbsp", "olje"),
            Case("2 cuillères à soupe d’huile", "2", "metric tbsp", "huile"),
            Case("1 c. à café de sel", "1", "metric tsp", "sel"),
            Case("2 cucchiai di olio", "2", "metric tbsp", "olio"),
            Case("1 cucharadita de sal", "1", "metric tsp", "sal"), Case("500 gr de calabaza", "500", "g", "calabaza"),
            Case("1/2 litro de agua", "1/2", "l", "agua"),
            Case("2 colheres de sopa de azeite", "2", "metric tbsp", "azeite"),
            Case("14 fl. oz. coconut milk", "14", "fl oz", "coconut milk"), Case("3 tbsp. oil", "3", "tbsp", "oil"),
            Case("150克鸡胸肉", "150", "g", "鸡胸肉"), Case("1 heaping tbsp sugar", "1", "tbsp", "sugar", "heaping"),
            Case("2 imperial pints milk", "2", "imp pint", "milk"), Case("4 cloves garlic", "4", "clove", "garlic"),
        ]
    )
    func knowsUnitsOfSeveralLanguages(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            Case("1 (14.5 oz) can black beans", "1", "can", "black beans", "14.5 oz"),
            Case("2 (21-ounce) cans filling", "2", "can", "filling", "21-ounce"),
            Case("1 14-ounce can milk", "1", "can", "milk", "14-ounce"),
            Case("2 x 400 g / 14 oz can of chickpeas", "2", "can", "chickpeas", "400 g / 14 oz"),
            Case("2x400g cans tomatoes", "2", "can", "tomatoes", "400g"),
            Case("4 (6-ounce)  salmon filets", "4", nil, "salmon filets", "6-ounce"),
            Case("240g (8.5 oz) sugar", "240", "g", "sugar", "8.5 oz"),
            Case("1 lb 2 oz tomatoes", "9/8", "lb", "tomatoes"),
            Case("400 g / 14 oz can of tomatoes", "400", "g", "can of tomatoes"),
            Case("1/4 cup plus 2 Tbsp. salt, divided", "3/8", "cup", "salt", "divided"),
            Case("200 g Feige(n) , getrocknete", "200", "g", "Feige(n)", "getrocknete"),
            Case("1kg (2.2lb) -   Sweet Potato, Diced", "1", "kg", "Sweet Potato", "2.2lb, Diced"),
            Case(
                "1 block tofu (drained (no need to press it))",
                "1",
                nil,
                "block tofu",
                "drained (no need to press it)"
            ),
            Case("3 cloves", "3", nil, "cloves"), Case("500 g", "500", "g", "500 g"),
            Case("- 1 cup sugar", "1", "cup", "sugar"), Case("ca. 200 g Mehl", "200", "g", "Mehl"),
            Case("1 cup milk (", "1", "cup", "milk"), Case("1\u{c2}\u{a0} cup wine", "1", "cup", "wine"),
        ]
    )
    func partsSizesNamesAndNotes(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            Case(" Öl , 3 - 4 EL", "3-4", "metric tbsp", "Öl"), Case("bloem 200gr", "200", "g", "bloem"),
            Case("Panna fresca 150 ml", "150", "ml", "Panna fresca"),
            Case("玉ねぎ 1/4個(50g)", "1/4", "piece", "玉ねぎ", "50g"),
            Case("コンソメ 小さじ1/3", "1/3", "metric tsp", "コンソメ"),
            Case("めんつゆ（3倍濃縮） 大さじ1", "1", "metric tbsp", "めんつゆ", "3倍濃縮"),
            Case("acqua 200 ml + q.b. per crema", "200", "ml", "acqua", "+ q.b. per crema"),
            Case("Mehl Type 405 500 g", "500", "g", "Mehl Type 405"), Case("2% milk 200 ml", "200", "ml", "2% milk"),
        ]
    )
    func readsAmountsBehindTheName(_ expected: Case) { check(expected) }

    @Test(
        arguments: [
            Case("Salt", nil, nil, "Salt"), Case("Salz, Pfeffer", nil, nil, "Salz, Pfeffer"),
            Case("Dash of salt", nil, nil, "Dash of salt"),
            Case("green colour (optional)", nil, nil, "green colour", "optional"),
            Case("7x5-inch Baking Dish", nil, nil, "7x5-inch Baking Dish"),
            Case("14-ounce can milk", nil, nil, "14-ounce can milk"),
            Case("80% dark chocolate", nil, nil, "80% dark chocolate"),
            Case("9 inch pie crust", nil, nil, "9 inch pie crust"),
            Case("9\" pie crust", nil, nil, "9\" pie crust"), Case("110°F water", nil, nil, "110°F water"),
            Case("4T oil", nil, nil, "4T oil"), Case("Cubes of 25 g chocolate", nil, nil, "Cubes of 25 g chocolate"),
            Case("-2 eggs", nil, nil, "2 eggs"), Case("水 適量", nil, nil, "水 適量"), Case(" ", nil, nil, ""),
            Case("", nil, nil, ""),
        ]
    )
    func leavesLinesWithoutAnAmount(_ expected: Case) {
        check(expected)
        #expect(IngredientLine(expected.line).unread == .noAmount)
    }

    @Test(
        arguments: [
            ("For the sauce:", "For the sauce"), (", Heading", "Heading"), ("For the Brownies: ", "For the Brownies"),
            ("Für den Teig:", "Für den Teig"), ("For the 2-layer cake:", "For the 2-layer cake"),
        ]
    )
    func knowsHeadings(_ text: String, _ heading: String) {
        let line = IngredientLine(text)
        #expect(line.isHeading)
        #expect(line.name == heading)
        #expect(line.unread == .heading)
    }

    @Test func tellsTwoIngredientsOnTwoLinesFromABreak() {
        #expect(IngredientLine("3 Tbsp oil\n3 garlic cloves").unread == .severalIngredients)
        #expect(IngredientLine("2  \r\nbay leaf").name == "bay leaf")
        #expect(IngredientLine("1/2 teaspoon \r\ncinnamon").unit == .teaspoon)
    }

    @Test func tellsWhereItsAmountsStand() {
        let text = "240g – 300g (8.5 oz) sugar"
        let line = IngredientLine(text)
        #expect(line.amountRanges.map { String(text[$0]) } == ["240", "300", "8.5"])
    }
}
