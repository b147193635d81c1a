import ArgumentParser
import Messages
import Testing

@testable import CLI

struct RecipeTextTests {
    @Test(
        arguments: [
            ("loaf.jpg", "2 hr 30 min", "Rye loaf\tloaf.jpg - 2 hr 30 min"), ("loaf.jpg", nil, "Rye loaf\tloaf.jpg"),
            (nil, "2 hr 30 min", "Rye loaf\t2 hr 30 min"), (nil, nil, "Rye loaf"),
            (nil, "1\thr\u{1B}", "Rye loaf\t1\\thr\\u{1B}"),
        ] as [(String?, String?, String)]
    )
    func listsANameThenPictureAndTime(image: String?, prepTime: String?, expected: String) throws {
        let capture = try Capture()
        let recipe = Recipe(name: "Rye loaf", image: image.map { RecipeImage(name: $0) }, prepTime: prepTime)
        try capture.presentation().list([recipe], of: .recipe)
        #expect(try capture.text() == expected + "\n")
    }

    @Test func showsIngredientsInOrder() throws {
        let capture = try Capture()
        let recipe = Recipe(
            id: Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!,
            version: 2,
            name: "Rye loaf",
            prepTime: "45 min",
            prepMinutes: 45,
            ingredients: [Ingredient(name: "Rye flour", amount: "500 g"), Ingredient(name: "Salt")]
        )
        try capture.presentation().show(recipe, of: .recipe)
        #expect(
            try capture.text() == """
                Id:           018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47
                Name:         Rye loaf
                Prep time:    45 min
                Minutes:      45
                Ingredients:
                  Rye flour  500 g
                  Salt
                Version:      2

                """
        )
    }

    @Test func showsTextOfSeveralLinesBelowItsTitle() throws {
        let capture = try Capture()
        let recipe = Recipe(name: "Rye loaf", instructions: "Mix.\r\n\nBake\u{1B}[1m.\u{301}")
        try capture.presentation(fields: ["name", "instructions"]).show(recipe, of: .recipe)
        #expect(try capture.text() == "Name:          Rye loaf\nInstructions:\n  Mix.\n\n  Bake\\u{1B}[1m.\u{301}\n")
    }

    @Test(
        arguments: [
            ("Salt", "Salt", nil), ("Rye flour=500 g", "Rye flour", "500 g"), (" Eggs = 3 ", "Eggs", "3"),
            ("Salt=", "Salt", nil), ("Water=a=b", "Water", "a=b"), ("Egg=\u{338}2", "Egg", "\u{338}2"),
        ] as [(String, String, String?)]
    )
    func readsAnIngredient(text: String, name: String, amount: String?) throws {
        let line = try IngredientLine(text)
        #expect(line.name == name)
        #expect(line.amount == amount)
    }

    @Test(arguments: ["", "=3", "  =3", "\u{200B}=3"]) func refusesAnIngredientWithoutAName(text: String) {
        #expect(throws: CLIError.self) { try IngredientLine(text) }
    }

    @Test func keepsTheIdsOfIngredientsThatStay() throws {
        let old = [Ingredient(name: "Salt", amount: "1 g"), Ingredient(name: "Water"), Ingredient(name: "Salt")]
        let lines = try ["Salt", "Flour", "Salt=2 g", "Salt"].map { text in try IngredientLine(text) }
        let key = Identifier.make()
        let new = IngredientLine.ingredients(lines, replacing: old, key: key)
        #expect(new.map(\.name) == ["Salt", "Flour", "Salt", "Salt"])
        #expect(new.map(\.amount) == [nil, nil, "2 g", nil])
        #expect(new[0].id == old[0].id && new[2].id == old[2].id)
        #expect(new[1].id == .made(by: key, 2))
        #expect(IngredientLine.ingredients(lines, replacing: new, key: key) == new)
    }

    @Test func leavesAPictureWhoseNameIsGivenAgain() throws {
        let stored = RecipeImage(name: "loaf.jpg", digest: [1, 2], contentType: "image/jpeg", size: 3)
        let recipe = Recipe(name: "Rye loaf", image: stored)
        func image(_ given: RecipeImage) throws -> RecipeImage? {
            let parsed = try RecipeFields.parse([])
            return try parsed.edit(name: nil, type: nil, image: given, key: nil).applied(to: recipe).image
        }
        #expect(try image(RecipeImage(name: " loaf.jpg")) == stored)
        #expect(try image(RecipeImage(name: "loaf.jpg", digest: [1, 2])) == stored)
        #expect(try image(RecipeImage(name: "loaf.jpg", digest: [9])) == RecipeImage(name: "loaf.jpg", digest: [9]))
        #expect(try image(RecipeImage(name: "rye.jpg")) == RecipeImage(name: "rye.jpg"))
    }

    @Test(
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], true), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], true),
            (Array("RIFF1234WEBP".utf8), true), (Array("RIFF1234WAVE".utf8), false), (Array("RIFF".utf8), false),
            ([0xFF, 0xD8], false), ([], false),
        ] as [([UInt8], Bool)]
    )
    func knowsAPictureByItsFirstBytes(bytes: [UInt8], expected: Bool) {
        #expect(Invocation.isPicture(bytes) == expected)
    }
}
