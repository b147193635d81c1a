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

    @Test(
        arguments: [
            ("PT1H10M", 70, "1 h 10 min"), ("P0DT0H20M", 20, "20 min"), ("1 hr 10 min", 70, "1 hr 10 min"),
            ("PTundefinedM", nil, "PTundefinedM"), ("PTNANM", nil, "PTNANM"), (nil, 35, "35 min"), (nil, nil, nil),
        ] as [(String?, Int?, String?)]
    )
    func spellsOutTimesThatOnlyProgramsRead(written: String?, minutes: Int?, expected: String?) {
        #expect(DurationText.text(written, minutes: minutes) == expected)
    }

    @Test func showsARecipeWithNumbers() throws {
        let capture = try Capture()
        let recipe = Recipe(
            id: Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!,
            version: 2,
            name: "Rye loaf",
            prepTime: "45 min",
            prepMinutes: 45,
            totalMinutes: 75,
            overview: "Dense.\r\n\nKeeps\u{1B}[1m.\u{301}",
            ingredients: [
                Ingredient(line: "500 g rye flour"), Ingredient(line: "To dust", isHeading: true),
                Ingredient(line: "Salt"),
            ],
            steps: [RecipeStep(text: "Mix.\nRest."), RecipeStep(text: "Bake.")]
        )
        try capture.presentation().show(recipe, of: .recipe)
        #expect(
            try capture.text() == """
                Recipe:      Rye loaf
                Prep time:   45 min
                Total time:  1 h 15 min
                Dense.

                Keeps\\u{1B}[1m.\u{301}
                Ingredients:
                  1  500 g rye flour
                     To dust
                  2      Salt
                Steps:
                  1  Mix.
                     Rest.
                  2  Bake.
                Id:          018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47

                """
        )
    }

    @Test func wrapsStepsOnATerminalAndShowsHeadingsBold() throws {
        let recipe = Recipe(
            name: "Rye loaf",
            steps: [
                RecipeStep(text: "Dough", isHeading: true), RecipeStep(text: "Mix everything and leave it overnight."),
            ]
        )
        let text = RecipeText(Style(usesColour: true, columns: 30)).text(recipe)
        #expect(
            text.split(separator: "\n").dropFirst(2).dropLast() == [
                "     \u{1B}[1mDough\u{1B}[0m", "  1  Mix everything and leave", "     it overnight.",
            ]
        )
    }

    @Test func showsTextOfSeveralLinesBelowItsTitle() throws {
        let capture = try Capture()
        let recipe = Recipe(name: "Rye loaf", overview: "Mix.\r\n\nBake\u{1B}[1m.\u{301}")
        try capture.presentation(fields: ["name", "overview"]).show(recipe, of: .recipe)
        #expect(try capture.text() == "Name:      Rye loaf\nOverview:\n  Mix.\n\n  Bake\\u{1B}[1m.\u{301}\n")
    }

    @Test(
        arguments: [
            ("Salt", "Salt", nil), (" 500 g rye=flour ", "500 g rye=flour", nil),
            ("[For the glaze]", "For the glaze", true),
            ("[a] b]", "a] b", true), ("[a] b", "[a] b", nil), ("\\[a]", "[a]", nil), ("\\\\x", "\\x", nil),
            ("[\u{338}a]", "\u{338}a", true), ("[]", "[]", nil), ("[ ]", "[ ]", nil),
        ] as [(String, String, Bool?)]
    )
    func readsAnIngredient(text: String, line: String, isHeading: Bool?) {
        #expect(WrittenPart(text) == WrittenPart(content: line, isHeading: isHeading))
    }

    @Test(arguments: ["", "  ", "\\", "\u{200B}"]) func refusesABlankIngredient(text: String) throws {
        #expect(WrittenPart(text) == nil)
        let fields = try RecipeFields.parse(["--ingredient", text])
        #expect(throws: CLIError.self) { try fields.edit(name: nil, type: nil, image: nil, key: nil) }
    }

    @Test func keepsTheIdsOfIngredientsThatStay() throws {
        let old = ["Salt", "Water", "Salt", "Milk"].map { Ingredient(line: $0) }
        let lines = ["Salt", "Flour", "1 g Salt", "Salt", "1 l Milk"].compactMap(WrittenPart.init)
        let key = Identifier.make()
        let new = WrittenPart.parts(lines, replacing: old, key: key, from: 1)
        #expect(new.map(\.line) == ["Salt", "Flour", "1 g Salt", "Salt", "1 l Milk"])
        // Rewritten in its place, new, unchanged, rewritten.
        #expect(new.map(\.id) == [old[0].id, old[1].id, .made(by: key, 3), old[2].id, old[3].id])
        #expect(WrittenPart.parts(lines, replacing: new, key: key, from: 1) == new)
    }

    @Test func partsInstructionsIntoSteps() throws {
        let edit = try RecipeFields.parse([
            "--instructions", "[Dough]\n\n1. Mix.\n2. Rest it,\ncovered.\n\n\\[sic] bake.",
        ])
        .edit(name: nil, type: nil, image: nil, key: nil)
        let steps = try edit.applied(to: Recipe(name: "Loaf")).steps
        #expect(steps.map(\.text) == ["Dough", "Mix.", "Rest it,\ncovered.", "[sic] bake."])
        #expect(steps.map(\.isHeading) == [true, nil, nil, nil])
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
        #expect((PictureFormat(signature: bytes) != nil) == expected)
    }
}
