import Foundation
import RecipeFiles
import Support
import Testing

/// The samples that lie beside the checkout.
private let samples: String? = Environment.sharedData.map { "\($0)/recipes" }

@Suite(.enabled(if: samples != nil, "the folder ../shared/data is absent"))
struct SampleTests {
    private func read(_ name: String) -> Reading { Reading(RecipeReader(path: "\(samples ?? "")/\(name)")) }

    @Test(
        arguments: [
            ("r01-graph-sections.json", ["The Best Chocolate Cake Recipe {Ever}"], 13, 7),
            ("r03-quantitativevalue-emptyP.json", ["Aubergines aux anchois"], 8, 1),
            ("r04-ptundefined.json", ["Creamy Kale & Sweet Potato Salad"], 8, 4),
            ("r06-duration-object.json", ["Crema de calabaza con Thermomix (receta muy fácil)"], 8, 0),
            ("r07-null-ingredient.json", ["Tourte fine à l'agneau et aux pruneaux"], 0, 6),
            ("r09-mainentity-and-empty-decoy.json", ["Wintergemüse-Gnocchi-Pfanne mit Kräuterdip"], 8, 6),
            ("r10-p0dt-string-steps.json", ["Lamm-Tajine mit Walnüssen und Feigen"], 15, 4),
            ("r11-html-fractions.json", ["Baked Saffron Yogurt Rice with Chicken (Tahcheen-e Morgh)"], 14, 6),
            ("r12-entity-fractions.json", ["Shallot Dressing"], 7, 3),
            ("r13-itemlist-many.json", ["Kohlrabi-Fenchel-Carpaccio", "Kohlrabi-Fenchel-Carpaccio (2)"], 8, 0),
            ("r15-nan-duration.json", ["Gewokte spruiten in rodewijnsaus"], 5, 4),
            ("nextcloud-export-recipe.json", ["Skillet Shepherd's Pie"], 12, 6),
        ]
    )
    func areReadWhole(file: String, names: [String], ingredients: Int, steps: Int) {
        let reading = read(file)
        #expect(reading.recipes.map(\.name) == names)
        #expect(reading.recipes.allSatisfy { $0.ingredients.count == ingredients && $0.steps.count == steps })
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
    }

    @Test func detailsAreRight() {
        let cake = read("r01-graph-sections.json").recipes.first
        #expect(texts(cake?.steps).prefix(3) == ["Do step 1.", "# For the chocolate cake", "Do step 2."])
        #expect(cake?.yields == ["24"] && cake?.source == "https://recipe.example.test/r/")
        let soup = read("r06-duration-object.json").recipes.first
        #expect(soup?.totalTime == "P0DT1H10M0S")
        #expect(
            texts(read("r10-p0dt-string-steps.json").recipes.first?.steps) == [
                "Do step one.", "Do step two.", "Do step three.", "Do step four.",
            ]
        )
        #expect(
            read("r11-html-fractions.json").recipes.first?.ingredients[1].text.hasPrefix("1⁄4 cup plus 2 Tbsp.") == true
        )
        #expect(
            texts(read("r12-entity-fractions.json").recipes.first?.ingredients)[1] == "⅓ cup extra-virgin olive oil"
        )
        #expect(read("r09-mainentity-and-empty-decoy.json").recipes.first?.category == "Abendessen")
    }

    @Test func thePaprikaArchiveGivesFiveWithTheirOwnNames() {
        let reading = read("paprika-sample.paprikarecipes")
        #expect(
            Set(reading.recipes.map(\.name)) == [
                "Zucchini Rolls with Goat Cheese and Mint", "Zucchini-Kartoffel-Frittata", "Zucchinipuffer",
                "Zweimal gebratenes Hähnchen mit Gemüse und Nudeln", "Zwiebelrostbraten mit selbstgemachten Spätzle",
            ]
        )
        #expect(reading.recipes.count { $0.picture?.bytes != nil } == 4)
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
    }

    @Test func thePlanToEatFileGivesTwo() {
        let reading = read("plantoeat-export.csv")
        #expect(reading.recipes.map(\.name) == ["Test Recipe", "Test Recipe2"])
        #expect(
            texts(reading.recipes.first?.ingredients) == [
                "# Heading", "2 itm Test, note", "# Heading2", "3 pkg Two, note2",
            ]
        )
    }

    @Test func theWholeFolderGivesAllOfThem() {
        let reading = read("")
        #expect(reading.recipes.count == 20)
        #expect(reading.problems.isEmpty)
    }
}
