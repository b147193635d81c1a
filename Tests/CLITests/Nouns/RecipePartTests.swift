import Messages
import Testing

@testable import CLI

struct RecipePartTests {
    private static let lines = ["a flour", "b water", "[Glaze]", "c sugar", "d sugar, brown", "e lemon"]
    private let recipe = Recipe(
        name: "Cake",
        ingredients: lines.compactMap(WrittenPart.init).map {
            Ingredient(line: $0.content, isHeading: $0.isHeading)
        }
    )

    @Test(
        arguments: [
            ("1", 0), ("#3", 3), ("5", 5), ("glaze", 2), ("WATER", 1), ("c sugar", 3), ("lem", 5), ("d", 4),
        ] as [(String, Int)]
    )
    func findsAnIngredientByNumberOrText(text: String, index: Int) throws {
        #expect(try recipe.index(of: text, Ingredient.self) == index)
    }

    @Test func findsAnIngredientByItsId() throws {
        let id = recipe.ingredients[4].id
        #expect(try recipe.index(of: id.description, Ingredient.self) == 4)
        #expect(try recipe.index(of: id.tail(8), Ingredient.self) == 4)
    }

    @Test func whatIsNotOneIngredientIsRefused() {
        #expect(throws: CLIError.self) { try recipe.index(of: "sugar", Ingredient.self) }
        #expect(throws: CLIError.self) { try recipe.index(of: "6", Ingredient.self) }
        #expect(throws: CLIError.self) { try recipe.index(of: "1", RecipeStep.self) }
    }

    /// What is moved (by index), where to, and the first letters of what comes of it; G is the heading.
    @Test(
        arguments: [
            ([5], .number(1), "eabGcd"), ([0], .number(2), "baGcde"), ([0], .number(3), "bGcade"),
            ([0], .number(5), "bGcdea"), ([3], .number(2), "acbGde"), ([3], .number(3), "abGcde"),
            ([1], .number(2), "abGcde"), ([2], .number(1), "Gabcde"), ([2], .number(5), "abcdGe"),
            ([0, 4], .number(3), "bGcade"),
        ] as [([Int], PartPlace, String)]
    )
    func movesToANumber(moved: [Int], place: PartPlace, result: String) {
        var parts = recipe.ingredients
        place.move(moved.map { parts[$0].id }, in: &parts)
        #expect(parts.compactMap { $0.line.first.map(String.init) }.joined() == result)
    }

    @Test func movesBesideAnother() throws {
        let ids = recipe.ingredients.map(\.id)
        func moved(_ indices: [Int], _ place: PartPlace) -> String {
            var parts = recipe.ingredients
            place.move(indices.map { ids[$0] }, in: &parts)
            return parts.compactMap { $0.line.first.map(String.init) }.joined()
        }
        #expect(moved([0], .before(ids[2])) == "baGcde")
        #expect(moved([5, 4], .behind(ids[0])) == "adebGc")
        #expect(moved([2], .behind(ids[5])) == "abcdeG")
        #expect(moved([1], .before(ids[1])) == "abGcde")
        #expect(moved([1], .behind(ids[1])) == "abGcde")
    }

    /// As sixty inserts between the first two, which is where places made of fractions run out.
    @Test func insertingBetweenTheSameTwoForeverKeepsTheOrder() {
        var parts = Array(recipe.ingredients.prefix(2))
        for number in 0..<60 {
            let new = Ingredient(line: "\(number)")
            parts.append(new)
            PartPlace.number(2).move([new.id], in: &parts)
        }
        #expect(parts.map(\.line) == ["a flour"] + (0..<60).reversed().map(String.init) + ["b water"])
    }
}
