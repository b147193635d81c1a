import Messages
import Testing

struct RecipeStepTests {
    @Test(
        arguments: [
            ("1. Do a.\n\n2. Do b.", ["Do a.", "Do b."]),
            ("1. Do a.\r\n2) Do b.\r\n", ["Do a.", "Do b."]),
            ("Mix.\nBake.\n\n\n  Eat. ", ["Mix.\nBake.", "Eat."]),
            ("Mix.\n1. Rest.\n2. Bake for\n12. minutes.", ["Mix.", "Rest.", "Bake for\n12. minutes."]),
            ("3. Late.\n4. Later.", ["Late.", "Later."]),
            ("1. a\n2. b\n1. c", ["a", "b", "c"]),
            ("1.\nMix.\n2.\nBake.", ["Mix.", "Bake."]),
            ("1.5 kg of it.\n2000. All.", ["1.5 kg of it.\n2000. All."]),
            ("1. 1. Odd.", ["1. Odd."]),
            ("", []), (" \n\r\n ", []), ("1.", []),
        ] as [(String, [String])]
    )
    func instructionsPartIntoSteps(text: String, steps: [String]) {
        #expect(RecipeStep.texts(in: text) == steps)
    }
}
