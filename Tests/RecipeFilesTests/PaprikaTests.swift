import RecipeFiles
import Support
import Testing

struct PaprikaTests {
    private func recipe(_ name: String, uid: String, more: String = "") -> [UInt8] {
        Array(
            #"{"name":"\#(name)","uid":"\#(uid)","ingredients":"Dough:\n1 egg\n\nSalt","directions":"Mix.\n\nBake.","servings":"2","prep_time":"","cook_time":"30 minutes","description":"Good.","notes":"Cold.","source":"Book","source_url":"","categories":["Cakes"]\#(more)}"#
                .utf8
        )
    }

    @Test func aSingleRecipeIsRead() {
        let packed = PackedFile.gzip(recipe("Toast\\n", uid: "A1", more: #","photo":"t.jpg","photo_data":"/9j/4AAQ""#))
        let reading = Reading(RecipeReader(contents: packed, named: "Toast.paprikarecipe"))
        #expect(
            reading.recipes == [
                RecipeDraft(
                    identifier: "paprika:A1",
                    name: "Toast",
                    overview: "Good.\n\nCold.",
                    category: "Cakes",
                    source: "Book",
                    yields: ["2"],
                    cookTime: "30 minutes",
                    ingredients: [.init("Dough", isHeading: true), .init("1 egg"), .init("Salt")],
                    steps: [.init("Mix."), .init("Bake.")],
                    picture: .init(name: "t.jpg", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
                )
            ]
        )
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
    }

    @Test func namesComeFromTheRecipesAndJunkIsPassedOver() {
        let archive = PackedFile.zip([
            ("Ha\u{308}hnchen.paprikarecipe", PackedFile.gzip(recipe("French Toast", uid: "1"))),
            ("__MACOSX/._x.paprikarecipe", Array("junk".utf8)), (".DS_Store", [0, 0, 0, 1]),
            ("b.paprikarecipe", PackedFile.gzip(recipe("Protein French Toast", uid: "2"))),
        ])
        let reading = Reading(RecipeReader(contents: archive, named: "x"))
        #expect(reading.recipes.map(\.name) == ["French Toast", "Protein French Toast"])
        #expect(reading.problems.isEmpty)
    }

    @Test func aCutEntryIsToldByItsNameAndTheOthersAreRead() {
        let whole = PackedFile.gzip(recipe("a", uid: "1"))
        let archive = PackedFile.zip([
            ("a.paprikarecipe", whole), ("cut.paprikarecipe", Array(whole.prefix(whole.count / 2))),
            ("bomb.paprikarecipe", PackedFile.bomb(60 << 20)),
            ("b.paprikarecipe", PackedFile.gzip(recipe("b", uid: "2"))),
        ])
        let reading = Reading(RecipeReader(contents: archive, named: "x"))
        #expect(reading.recipes.map(\.name) == ["a", "b"])
        #expect(reading.problems.map(\.place.entry) == ["cut.paprikarecipe", "bomb.paprikarecipe"])
    }

    @Test func aPhotoThatCantBeDecodedIsLeftOutAndTold() {
        let reading = Reading(RecipeReader(contents: recipe("a", uid: "1", more: #","photo_data":"%%""#), named: "x"))
        #expect(reading.recipes.map(\.picture) == [nil])
        #expect(reading.notes.map(\.recipe) == ["a"])
    }

    @Test func withoutANameItIsRefused() {
        #expect(Reading(#"{"name":" \n","directions":"x"}"#).problems.map(\.place.path) == ["$.name"])
    }
}
