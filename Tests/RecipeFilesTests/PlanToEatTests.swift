import RecipeFiles
import Testing

struct PlanToEatTests {
    private let header =
        "Title,Course,Description,Source,Url,Prep Time,Cook Time,Total Time,Servings,Yield,Ingredients,Directions,Photo Url"

    @Test func aRowIsARecipe() {
        let row =
            #"Loaf,Main,"A.\#nB.",Book,,75,,1 h,7,1 loaf,", Dough\#n2 itm Test, note\#n","Mix.\#nBake.",https://e.test/p.jpg"#
        #expect(
            Reading(header + "\r\n" + row).recipes == [
                RecipeDraft(
                    name: "Loaf",
                    overview: "A.\nB.",
                    category: "Main",
                    source: "Book",
                    yields: ["1 loaf", "7"],
                    prepTime: "75 min",
                    totalTime: "1 h",
                    ingredients: [.init("Dough", isHeading: true), .init("2 itm Test, note")],
                    steps: [.init("Mix."), .init("Bake.")],
                    picture: .init(name: "https://e.test/p.jpg")
                )
            ]
        )
    }

    @Test func aBadRowIsToldWithItsLineAndTheOthersAreRead() {
        let rows = ["a,,,,,,,,,,Salt,Mix.,", "b,too few", ",,,,,,,,,,Salt,Mix.,", "c,,,,,,,,,,Salt,Mix.,"]
        let reading = Reading(([header] + rows).joined(separator: "\n"))
        #expect(reading.recipes.map(\.name) == ["a", "c"])
        #expect(reading.problems.count == 2)
        #expect(reading.problems.first?.sentence.contains("line 3") == true && reading.problems.last?.place.line == 4)
    }
}
