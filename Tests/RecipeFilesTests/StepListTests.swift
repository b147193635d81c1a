import Testing

@testable import RecipeFiles

struct StepListTests {
    @Test(
        arguments: [
            ("1. Do a.\n\n2. Do b.", ["Do a.", "Do b."]), ("1) Do a.\n2) Do b.", ["Do a.", "Do b."]),
            ("Do a.\nDo b.", ["Do a.", "Do b."]),
            ("Do a.\nIt takes long.\n\nDo b.\r\n", ["Do a.\nIt takes long.", "Do b."]),
            ("1. Mix.\nRest it.\n\n2. Bake.", ["Mix.\nRest it.", "Bake."]), ("\n\n \n", []), ("1. Only.", ["Only."]),
            ("## Dough\n1. Mix.\n\n## Glaze\n1. Stir.", ["# Dough", "Mix.", "# Glaze", "Stir."]),
            ("2 eggs go in.\n3 are left.", ["2 eggs go in.", "3 are left."]),
            ("350. Heat.\n2. Bake.", ["350. Heat.", "2. Bake."]),
            ("1.5 l water boil.\n2. Bake.", ["1.5 l water boil.", "2. Bake."]), ("Glaze:\nStir.", ["Glaze:", "Stir."]),
            ("a\u{2028}b\rc\u{85}d", ["a", "b", "c", "d"]),
        ]
    )
    func partsAText(text: String, steps: [String]) {
        #expect(texts(StepList.lines(of: text)) == steps)
    }

    @Test func aColonMakesAHeadingWhereTheProgramHasItSo() {
        #expect(texts(StepList.lines(of: "Glaze:\nStir.", colons: true)) == ["# Glaze", "Stir."])
    }

    @Test(
        arguments: [
            (["1. a", "2. b"], ["a", "b"]), (["# X", "1. a", "# Y", "1. b"], ["# X", "a", "# Y", "b"]),
            (["# X", "1. a", "# Y", "2. b"], ["# X", "a", "# Y", "b"]), (["1. a", "b"], ["1. a", "b"]),
            (["1. a", "3. b"], ["1. a", "3. b"]), (["1.", "2."], ["1.", "2."]), ([], []),
        ]
    )
    func takesNumbersAwayWhereAllHaveThem(steps: [String], result: [String]) {
        let lines = steps.map {
            $0.hasPrefix("# ") ? RecipeDraft.Line(String($0.dropFirst(2)), isHeading: true) : RecipeDraft.Line($0)
        }
        #expect(texts(StepList.withoutNumbers(lines)) == result)
    }
}
