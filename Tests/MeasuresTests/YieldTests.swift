import Messages
import Testing

@testable import Measures

@Suite struct RecipeYieldTests {
    @Test(
        arguments: [
            ("4", "4"), ("Serves 4.0", "4"), ("12 Stücke", "12"), ("2 to 4 servings", "2-4"), ("About 3 dozen", "36"),
            ("9 large or 16 small", "9"), ("0.75 cup", "3/4"), ("5.75 gallons", "23/4"), ("8 (1/2-cup) servings", "8"),
            ("4人分", "4"), ("Personen 4", "4"), ("YIELD — 4 servings", "4"), ("36 up to 48 cookies", "36-48"),
            ("1 1/2 dozen", "18"), ("1 14-inch pizza", "1"), ("8 6 inch links", "8"), ("1 loaf (8 slices)", "1"),
            ("(makes 2) 4 servings", "4"), ("1½ l", "3/2"), ("2 - 3-inch rounds", "2"),
        ]
    )
    func readsHowMany(_ text: String, _ expected: String) {
        #expect(RecipeYield(text).amount?.description == expected)
        #expect(RecipeYield(text).text == text)
    }

    @Test(arguments: ["", " ", "Diverse mogelijkheden", "0", "-2", "0 servings", "1,000 crackers", "1/0", "-", "x2"])
    func leavesTheRestAsText(_ text: String) {
        #expect(RecipeYield(text).amount == nil)
        #expect(RecipeYield(text).text == (text == " " ? "" : text))
    }

    @Test(
        arguments: [
            (["12", "12 Stücke"], "12", "12 Stücke"), (["8", "Serves 8"], "8", "Serves 8"),
            (["8", "8-10 servings"], "8-10", "8-10 servings"), (["2", "2 dozen"], "24", "2 dozen"),
            (["9", "9 1/3 C Waffles"], "9", "9 1/3 C Waffles"), (["20", "2 pies"], "20", "2 pies"),
            (["16"], "16", "16"), ([], nil, ""), (["", "4 servings"], "4", "4 servings"),
        ] as [([String], String?, String)]
    )
    func joinsTheValuesThatSitesGive(_ values: [String], _ amount: String?, _ text: String) {
        let yield = RecipeYield(values)
        #expect(yield.amount?.description == amount)
        #expect(yield.text == text)
    }
}
