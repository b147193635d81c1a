import Testing
import Text

struct CollationTests {
    private func sorted(_ names: [String]) -> [String] {
        names.sorted { Collation.sortKey($0).lexicographicallyPrecedes(Collation.sortKey($1)) }
    }

    @Test func putsAccentedLettersBesideTheirBase() {
        let names = ["йод", "Zoe", "игла", "éva", "Eva", "ива", "Bob", "Åke", "Äda", "ada", "9", "10"]
        let expected = ["10", "9", "ada", "Äda", "Åke", "Bob", "Eva", "éva", "Zoe", "ива", "игла", "йод"]
        #expect(sorted(names) == expected)
        #expect(sorted(names.reversed()) == expected)
    }

    @Test func sortsScriptsAndPicturesInOneOrder() {
        let names = ["李", "Бьёрн", "אבי", "👩‍🍳 Mia", "علي", "🐕 Rex", "Björn", "10"]
        #expect(sorted(names) == ["🐕 Rex", "👩‍🍳 Mia", "10", "Björn", "Бьёрн", "אבי", "علي", "李"])
    }

    @Test(
        .enabled("keys are those of ICU 72.1") { Collation.version.hasPrefix("72.1/153.120") },
        arguments: [
            ("", [0x01, 0x01]),
            ("a", [0x2A, 0x01, 0x05, 0x01, 0x05]),
            ("A", [0x2A, 0x01, 0x05, 0x01, 0xDC]),
            ("ä", [0x2A, 0x01, 0x45, 0x96, 0x01, 0x06]),
            ("Björn", [0x2C, 0x3C, 0x46, 0x4C, 0x44, 0x01, 0x43, 0x96, 0x06, 0x01, 0xDC, 0x09]),
            ("йод", [0x61, 0x4E, 0x8A, 0x1A, 0x01, 0x07, 0x01, 0x07]),
        ] as [(String, [UInt8])]
    )
    func givesTheKeysOfICU72(text: String, key: [UInt8]) {
        #expect(Collation.sortKey(text) == key)
    }

    @Test(arguments: [
        ("Bj\u{F6}rn", "Bjo\u{308}rn"),
        ("\u{1EAD}", "a\u{302}\u{323}"),  // marks out of canonical order: neither NFC nor NFD
        ("\u{AC00}", "\u{1100}\u{1161}"),
        ("\u{439}", "\u{438}\u{306}"),
    ])
    func givesEveryFormOfANameOneKey(composed: String, other: String) {
        #expect(Array(composed.utf8) != Array(other.utf8))
        #expect(Collation.sortKey(composed) == Collation.sortKey(other))
    }

    @Test(arguments: [" ", "\u{0}", "\n", "0", "a", "\u{301}", "👩‍🍳"])
    func sortsTheEmptyTextFirst(text: String) {
        let empty = Collation.sortKey("")
        #expect(!Collation.sortKey(text).lexicographicallyPrecedes(empty))
    }

    @Test func hasNoZeroByteInAnyKey() {
        var random = SeededGenerator(seed: 0x5EED_0001)
        for _ in 0..<2000 {
            let text = random.text()
            #expect(!Collation.sortKey(text).contains(0), "seed \(random.seed): \(text.debugDescription)")
        }
    }

    @Test(arguments: [1, 17, 255, 256, 257, 5000])
    func makesKeysOfTextOfAnyLength(count: Int) {
        let short = Collation.sortKey(String(repeating: "漢", count: count))
        let long = Collation.sortKey(String(repeating: "漢", count: count) + "a")
        #expect(short.lexicographicallyPrecedes(long))
        #expect(short.count > count * 2)
    }

    @Test func namesTheVersionsThatKeysDependOn() {
        let parts = Collation.version.split(separator: "/")
        #expect(parts.count == 3)
        #expect(parts.allSatisfy { $0.first?.isNumber == true })
    }

    /// A Swedish collation would put Å and Ä after Z. The process is a new one: ICU reads the locale once.
    @Test(arguments: ["LC_ALL", "LANG", "LC_COLLATE"])
    func ignoresTheLocale(variable: String) async {
        await #expect(processExitsWith: .success) { [variable] in
            setLocale(variable, to: "sv_SE.UTF-8")
            let names = ["ada", "Äda", "Åke", "Bob", "Zoe"]
            let keys = names.map(Collation.sortKey)
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        }
    }

    @Test(.timeLimit(.minutes(5))) func makesTheSameKeysOnManyThreads() async {
        var random = SeededGenerator(seed: 0x5EED_0002)
        let texts = (0..<300).map { _ in random.text() }
        let expected = texts.map { Forms(of: $0) }
        await withTaskGroup(of: Bool.self) { group in
            for start in 0..<16 {
                group.addTask {
                    (0..<4).allSatisfy { _ in
                        texts.indices.allSatisfy { index in
                            let at = (index + start * 19) % texts.count
                            return Forms(of: texts[at]) == expected[at]
                        }
                    }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}

private struct Forms: Equatable {
    let key: [UInt8]
    let folded: [UInt8]
    let normalized: [UInt8]

    init(of text: String) {
        key = Collation.sortKey(text)
        folded = Array(TextNormalizer.folded(text).utf8)
        normalized = Array(TextNormalizer.normalized(text).utf8)
    }
}
