import RecipeFiles
import Testing

struct SchemaRecipeTests {
    @Test(
        arguments: [
            #"{"@context":{"@vocab":"http://schema.org/"},"@type":"Recipe","name":"Soup","recipeYield":4}"#,
            #"{"@type":["Recipe","NewsArticle"],"name":"Soup","recipeYield":"4"}"#,
            #"[{"@type":"Organization","name":"Shop"},{"@type":"Recipe","name":"Soup","recipeYield":["4"]}]"#,
            #"{"@graph":["no object",null,{"@type":"WebSite"},{"@type":"http://schema.org/Recipe","name":"Soup","recipeYield":4}]}"#,
            #"[{"@type":"Recipe"},{"@type":"WebPage","mainEntity":{"@type":"Recipe","name":"Soup","recipeYield":4}}]"#,
            #"{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"@type":"Recipe","name":"Soup","recipeYield":4}}]}"#,
            #"{"@type":"schema:Recipe","schema:name":"Soup","schema:recipeYield":{"@type":"QuantitativeValue","value":4}}"#,
            "\u{FEFF} {\"@type\":\"Recipe\",\"name\":\"So\\u0075p\n\",\"recipeYield\":[4,],}",
        ]
    )
    func isFoundWhereverItHides(text: String) {
        let reading = Reading(text)
        #expect(reading.recipes.map(\.name) == ["Soup"])
        #expect(reading.recipes.first?.yields == ["4"])
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
    }

    @Test func twoInOneListAreTwo() {
        let reading = Reading(
            #"{"@type":"ItemList","itemListElement":[{"item":{"@type":"Recipe","name":"a"}},{"@type":"Recipe","name":"b"}]}"#
        )
        #expect(reading.recipes.map(\.name) == ["a", "b"])
    }

    @Test(
        arguments: [
            (#""PT1H30M""#, "PT1H30M"), (#"{"@type":"Duration","@value":"P0DT1H10M0S"}"#, "P0DT1H10M0S"),
            (#""1 hr 30 min""#, "1 hr 30 min"),
            ("[null,\"PT10M\"]", "PT10M"), ("null", nil), (#""""#, nil), (#""PTundefinedM""#, "PTundefinedM"),
            ("{}", nil), ("30", "30"),
        ] as [(String, String?)]
    )
    func timesAreTextWhateverTheyAreWrappedIn(value: String, text: String?) {
        let recipe = Reading(members: #""prepTime":\#(value),"recipeYield":1"#).recipes.first
        #expect(recipe != nil && recipe?.prepTime == text)
    }

    @Test(
        arguments: [
            ("4", ["4"], "4"), (#"["12","12 Stücke"]"#, ["12", "12 Stücke"], "12 Stücke"),
            (#"[8,"Serves 8"]"#, ["8", "Serves 8"], "Serves 8"),
            (#"{"@type":"QuantitativeValue","value":"6"}"#, ["6"], "6"), ("null", [], nil), (#""""#, [], nil),
            (#"{"@type":"QuantitativeValue","value":6,"unitText":"rolls"}"#, ["6 rolls"], "6 rolls"),
            (#"{"minValue":2,"maxValue":4}"#, ["2-4"], "2-4"), ("24.0", ["24.0"], "24.0"),
        ] as [(String, [String], String?)]
    )
    func everyYieldThatIsGivenIsKept(value: String, texts: [String], best: String?) {
        let recipe = Reading(members: #""recipeYield":\#(value),"recipeIngredient":["Salt"]"#).recipes.first
        #expect(recipe?.yields == texts && recipe?.yield == best)
    }

    @Test(
        arguments: [
            ("[null]", []), (#"["  1  large onion","&frac14; tsp salt"]"#, ["1 large onion", "¼ tsp salt"]),
            (#""Salt\nPepper""#, ["Salt", "Pepper"]),
            (#"[["Salt"],["Pepper"]]"#, ["Salt", "Pepper"]),
            (###"["For the glaze:","Sugar","## Top","Salt"]"###, ["# For the glaze", "Sugar", "# Top", "Salt"]),
            (#"[{"@type":"HowToSupply","name":"flour","requiredQuantity":"2 cups"}]"#, ["2 cups flour"]),
            (#"[{"@type":"PropertyValue","name":"flour","value":2,"unitText":"cups"}]"#, ["2 cups flour"]),
            (#"[{"@type":"ItemList","name":"Glaze","itemListElement":["Sugar"]}]"#, ["# Glaze", "Sugar"]),
            (#"["½\u00a0teaspoon soda"]"#, ["½\u{A0}teaspoon soda"]),
        ]
    )
    func ingredientsAreLinesInOrder(value: String, lines: [String]) {
        #expect(
            texts(Reading(members: #""recipeIngredient":\#(value),"recipeYield":1"#).recipes.first?.ingredients)
                == lines
        )
    }

    @Test func namesHaveNoMarkUp() {
        for (given, name) in [
            ("Fish &amp;amp; Chips", "Fish & Chips"), ("AT&T", "AT&T"), ("a < b", "a < b"), ("R&D &copy", "R&D &copy"),
            (" Soup\\n of the  day ", "Soup of the day"),
        ] {
            #expect(Reading(#"{"@type":"Recipe","name":"\#(given)","recipeYield":1}"#).recipes.map(\.name) == [name])
        }
    }

    @Test(
        arguments: [
            (#""//img.example.test/p.jpg""#, "//img.example.test/p.jpg"), (#"["a.jpg","b.jpg"]"#, "a.jpg"),
            (#"{"@type":"ImageObject","url":"a.jpg"}"#, "a.jpg"), (#"{"contentUrl":"a.jpg"}"#, "a.jpg"),
            (##"{"@id":"#primaryimage"}"##, "graph.jpg"), (##"[{"@id":"#primaryimage"}]"##, "graph.jpg"),
            (#"{"@id":"nowhere.jpg"}"#, "nowhere.jpg"),
        ]
    )
    func aPictureIsKeptAsItsAddress(value: String, name: String) {
        let reading = Reading(
            ##"{"@graph":[{"@type":"Recipe","name":"x","image":\##(value)},{"@id":"#primaryimage","@type":"ImageObject","url":"graph.jpg"}]}"##
        )
        #expect(reading.recipes.map(\.picture) == [RecipeDraft.Picture(name: name)])
    }

    @Test func aPictureInTheFileIsDecoded() {
        let picture = Reading(members: #""image":"data:image/png;base64,iVBORw0KGgo=""#).recipes.first?.picture
        #expect(picture?.bytes == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        let broken = Reading(members: #""image":"data:image/png;base64,????""#)
        #expect(broken.recipes.map(\.picture) == [nil])
        #expect(broken.notes.map(\.place.path) == ["$.image"])
    }

    @Test func withoutANameItIsRefusedAndTheNextIsRead() {
        let reading = Reading(
            #"{"@graph":[{"@type":"Recipe","recipeYield":4},{"@type":"Recipe","name":"b"}]}"#,
            named: "f.json"
        )
        #expect(reading.recipes.map(\.name) == ["b"])
        #expect(
            reading.problems.map { "\($0)" } == [
                "f.json, $['@graph'][0].name: the recipe has no name: give it one in \"name\""
            ]
        )
    }

    @Test func categorySourceAndOverviewAreRead() {
        let recipe = Reading(
            members:
                #""recipeCategory":["Soups, Stews","x"],"url":"https://e.test/1","description":"<p>A &amp; b</p><p>c</p>","author":{"name":"A"}"#
        ).recipes.first
        #expect(recipe?.category == "Soups" && recipe?.source == "https://e.test/1" && recipe?.overview == "A & b\n\nc")
    }

    @Test func identityIsTheIdentifierWithTheNameOrTheContent() {
        func identity(_ members: String) -> [String]? { Reading(members: members).recipes.first?.identity }
        #expect(identity(##""@id":"https://e.test/#recipe""##) == ["https://e.test/#recipe", "x"])
        #expect(identity(##""@id":"#recipe","recipeIngredient":["Salt"]"##) == ["content", "x", "Salt"])
        #expect(identity(#""@id":"urn:uuid:0190","recipeYield":1"#) == ["urn:uuid:0190"])
    }

    @Test(arguments: [
        "[]", "{}", #"{"@type":"Article","name":"x"}"#, #"{"@type":"Recipe"}"#, "[1,2]", "{", "{\"a\"", "[[[[[[[[",
    ])
    func aFileWithoutOneIsRefused(text: String) {
        let reading = Reading(text)
        #expect(reading.recipes.isEmpty && reading.problems.count == 1)
    }

    @Test func deepNestingIsRefused() {
        let reading = Reading(String(repeating: "[", count: 1_000_000))
        #expect(reading.problems.first?.sentence.contains("more than 64 levels") == true)
    }
}
