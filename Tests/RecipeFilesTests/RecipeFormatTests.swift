import RecipeFiles
import Support
import Testing

struct RecipeFormatTests {
    private let cake = RecipeDraft(
        identifier: "urn:uuid:018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47",
        name: "Fish &amp; </script><b>Chips</b>",
        overview: "1. First.\n\n# second <i>\n- third",
        category: "A, B",
        source: "Grandma's <book>",
        yields: ["12 rolls"],
        prepTime: "1 hr 30 min",
        cookTime: "PT45M",
        totalTime: "overnight",
        ingredients: [
            .init("Glaze", isHeading: true), .init("Salt:"), .init("## 1 &frac14; cup"), .init("## x", isHeading: true),
        ],
        steps: [
            .init("1. Heat."), .init("Glaze", isHeading: true), .init("Mix.\nRest."), .init("Pour."),
            .init("End", isHeading: true),
            .init("Top", isHeading: true), .init("# no heading"),
        ],
        picture: .init(name: "x.jpg", bytes: [0xFF, 0xD8, 0xFF, 0xE0])
    )

    private func file(_ format: RecipeFormat, _ drafts: [RecipeDraft]) -> String {
        let texts = drafts.enumerated().map { index, draft in
            format.text(of: RecipeExport(draft, contentType: "image/jpeg"), index: index, of: drafts.count)
        }
        return format.opening(drafts.map(\.name)) + texts.joined() + format.closing(drafts.count)
    }

    @Test(arguments: [RecipeFormat.jsonld, .html])
    func whatIsWrittenIsReadBackEqual(format: RecipeFormat) {
        let others = [
            RecipeDraft(identifier: "urn:uuid:2", name: "Only a name"),
            RecipeDraft(
                identifier: "urn:uuid:3",
                name: "Named",
                source: "https://e.test/?a=1&b=2",
                picture: .init(name: "https://e.test/p.jpg")
            ),
            RecipeDraft(
                identifier: "urn:uuid:4",
                name: "Pictured",
                steps: [.init("1. a"), .init("2. b")],
                picture: .init(name: "only a name.jpg")
            ),
        ]
        for drafts in [[cake], [cake] + others, [others[0]]] {
            let reading = Reading(file(format, drafts))
            #expect(reading.recipes == drafts)
            #expect(reading.problems.isEmpty && reading.notes.isEmpty)
        }
    }

    @Test func whateverTheTextsAreTheyAreReadBack() {
        var generator = SeededGenerator("recipe texts")
        let parts = [
            "<", ">", "&", "&amp;", "</script>", "<!--", "\"", "\\", "#", "1. ", ":", "a", "é", "\u{1F9C1}", "\u{2028}",
            "-", "]]>", "'", "½",
        ]
        func text() -> String {
            "x"
                + (0..<Int.random(in: 0...8, using: &generator)).map { _ in parts.randomElement(using: &generator)! }
                .joined() + "x"
        }
        func line() -> RecipeDraft.Line {
            .init(text().replacing("\u{2028}", with: ""), isHeading: Bool.random(using: &generator))
        }
        for index in 0..<300 {
            var draft = RecipeDraft(identifier: "urn:uuid:\(index)", name: text().replacing("\u{2028}", with: ""))
            draft.ingredients = (0..<3).map { _ in line() }
            draft.steps = (0..<4).map { _ in line() }
            draft.overview = text()
            for format in [RecipeFormat.jsonld, .html] { #expect(Reading(file(format, [draft])).recipes == [draft]) }
        }
    }

    @Test func timesAreISO8601() {
        let text = file(.jsonld, [cake])
        #expect(text.contains("\"prepTime\": \"PT1H30M\"") && text.contains("\"cookTime\": \"PT45M\""))
        #expect(!text.contains("\"totalTime\""))
    }

    @Test func aPageEscapesEverything() {
        let text = file(.html, [cake])
        #expect(text.contains("<h1>Fish &amp;amp; &lt;/script&gt;&lt;b&gt;Chips&lt;/b&gt;</h1>"))
        #expect(text.contains("Grandma&#39;s &lt;book&gt;"))
        #expect(text.components(separatedBy: "</script>") == 2)
        #expect(text.contains("src=\"data:image/jpeg;base64,/9j/4A==\""))
    }

    @Test func stepsGoOnBeingCountedUnderHeadings() {
        #expect(file(.html, [cake]).contains("<h3>Glaze</h3>\n<ol start=\"2\">\n<li>Mix.<br>\nRest.</li>\n"))
    }

    @Test func markdownIsForPeopleAndEscapesMarkUp() {
        #expect(
            file(.markdown, [cake]) == ###"""
                # Fish \&amp; \</script\>\<b\>Chips\</b\>

                1\. First.

                \# second \<i\>\
                \- third

                - Type: A, B
                - Makes: 12 rolls
                - Preparation: 1 hr 30 min
                - Cooking: 45 min
                - In all: overnight

                ## Ingredients

                ### Glaze

                - Salt:
                - \## 1 \&frac14; cup

                ### \## x

                ## Steps

                1. 1\. Heat.

                ### Glaze

                2. Mix.\
                   Rest.
                3. Pour.

                ### End

                ### Top

                4. \# no heading

                From Grandma's \<book\>

                """###
        )
    }
}

extension String {
    /// How many parts `separator` makes.
    fileprivate func components(separatedBy separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
