import RecipeFiles
import Testing

struct InstructionTests {
    @Test(
        arguments: [
            (
                #"[{"@type":"HowToSection"},{"@type":"HowToSection","name":"Glaze","itemListElement":["Mix.","Pour."]}]"#,
                ["# Glaze", "Mix.", "Pour."]
            ),
            (
                #"[{"@type":"HowToStep","text":"Heat."},{"@type":"HowToSection","name":"Glaze","itemListElement":["Mix.","Pour."]}]"#,
                ["Heat.", "# Glaze", "Mix.", "Pour."]
            ),
            (
                #"[{"@type":"HowToSection","name":"Glaze","itemListElement":{"@type":"HowToStep","text":"Mix."}}]"#,
                ["# Glaze", "Mix."]
            ),
            (
                #"{"@type":"HowToSection","name":"Glaze","itemListElement":[{"@type":"HowToStep","text":"Mix."},"Pour."]}"#,
                ["# Glaze", "Mix.", "Pour."]
            ),
            (#"[[{"@type":"HowToStep","text":"Mix."},{"@type":"HowToStep","text":"Pour."}]]"#, ["Mix.", "Pour."]),
            (#""1. Do a.\n\n2. Do b.""#, ["Do a.", "Do b."]), (#"["Do a.","Do b."]"#, ["Do a.", "Do b."]),
            (#"["1. Do a.\n2. Do b."]"#, ["Do a.", "Do b."]), (#"["1. Do a.","2. Do b."]"#, ["Do a.", "Do b."]),
            ("null", []), ("[]", []), (#""""#, []), (#"[null,""]"#, []),
            (
                #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","name":"Cook","description":"Pat dry."}]}"#,
                ["Pat dry."]
            ),
            (#"[{"@type":"HowtoStep","text":"Mix."},{"@type":["HowToStep","X"],"name":"Pour."}]"#, ["Mix.", "Pour."]),
            (
                #"[{"@type":"HowToStep","itemListElement":[{"@type":"HowToDirection","text":"Mix."},{"@type":"HowToTip","text":"Cold."}]},"Pour."]"#,
                ["Mix.\nCold.", "Pour."]
            ),
            (
                #"[{"@type":"ListItem","position":1,"item":{"@type":"HowToStep","text":"Mix."}},"Pour."]"#,
                ["Mix.", "Pour."]
            ),
            (#"["<p>Mix.</p><p>Pour.</p>"]"#, ["Mix.", "Pour."]), (###"["## Dough","Mix."]"###, ["# Dough", "Mix."]),
            (#"[[["Mix."]],[["Pour."]]]"#, ["Mix.", "Pour."]),
            (#"[{"@value":"Mix.","@language":"en"},"Pour."]"#, ["Mix.", "Pour."]),
        ]
    )
    func areReadInOrder(value: String, steps: [String]) {
        let reading = Reading(members: #""recipeInstructions":\#(value)"#)
        #expect(texts(reading.recipes.first?.steps) == steps)
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
    }

    @Test func withoutAnyTheRecipeIsRead() {
        #expect(Reading(members: #""recipeIngredient":["Salt"]"#).recipes.map(\.steps) == [[]])
    }

    @Test func whatSaysNothingIsLeftOutAndToldWithItsPlace() {
        let reading = Reading(members: #""recipeInstructions":["Mix.",{"@type":"HowToStep","image":"x"},true,"Pour."]"#)
        #expect(texts(reading.recipes.first?.steps) == ["Mix.", "Pour."])
        #expect(reading.notes.map(\.place.path) == ["$.recipeInstructions[1]", "$.recipeInstructions[2]"])
        #expect(reading.notes.allSatisfy { $0.recipe == "x" && $0.effect == .leftOut })
    }
}
