import Client
import Glibc
import Messages
import Support
import Testing

/// Recipes come in from files of other programs, and go out again.
@Suite(.timeLimit(.minutes(5)))
struct RecipeFilesTests {
    /// A PNG of one pixel.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    private func paprika(_ name: String, _ uid: String) -> [UInt8] {
        PackedFile.gzip(
            Array(
                #"{"name":"\#(name)","uid":"\#(uid)","categories":["Toasts"],"ingredients":"Egg:\n2 eggs","directions":"Mix.\nFry.","cook_time":"1 hr 30 min","servings":"2","photo":"p.png","photo_data":"\#(Self.pixel)"}"#
                    .utf8
            )
        )
    }

    private func archive() -> [UInt8] {
        PackedFile.zip([
            ("a.paprikarecipe", paprika("French Toast\\n", "1")),
            ("b.paprikarecipe", paprika("Protein French Toast", "2")),
            ("cut.paprikarecipe", Array(paprika("Cut", "3").prefix(100))), ("__MACOSX/._a.paprikarecipe", [1, 2]),
        ])
    }

    private func recipes(_ daybook: Daybook) async throws -> [Recipe] {
        try await daybook.client.send(List<Recipe>(limit: 1000)).value.rows
    }

    @Test func anArchiveIsImportedOnceAndWhatIsBrokenIsNamed() async throws {
        try await withDaybook(.catalog) { daybook in
            let path = "\(daybook.folder)/x.paprikarecipes"
            try File.write(archive(), to: path)
            let dry = try await daybook.run("recipes", "import", path, "--dry-run")
            #expect(dry.text == "would import 2 recipes; 1 was refused; nothing was stored\n" && dry.code == 1)
            #expect(try await recipes(daybook).isEmpty)

            let first = try await daybook.run("recipes", "import", path)
            #expect(first.text == "imported 2 recipes; 1 was refused\n" && first.code == 1)
            #expect(first.error.contains("\(path), cut.paprikarecipe: it ends too early"))
            let stored = try await recipes(daybook)
            #expect(stored.map(\.name) == ["French Toast", "Protein French Toast"])
            let toast = try #require(stored.first)
            #expect(toast.typeName == "Toasts" && toast.yield == "2" && toast.cookTime == "1 hr 30 min")
            #expect(
                toast.ingredients.map(\.line) == ["Egg", "2 eggs"] && toast.ingredients.map(\.isHeading) == [true, nil]
            )
            #expect(toast.steps.map(\.text) == ["Mix.", "Fry."])
            #expect(toast.image?.name == "p.png" && toast.image?.contentType == "image/png")

            let second = try await daybook.run("recipes", "import", path)
            #expect(second.text == "nothing was imported; 2 are already there; 1 was refused\n")
            #expect(try await recipes(daybook) == stored)
        }
    }

    @Test func anEditMadeSinceStaysAndWhatWasDeletedComesBackWhenAskedFor() async throws {
        try await withDaybook(.catalog) { daybook in
            let path = "\(daybook.folder)/x.paprikarecipes"
            try File.write(
                PackedFile.zip([
                    ("a.paprikarecipe", paprika("a", "1")), ("b.paprikarecipe", paprika("b", "2")),
                    ("c.paprikarecipe", paprika("c", "3")),
                ]),
                to: path
            )
            #expect(try await daybook.run("recipes", "import", path).code == 0)
            #expect(try await daybook.run("recipes", "edit", "b", "--name", "Mine").code == 0)
            #expect(try await daybook.run("recipes", "delete", "c", "--yes").code == 0)
            let again = try await daybook.run("recipes", "import", path)
            #expect(again.text.hasPrefix("nothing was imported; 2 are already there; 1 was deleted here since"))
            #expect(try await recipes(daybook).map(\.name) == ["a", "Mine"])
            #expect(
                try await daybook.run("recipes", "import", path, "--deleted").text
                    == "imported 1 recipe; 2 are already there\n"
            )
            #expect(
                try await daybook.run("recipes", "import", path, "--deleted").text
                    == "nothing was imported; 3 are already there\n"
            )
            #expect(try await recipes(daybook).map(\.name) == ["a", "c", "Mine"])
        }
    }

    @Test(arguments: ["jsonld", "html"])
    func whatIsExportedIsImportedEqualIntoAnEmptyStore(format: String) async throws {
        try await withDaybook(.catalog) { daybook in
            try File.write(archive(), to: "\(daybook.folder)/x")
            _ = try await daybook.run("recipes", "import", "\(daybook.folder)/x")
            let add = try await daybook.run(
                "recipes",
                "add",
                "Fish &amp; <b>Chips</b>",
                "--ingredient",
                "[For the <glaze>]",
                "--ingredient",
                "Salt:",
                "--prep-time",
                "overnight",
                "--instructions",
                "[# One]\n\n1. Mix.\nRest it.\n\n[Two]\n\n2. Bake.",
                "--image",
                "loaf.jpg",
                "--source",
                "Grandma's book",
                "--type",
                "Toasts"
            )
            #expect(add.code == 0)
            let exported = try await recipes(daybook)
            let path = "\(daybook.folder)/out.\(format)"
            let export = try await daybook.run("recipes", "export", "--format", format, "--output", path)
            #expect(export.code == 0 && export.text.isEmpty)
            let file = try #require(File.read(path))
            #expect(try await daybook.run("recipes", "export", "--format", format).bytes == file)
            #expect(
                try await daybook.run("recipes", "import", path).text == "nothing was imported; 3 are already there\n"
            )
            #expect(exported.count == 3)
            try await withDaybook(.catalog) { other in
                try File.write(file, to: "\(other.folder)/in")
                let run = try await other.run("recipes", "import", "\(other.folder)/in")
                #expect(run.text == "imported 3 recipes\n" && run.error.isEmpty)
                let imported = try await recipes(other)
                #expect(imported.map { Content($0) } == exported.map { Content($0) })
                #expect(imported.map(\.id) == exported.map(\.id))
            }
        }
    }

    /// A recipe without the ids of its parts, and without what the store counts.
    private struct Content: Equatable {
        var recipe: Recipe

        init(_ recipe: Recipe) {
            self.recipe = recipe
            self.recipe.version = 0
            self.recipe.type = nil
            for index in recipe.ingredients.indices { self.recipe.ingredients[index].id = Identifier(high: 0, low: 0) }
            for index in recipe.steps.indices { self.recipe.steps[index].id = Identifier(high: 0, low: 0) }
        }
    }

    @Test func eachRecipeGoesIntoAFileOfItsOwn() async throws {
        try await withDaybook(.catalog) { daybook in
            for name in ["a/b", "A/B", "..", "Soup"] {
                let add = try await daybook.run("recipes", "add", name)
                #expect(add.code == 0)
            }
            let folder = "\(daybook.folder)/cookbook/"
            #expect(try await daybook.run("recipes", "export", "--format", "markdown", "--output", folder).code == 0)
            for name in ["a-b.md", "A-B (2).md", "recipe.md", "Soup.md"] {
                #expect(File.exists(folder + name), "\(name)")
            }
            #expect(File.text(folder + "Soup.md") == "# Soup\n")
        }
    }

    @Test func standardInputIsRead() async throws {
        try await withDaybook(.catalog) { daybook in
            let page = #"<script type="application/ld+json">{"@type":"Recipe","name":"Soup","recipeYield":4}</script>"#
            #expect(try await daybook.run("recipes", "import", "-", input: page).text == "imported 1 recipe\n")
            let none = try await daybook.run("recipes", "import", "-", input: "")
            #expect(none.error.contains("standard input: it is empty") && none.code == 1)
        }
    }

    @Test func withoutAServiceNothingIsSaidToBeStored() async throws {
        try await withDaybook { daybook in
            let run = try await daybook.run(
                "recipes",
                "import",
                "-",
                "--timeout",
                "1",
                input: #"{"@type":"Recipe","name":"Soup"}"#
            )
            #expect(run.code == 3)
        }
    }

    @Test func rowsForProgramsSayWhatBecameOfEach() async throws {
        try await withDaybook(.catalog) { daybook in
            let text = #"[{"@type":"Recipe","name":"Soup"},{"@type":"Recipe","recipeYield":1}]"#
            let run = try await daybook.run(
                "recipes",
                "import",
                "-",
                "--format",
                "csv",
                "--fields",
                "name,outcome,place",
                input: text
            )
            #expect(
                run.lines == [
                    "name,outcome,place", #"Soup,imported,"standard input, $[0]""#,
                    #",refused,"standard input, $[1].name""#,
                ]
            )
        }
    }
}
