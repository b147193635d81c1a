import Testing

@testable import CLI

@Test(
    arguments: [
        ("nmae", "name"), ("nam", "name"), ("NAME", "name"), ("emial", "email"), ("xyz", nil), ("", nil),
        ("addres", "address"), ("a", nil),
    ] as [(String, String?)]
)
func suggestsTheNearestWord(word: String, expected: String?) {
    #expect(Suggestion.nearest(to: word, among: ["name", "email", "address"]) == expected)
}
