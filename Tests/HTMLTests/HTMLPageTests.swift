import HTML
import Testing

struct HTMLPageTests {
    private func scripts(_ page: String) -> [HTMLPage.Script]? {
        HTMLPage.scripts(ofType: "application/ld+json", in: Array(page.utf8))
    }

    @Test func givesTheScriptsOfTheTypeWithTheirLines() throws {
        let page = """
            <!DOCTYPE html><title>x</title>
            <script>var a = "<script>"</script>
            <script type="application/ld+json">{"a": "é < & &amp; \u{1F9C1}"}</script>
            <body><div><SCRIPT TYPE='Application/LD+JSON; charset=utf-8'>
            [1]</SCRIPT>
            """
        let found = try #require(scripts(page))
        #expect(found.map(\.line) == [3, 4])
        #expect(found.map(\.text) == ["{\"a\": \"é < & &amp; \u{1F9C1}\"}", "\n[1]"])
    }

    @Test func readsTheEncodingThatThePageNames() {
        let page: [UInt8] = Array("<meta charset=iso-8859-1><script type=application/ld+json>\"".utf8) + [0xE9, 0x22]
        #expect(
            HTMLPage.scripts(ofType: "application/ld+json", in: page + Array("</script>".utf8))?.map(\.text) == [
                "\"é\""
            ]
        )
    }

    @Test func brokenMarkUpIsReadAsFarAsItGoes() {
        #expect(
            scripts("<p><b></p></i><script type=\"application/ld+json\">1</script><table><div>")?.map(\.text) == ["1"]
        )
        #expect(scripts("<script type=\"application/ld+json\">{\"cut\": ")?.map(\.text) == ["{\"cut\": "])
        #expect(scripts("no mark-up at all")?.isEmpty == true)
    }

    @Test func deepNestingCostsNoStack() {
        let deep = String(repeating: "<div>", count: 200_000)
        #expect(scripts(deep + "<script type=\"application/ld+json\">1</script>") != nil)
    }

    @Test func aPageBeyondTheLimitIsRefused() {
        #expect(HTMLPage.scripts(ofType: "x", in: [UInt8](repeating: 0x20, count: HTMLPage.maximumBytes + 1)) == nil)
    }

    @Test(arguments: [("eacute", "é"), ("frac14", "¼"), ("frac13", "⅓"), ("apos", "'"), ("frasl", "⁄"), ("copy", "©")])
    func knowsNamedCharacters(name: String, character: String) {
        #expect(HTMLEntity.character(named: name).map { String($0) } == character)
    }

    @Test func knowsNumberedCharactersAndNoControls() {
        #expect(HTMLEntity.character(numbered: 8531) == "⅓")
        #expect(HTMLEntity.character(numbered: 150) == "–")
        for number: UInt32 in [0, 7, 27, 127, 129, 0xD800, 0x11_0000] {
            #expect(HTMLEntity.character(numbered: number) == nil)
        }
        #expect(HTMLEntity.character(named: "T") == nil)
    }
}
