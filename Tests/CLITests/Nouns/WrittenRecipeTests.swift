import Messages
import Testing

@testable import CLI

struct WrittenRecipeTests {
    private static let recipe = Recipe(
        name: "Leek: soup",
        prepTime: "15 min",
        yield: "4 # servings",
        typeName: "Soup",
        overview: "For a cold day.\n\n# not a comment\nSteps:\n\\ and [brackets]\n[alone]",
        ingredients: ["3 leeks", "#1 flour", "[sic]", "\\x", "Steps:", "Overview: none"].map { Ingredient(line: $0) }
            + [Ingredient(line: "To [serve]", isHeading: true), Ingredient(line: "cream")],
        steps: [
            RecipeStep(text: "Sweat the leeks,\nbut keep them green.\n2. Not a step.\n# nor a comment"),
            RecipeStep(text: "Topping", isHeading: true), RecipeStep(text: "1. Twice numbered"),
            RecipeStep(text: "[In brackets]"), RecipeStep(text: "Steps:"),
        ]
    )

    private func applied(_ text: String, to recipe: Recipe = recipe) throws -> Recipe {
        let given = try WrittenRecipe(WrittenRecipe.text(of: recipe))
        let edit = try WrittenRecipe(text).edit(since: given, type: nil, key: .make())
        return try edit.applied(to: recipe)
    }

    @Test func whatIsNotChangedReadsBackEqual() throws {
        let text = WrittenRecipe.text(of: Self.recipe)
        let document = try WrittenRecipe(WrittenRecipe.explanation + text)
        let given = try WrittenRecipe(text)
        #expect(document == given)
        #expect(document.edit(since: given, type: nil, key: nil).isEmpty)
        #expect(document.overview == Self.recipe.overview)
        #expect(document.ingredients?.map(\.content) == Self.recipe.ingredients.map(\.line))
        #expect(document.ingredients?.map(\.isHeading) == Self.recipe.ingredients.map(\.isHeading))
        #expect(document.steps?.map(\.content) == Self.recipe.steps.map(\.text))
        #expect(document.steps?.map(\.isHeading) == Self.recipe.steps.map(\.isHeading))
        // Editors of other systems end lines with CR LF.
        #expect(try WrittenRecipe(text.replacing("\n", with: "\r\n")) == given)
    }

    /// Whatever a recipe holds that the service stores.
    @Test(arguments: [1, 7, 42, 2026]) func anyRecipeReadsBackEqual(seed: UInt64) throws {
        var random = Dice(state: seed)
        let pieces = [
            "a", "#", "\\", "[", "]", "Steps:", "1.", "2)", "12. ", ":", "ü", "e\u{301}", "\u{301}", "Name:", "%",
            "x y", "🍞",
        ]
        func text() -> String {
            let joined = (0..<Int.random(in: 1...4, using: &random))
                .compactMap { _ in pieces.randomElement(using: &random) }.joined(
                    separator: random.next() % 2 == 0 ? "" : " "
                )
            return Ingredient.stored(joined, isHeading: nil)
        }
        for round in 0..<300 {
            let isHeading = { () -> Bool? in random.next() % 3 == 0 ? true : nil }
            let ingredients = (0..<random.next() % 5).map { _ in Ingredient(line: text(), isHeading: isHeading()) }
            let steps = (0..<random.next() % 5).map { _ in
                let isHeading = isHeading()
                let lines = (0..<(isHeading == true ? 1 : Int.random(in: 1...3, using: &random))).map { _ in text() }
                return RecipeStep(text: lines.joined(separator: "\n"), isHeading: isHeading)
            }
            let recipe = Recipe(name: text(), source: text(), overview: text(), ingredients: ingredients, steps: steps)
            let document = try WrittenRecipe(WrittenRecipe.text(of: recipe))
            let message: Comment = "seed \(seed), round \(round): \(WrittenRecipe.text(of: recipe))"
            #expect(document.fields[.name] == recipe.name && document.fields[.source] == recipe.source, message)
            #expect(document.overview == recipe.overview, message)
            #expect(document.ingredients?.map(\.content) == ingredients.map(\.line), message)
            #expect(document.ingredients?.map(\.isHeading) == ingredients.map(\.isHeading), message)
            #expect(document.steps?.map(\.content) == steps.map(\.text), message)
            #expect(document.steps?.map(\.isHeading) == steps.map(\.isHeading), message)
        }
    }

    @Test func takesWhatWasChanged() throws {
        var text = WrittenRecipe.text(of: Self.recipe)
        text = text.replacing("3 leeks", with: "4 leeks").replacing("Prep time: 15 min", with: "Prep time:")
        text = text.replacing("cream\n", with: "cream\nchives\n# a comment\n")
        text += "\nServe at once,\nhot.\n9. Eat.\n"
        let changed = try applied(text)
        #expect(changed.prepTime == nil && changed.name == Self.recipe.name && changed.yield == Self.recipe.yield)
        #expect(changed.ingredients[0].line == "4 leeks" && changed.ingredients[0].id == Self.recipe.ingredients[0].id)
        #expect(changed.ingredients.dropFirst().dropLast() == Self.recipe.ingredients.dropFirst())
        #expect(changed.ingredients.last?.line == "chives")
        #expect(changed.steps.dropLast(2) == Self.recipe.steps[...])
        #expect(changed.steps.suffix(2).map(\.text) == ["Serve at once,\nhot.", "Eat."])
    }

    @Test func whatIsNotThereStays() throws {
        let changed = try applied("Name: Other\n\nSteps:\n")
        #expect(changed.name == "Other" && changed.steps.isEmpty)
        #expect(changed.overview == Self.recipe.overview && changed.ingredients == Self.recipe.ingredients)
        #expect(changed.yield == Self.recipe.yield)
    }

    @Test(
        arguments: [
            ("Yeild: 4", 1, "did you mean 'Yield'"), ("Name: A\nnonsense", 2, "is no field"),
            ("Name: A\nName: B", 2, "was there before"), ("Name:", 1, "name is blank"),
            ("Steps:\na\n\nSteps:\nb", 4, "join the two"), ("Ingredients:\n\\\n", 2, "nothing to read"),
        ]
    )
    func saysInWhichLineSomethingIsWrong(text: String, line: Int, reason: String) throws {
        let problem = #expect(throws: WrittenRecipe.Problem.self) { try WrittenRecipe(text) }
        #expect(problem?.line == line && problem?.reason.contains(reason) == true, "\(problem?.reason ?? "")")
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
