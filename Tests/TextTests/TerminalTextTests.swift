import Testing
import Text

struct TerminalTextTests {
    @Test(arguments: [
        ("", 0), ("Bob", 3), ("Björn", 5), ("Bjo\u{308}rn", 5), ("李", 2), ("ｶ", 1), ("ア", 2), ("Ａ", 2), ("각", 2),
        ("\u{1100}\u{1161}\u{11A8}", 2), ("e\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}", 1), ("🐕 Rex", 6),
        ("👩‍🍳 Mia", 6), ("👨‍👩‍👧‍👦", 2), ("👋🏽", 2), ("🇸🇪", 2), ("🇸🇪🇩🇪", 4), ("🇸", 1), ("☺", 1), ("☺\u{FE0F}", 2),
        ("1\u{FE0F}\u{20E3}", 2), ("❤️", 2), ("©", 1), ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
        ("\u{200B}\u{200D}\u{FEFF}", 0), ("\u{1B}", 0), ("a\u{0}b", 2), ("\r\n", 0), ("אבי", 3), ("עִ", 1), ("…", 1),
        ("\u{AD}", 1), ("한글", 4), ("あ\u{3099}", 2), ("#", 1), ("10", 2), ("§·", 2),
    ])
    func measuresCells(text: String, cells: Int) {
        #expect(TerminalText.cellWidth(text) == cells)
    }

    @Test(arguments: [
        ("Bob", "Bob"), ("a\nb\r\n\t", #"a\nb\r\n\t"#), ("\u{1B}[31m", #"\u{1B}[31m"#),
        ("\u{0}\u{7F}\u{9B}", #"\u{0}\u{7F}\u{9B}"#),
        ("\u{202E}x\u{2066}\u{2069}", #"\u{202E}x\u{2066}\u{2069}"#), ("\u{2028}", #"\u{2028}"#), (#"a\b"#, #"a\b"#),
        ("\u{1B}\u{301}", "\\u{1B}\u{301}"), ("👩‍🍳 אבי", "👩‍🍳 אבי"),
    ])
    func showsWhatWouldSteerTheTerminal(text: String, expected: String) {
        #expect(Array(TerminalText.escapedForTerminal(text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("Bob", 3, "Bob"), ("Bobby", 4, "Bob…"), ("Bobby", 1, "…"), ("Bobby", 0, ""), ("Bobby", -1, ""), ("", 0, ""),
        ("李李李", 6, "李李李"), ("李李李", 5, "李李…"), ("李李李", 4, "李…"), ("a👩‍🍳b", 3, "a…"), ("a👩‍🍳b", 4, "a👩‍🍳b"),
        ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func truncatesAtWholeCharacters(text: String, cells: Int, expected: String) {
        #expect(TerminalText.truncated(text, toCells: cells) == expected)
    }

    @Test(arguments: [
        ("李", 4, "李  ", "  李"), ("Bob", 3, "Bob", "Bob"), ("Bob", 1, "Bob", "Bob"), ("", 2, "  ", "  "),
        ("x", -1, "x", "x"),
    ])
    func padsWithSpaces(text: String, cells: Int, leading: String, trailing: String) {
        #expect(TerminalText.padded(text, toCells: cells) == leading)
        #expect(TerminalText.padded(text, toCells: cells, alignment: .trailing) == trailing)
    }

    @Test func neverTruncatesToMoreCells() {
        var random = SeededGenerator(seed: 0x5EED_0005)
        for _ in 0..<3000 {
            let text = TerminalText.escapedForTerminal(random.text())
            let cells = Int.random(in: 0...12, using: &random)
            let width = TerminalText.cellWidth(TerminalText.truncated(text, toCells: cells))
            #expect(width <= cells, "seed \(random.seed): \(text.unicodeScalars.map { $0.value })")
        }
    }
}
