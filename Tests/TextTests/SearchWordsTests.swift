import Testing
import Text

struct SearchWordsTests {
    @Test(
        arguments: [
            ("Björn's Käse-Brot", ["bjorn", "s", "kase", "brot"]), ("", []), (" .,!? ", []),
            ("A1 b_c", ["a1", "b", "c"]),
            ("½ l", ["1", "2", "l"]), ("李小雨 ok", ["李", "小", "雨", "ok"]), ("й и", ["й", "и"]),
            ("\u{301}e\u{301}", ["e"]), ("कि", ["कि"]), ("x\u{0}y", ["x", "y"]), ("ﬁne", ["fine"]),
            ("🐕 Rex", ["🐕", "rex"]), ("👩\u{200D}🍳Mia", ["👩", "🍳", "mia"]), ("€5 + 3", ["5", "3"]),
        ] as [(String, [String])]
    )
    func areRunsOfLettersAndDigits(text: String, words: [String]) {
        #expect(SearchWords.words(of: text).map { Array($0.utf8) } == words.map { Array($0.utf8) })
    }

    @Test func aLongWordIsCut() {
        let word = String(repeating: "x", count: 100)
        #expect(SearchWords.words(of: word + " y") == [String(repeating: "x", count: 64), "y"])
    }
}
