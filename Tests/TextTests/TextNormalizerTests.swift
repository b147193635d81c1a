import Testing
import Text

struct TextNormalizerTests {
    @Test(arguments: [
        ("", ""),
        ("Bob", "Bob"),
        ("Bjo\u{308}rn", "Bj\u{F6}rn"),
        ("a\u{302}\u{323}", "\u{1EAD}"),
        ("\u{212B}", "\u{C5}"),
        ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
        ("\u{FB01}", "\u{FB01}"),  // compatibility forms stay
        ("\u{958}", "\u{915}\u{93C}"),  // composition exclusion: grows
        ("a\u{0}b\u{308}", "a\u{0}b\u{308}"),
    ])
    func composes(text: String, expected: String) {
        #expect(Array(TextNormalizer.normalized(text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("", ""), (" \t\n", ""), ("  Bob ", "Bob"), ("Bob", "Bob"), ("a b", "a b"),
        ("\u{A0}\u{3000}x\u{2028}\u{85}", "x"),
        ("\u{2003}Bjo\u{308}rn\r\n", "Bj\u{F6}rn"), ("\u{200B}x\u{200B}", "\u{200B}x\u{200B}"),
        ("\n\u{308}a", "\u{308}a"),
    ])
    func trimsOuterWhiteSpace(text: String, expected: String) {
        #expect(Array(TextNormalizer.trimmedNormalized(text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        "", " ", "\u{A0}\u{3000}", "\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}", "\u{0}", "\u{1B}\u{7F}\u{9B}",
        "\u{202E}", "\r\n",
        "\u{AD}", "\u{3164}\u{115F}", "\u{FE0F}", "\u{E0020}", "\u{2028}",
    ])
    func findsTextBlank(text: String) {
        #expect(TextNormalizer.isBlank(text))
    }

    @Test(arguments: ["a", " a ", "\u{200B}.", "李", "👩‍🍳", "0"])
    func findsTextNotBlank(text: String) {
        #expect(!TextNormalizer.isBlank(text))
    }

    @Test(arguments: [
        ("", ""),
        ("Bob 10", "bob 10"),
        ("BJÖRN", "bjorn"),
        ("Bj\u{F6}rn", "bjorn"),
        ("Bjo\u{308}rn", "bjorn"),
        ("Бьёрн", "бьерн"),
        ("Йод", "\u{439}од"),
        ("И\u{306}од", "\u{439}од"),
        ("\u{438}\u{323}\u{306}\u{301}", "\u{439}"),
        ("її ў", "іі у"),
        ("Åke ñ Ǻ Ộ", "ake n a o"),
        ("Straße ẞ", "strasse ss"),
        ("İI", "ii"),
        ("ﬁn ① Ⅻ ㎏", "fin 1 xii kg"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("e\u{300}\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}", "e"),
        ("a\u{AD}b\u{200B}c", "abc"),
        ("\u{1100}\u{1161}각", "가각"),
        ("が", "が"),
        ("か\u{3099}", "が"),
        ("हिन्दी", "हिन्दी"),
        ("ﷺ", "صلى الله عليه وسلم"),
        ("łøđ", "łøđ"),
        ("🐕 REX", "🐕 rex"),
    ])
    func folds(text: String, expected: String) {
        #expect(Array(TextNormalizer.folded(text).utf8) == Array(expected.utf8))
    }

    @Test(arguments: ["bj\u{F6}rn", "бьёрн", "ИОД"])
    func findsOnlyTheSameLetters(search: String) {
        let names = ["Bj\u{F6}rn", "BJÖRN", "Bjo\u{308}rn", "Бьёрн", "йод", "иод", "李"]
        let wanted = TextNormalizer.folded(search)
        let found = names.filter { TextNormalizer.folded($0) == wanted }
        let expected = [
            "bj\u{F6}rn": ["Bj\u{F6}rn", "BJÖRN", "Bjo\u{308}rn"], "бьёрн": ["Бьёрн"], "ИОД": ["иод"],
        ]
        #expect(found == expected[search])
    }

    @Test(arguments: [1, 255, 256, 257, 4000])
    func foldsTextOfAnyLength(count: Int) {
        // The longest compatibility decomposition: 1 letter becomes 18.
        let folded = TextNormalizer.folded(String(repeating: "\u{FDFA}", count: count))
        #expect(folded.unicodeScalars.count == 18 * count)
        #expect(TextNormalizer.normalized(String(repeating: "e\u{301}", count: count)).utf8.count == 2 * count)
    }

    @Test func survivesTextThatIsTooLong() {
        let text = String(repeating: "e\u{301}", count: 6_000_000)
        #expect(TextNormalizer.normalized(text).utf8.count == text.utf8.count)
        #expect(TextNormalizer.folded(text).utf8.count == text.utf8.count)
        #expect(Collation.sortKey(text).count > 1_000_000)
    }

    @Test func changesNothingTheSecondTime() {
        var random = SeededGenerator(seed: 0x5EED_0003)
        for _ in 0..<5000 {
            let text = random.text()
            for form in [TextNormalizer.normalized, TextNormalizer.trimmedNormalized, TextNormalizer.folded] {
                let once = form(text)
                #expect(Array(form(once).utf8) == Array(once.utf8), "seed \(random.seed): \(scalars(text))")
            }
        }
    }

    @Test func foldsAndSortsEveryFormOfATextAlike() {
        var random = SeededGenerator(seed: 0x5EED_0004)
        for _ in 0..<5000 {
            let text = random.text()
            let normal = TextNormalizer.normalized(text)
            #expect(normal == text, "seed \(random.seed): \(scalars(text))")
            #expect(TextNormalizer.folded(normal).utf8.elementsEqual(TextNormalizer.folded(text).utf8))
            #expect(Collation.sortKey(normal) == Collation.sortKey(text), "seed \(random.seed): \(scalars(text))")
        }
    }

    private func scalars(_ text: String) -> String {
        text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
}
