import Support
import Testing

@testable import RecipeFiles

struct MarkUpTests {
    @Test(
        arguments: [
            ("Fish &amp;amp; Chips", "Fish & Chips"), ("Fish &amp;amp;amp; Chips", "Fish & Chips"),
            ("1 cup yogurt &#8211; plain", "1 cup yogurt – plain"),
            ("8 oz confectioner&#39;s sugar", "8 oz confectioner's sugar"),
            ("&frac14; tsp salt", "¼ tsp salt"), ("&#8531; cup oil", "⅓ cup oil"), ("&#x2153; cup", "⅓ cup"),
            ("<strong class=\"x\">3/4 cup</strong> cream", "3/4 cup cream"),
            ("Mix &lt;b&gt;well&lt;/b&gt;", "Mix well"),
            ("<sup>1</sup>⁄<sub>4</sub> cup juice", "1⁄4 cup juice"),
            ("1<sup>1</sup>&frasl;<sub>4</sub> cups", "1 1⁄4 cups"),
            ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"), ("x<!-- <b>no</b> -->y", "xy"), ("<style>p{}</style>x", "x"),
            ("&lt;3 beets", "<3 beets"), ("&amp;lt;i&amp;gt;x&amp;lt;/i&amp;gt;", "x"), ("<<b>b>x", "x"),
        ]
    )
    func takesMarkUpOut(text: String, result: String) {
        #expect(MarkUp.removed(from: text) == result)
    }

    @Test(
        arguments: [
            "AT&T", "a < b", "R&D &copy", "a<b and c>d", "2 < 3 > 1", "<3", "<x>", "< b>", "<b", "<b x>", "&;", "&#;",
            "&#0;",
            "&nosuch;", "&amp", "1 & 2", "<!-- open", "</>", "<b x=\"1>", "i<n>", "&#xD800;", "–&–", "",
        ]
    )
    func leavesWhatIsNone(text: String) {
        #expect(MarkUp.removed(from: text) == text)
    }

    @Test func aSecondTimeChangesNothing() {
        let parts = [
            "&", "amp;", "lt;", "gt;", "<", ">", "b", "/", "#38;", "<b>", "</b>", "<br>", "x=\"", "\"", "&amp;", "&lt;",
            " ", "1",
            "<sup>", "<!--", "-->", "<script>", "</script>",
        ]
        var generator = SeededGenerator("mark-up")
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                parts.randomElement(using: &generator)!
            }.joined()
            let once = MarkUp.removed(from: text)
            #expect(MarkUp.removed(from: once) == once, "\(text)")
        }
    }

    /// Each of these would take hours if it were looked for again from every place.
    @Test(arguments: ["<!--", "<script>", "<b x='", "&amp;#38;", "<b ", "&"])
    func repeatedBeginningsCostNoMoreThanTheirLength(part: String) {
        _ = MarkUp.removed(from: String(repeating: part, count: 20_000))
    }
}
