import Client
import Messages
import Support
import Testing

/// Recipes by the command, on running services.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RecipeTests {
    @Test func ingredientsKeepTheirOrder() async throws {
        try await withDaybook(.catalog) { daybook in
            let add = ["recipes", "add", "Soup"] + "abcde".flatMap { ["--ingredient", "1 g \($0)"] }
            let added = try await daybook.run(all: add)
            #expect(added.code == 0)
            #expect(try await daybook.run("recipes", "ingredients", "move", "Soup", "5", "--to", "1").code == 0)
            #expect(try await order(daybook) == "eabcd")
            #expect(try await daybook.run("recipes", "ingredients", "add", "Soup", "1 g f").code == 0)
            #expect(try await order(daybook) == "eabcdf")
            let changes: [([String], String)] = [
                (["add", "Soup", "1 g x", "1 g y", "--after", "1 g a"], "eaxybcdf"),
                (["move", "Soup", "8", "2", "--before", "1 g b"], "exyafbcd"),
                (["delete", "Soup", "1", "3", "--yes"], "xafbcd"), (["edit", "Soup", "1", "2 g z"], "zafbcd"),
            ]
            for (verb, expected) in changes {
                #expect(try await daybook.run(all: ["recipes", "ingredients"] + verb).code == 0)
                #expect(try await order(daybook) == expected, "\(verb)")
            }
            #expect(try await daybook.run("recipes", "ingredients", "move", "Soup", "9", "--to", "1").code == 1)
            #expect(try await daybook.run("recipes", "ingredients", "move", "Soup", "1", "--to", "9").code == 2)
        }
    }

    @Test func whatIsOrderedNeedsItsRecipesIngredients() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let commands = [
                ["recipes", "add", "Rye", "--ingredient", "500 g rye flour", "--ingredient", "salt"],
                ["recipes", "add", "Rolls", "--ingredient", "1 kg Rye flour"],
                ["services", "add", "Loaf", "--price", "6.20", "--recipe", "Rye"],
                ["services", "add", "Box of rolls", "--price", "4", "--recipe", "Rolls"],
                ["orders", "add", "--row", "Loaf=3x", "--row", "Box of rolls=4.00", "--due", "+1d"],
                ["orders", "add", "--row", "Loaf=1x", "--due", "+40d"],
                ["orders", "add", "--row", "Loaf=1x", "--due", "+1d", "--made"],
            ]
            for command in commands {
                let result = try await daybook.run(all: command)
                #expect(result.code == 0, "\(command): \(result.error)")
            }
            let soon = try await daybook.run("recipes", "need", "--due", "today..+7d")
            #expect(soon.lines == ["2.5 kg Rye flour\tRolls, 3 x Rye", "salt\t3 x Rye", "For 1 order."])
            let all = try await daybook.run("recipes", "need", "--fields", "amount,unit", "--format", "csv")
            #expect(all.lines.dropFirst().first == "3,kg")

            #expect(try await daybook.run("recipes", "edit", "Rye", "--name", "Rye bread").code == 0)
            let renamed = try await daybook.run("services", "list", "--fields", "name,recipe", "--format", "csv")
            #expect(renamed.lines.contains("Loaf,Rye bread"))
            #expect(try await daybook.run("recipes", "delete", "Rye bread", "--yes").code == 0)
            let cleared = try await daybook.run("services", "list", "--fields", "name,recipe", "--format", "csv")
            #expect(cleared.lines.contains("Loaf,"))
            let rest = try await daybook.run("recipes", "need")
            #expect(rest.lines == ["1 kg Rye flour\tRolls", "For 2 orders; 2 rows have no recipe."])
        }
    }

    private func order(_ daybook: Daybook) async throws -> String {
        let lines = try await daybook.run("recipes", "ingredients", "list", "Soup", "--fields", "text").lines
        return lines.dropFirst().map { String($0.suffix(1)) }.joined()
    }

    @Test func aRepeatedKeyMovesOnce() async throws {
        try await withDaybook(.catalog) { daybook in
            let add = ["recipes", "add", "Soup"] + "abcde".flatMap { ["--ingredient", "1 g \($0)"] }
            _ = try await daybook.run(all: add)
            for verb in [
                ["move", "Soup", "5", "--to", "1"], ["add", "Soup", "1 g f", "--to", "2"],
                ["edit", "Soup", "3", "1 g z"],
                ["delete", "Soup", "4", "--yes"],
            ] {
                let key = try await daybook.run("key").lines[0]
                let first = try await daybook.run(all: ["recipes", "ingredients"] + verb + ["--key", key])
                #expect(first.code == 0)
                let again = try await daybook.run(all: ["recipes", "ingredients"] + verb + ["--key", key])
                #expect(again.code == 0 && again.text == first.text, "\(verb) \(again.error)")
            }
            let lines = try await daybook.client.all(Recipe.self)[0].ingredients.map(\.line)
            #expect(lines == ["1 g e", "1 g f", "1 g z", "1 g c", "1 g d"])
        }
    }

    /// Either both moves are seen by both, or one of them is told.
    @Test func movesAtTheSameTimeEndInOneOrder() async throws {
        try await withDaybook(.catalog) { daybook in
            let client = daybook.client
            let lines = "abcde".map { Ingredient(line: "1 g \($0)") }
            let read = try await client.send(Put(Recipe(name: "Soup", ingredients: lines))).value
            let (one, other) = (moved(4, to: 0, in: read), moved(0, to: 2, in: read))
            async let first = client.send(Put(one))
            async let second = client.send(Put(other))
            _ = try await (first, second)
            let stored = try await client.send(Get<Recipe>(id: read.id)).value
            #expect(stored.version == 3)
            #expect(stored.ingredients.map { $0.line.suffix(1) }.joined() == "ebcad")
            // The same ingredient, moved to two places since the first version.
            let refusal = try await client.refusal(of: Put(moved(0, to: 4, in: read)))
            #expect(refusal.status == .conflict && refusal.body.field == "ingredients")
        }
    }

    private func moved(_ index: Int, to place: Int, in recipe: Recipe) -> Recipe {
        var recipe = recipe
        let ingredient = recipe.ingredients.remove(at: index)
        recipe.ingredients.insert(ingredient, at: place)
        return recipe
    }

    @Test func listsByWordsIngredientsAndTime() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.run(all: [
                "recipes", "add", "Crème brûlée", "--ingredient", "200 g brown sugar", "--total-time", "1 h",
            ])
            _ = try await daybook.run(all: [
                "recipes", "add", "Rice", "--ingredient", "brown rice", "--ingredient", "white sugar", "--prep-time",
                "25 min", "--overview", "Like creme.",
            ])
            for (options, names) in [
                (["--search", "CREME"], ["Crème brûlée", "Rice"]), (["--with", "sugar brown"], ["Crème brûlée"]),
                (["--with", "brown", "--with", "sug", "--under", "30min"], ["Rice"]),
                (["--under", "PT1H"], ["Crème brûlée", "Rice"]),
                (["--search", "crème OR rice"], []),
            ] as [([String], [String])] {
                let list = try await daybook.run(
                    all: ["recipes", "list", "--fields", "name", "--format", "jsonl"] + options
                )
                #expect(list.lines == names.map { "{\"name\":\"\($0)\"}" }, "\(options) \(list.error)")
            }
            let bad = try await daybook.run("recipes", "list", "--search", "!?")
            #expect(bad.code == 2 && bad.error.contains("no letter"))
        }
    }

    /// The editor is a program that gets the file's path.
    @Test func aRecipeIsChangedInAnEditor() async throws {
        try await withDaybook(.catalog) { daybook in
            _ = try await daybook.run(all: [
                "recipes", "add", "Soup", "--ingredient", "3 leeks", "--ingredient", "cream",
            ])
            func edit(_ editor: String) async throws -> Daybook.Output {
                let variables = ["EDITOR": editor, "VISUAL": "", "TMPDIR": daybook.home]
                return try await daybook.run("recipes", "edit", "Soup", "--editor", variables: variables)
            }
            let changed = try await edit("sed -i -e 's/3 leeks/4 leeks/' -e 's/^Yield:/& 4/'")
            #expect(changed.code == 0 && changed.text.contains("4 leeks") && changed.text.contains("Yield:       4\n"))
            let same = try await edit("true")
            #expect(same.code == 0 && same.error.contains("Nothing was changed"))
            let aborted = try await edit("false")
            #expect(aborted.code == 1 && aborted.error.contains("ended with status 1"))
            // Somebody else changes the same line meanwhile: nothing typed is lost.
            let daybookCommand = "\(Environment.programs)/daybook"
            let other = "\(daybookCommand) recipes ingredients edit Soup 1 '5 leeks' > /dev/null"
            let conflict = try await edit("f() { \(other); sed -i 's/4 leeks/6 leeks/' \"$1\"; }; f")
            #expect(conflict.code == 4 && conflict.error.contains("What you wrote is kept in \(daybook.home)/"))
            let path = try #require(conflict.error.split(separator: " ").last { $0.contains("daybook-recipe") })
            let kept = try #require(File.read(String(path.prefix { $0 != "\n" }.dropLast())))
            #expect(String(decoding: kept, as: UTF8.self).contains("6 leeks"))
            // And what others changed elsewhere stays.
            let elsewhere = "\(daybookCommand) recipes ingredients edit Soup 2 butter > /dev/null"
            let merged = try await edit("f() { \(elsewhere); sed -i 's/5 leeks/7 leeks/' \"$1\"; }; f")
            #expect(merged.code == 0 && merged.text.contains("7 leeks") && merged.text.contains("butter"))
            let unreadable = try await edit("sed -i 's/^Yield:/Yeild:/'")
            #expect(unreadable.code == 1 && unreadable.error.contains("did you mean 'Yield'"))
        }
    }

    @Test func instructionsBecomeSteps() async throws {
        try await withDaybook(.catalog) { daybook in
            let text = "1. Mix.\n\n2. Rest it.\n\n[Glaze]\n\n1. Stir."
            let added = try await daybook.run("recipes", "add", "Cake", "--instructions", text, "--cook-time", "70 min")
            #expect(
                added.text.contains(
                    "Total time:  1 h 10 min\nSteps:\n  1  Mix.\n  2  Rest it.\n     Glaze\n  3  Stir.\n"
                )
            )
            let moved = try await daybook.run("recipes", "steps", "move", "Cake", "glaze", "--before", "1")
            #expect(moved.text.contains("Steps:\n     Glaze\n  1  Mix.\n"))
        }
    }
}

extension Daybook {
    fileprivate func run(all arguments: [String]) async throws -> Output {
        try await run(bytes: arguments.map { Array($0.utf8) })
    }
}
