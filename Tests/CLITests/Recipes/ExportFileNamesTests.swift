import Testing

@testable import CLI

struct ExportFileNamesTests {
    @Test(
        arguments: [
            ("Leek soup", "Leek soup.md"), ("a/b\\c", "a-b-c.md"), ("..", "recipe.md"), (".hidden", "hidden.md"),
            ("-rf", "rf.md"), ("/", "recipe.md"), ("Käse", "Käse.md"), ("a\u{7}\nb", "a--b.md"), ("x. ", "x.md"),
        ]
    )
    func areSafe(name: String, file: String) {
        var names = ExportFileNames(ending: "md")
        #expect(names.next(name) == file)
    }

    @Test func areDifferentFromEachOther() {
        var names = ExportFileNames(ending: "md")
        #expect(
            ["Soup", "SOUP", "Soup (2)", "soup"].map { names.next($0) } == [
                "Soup.md", "SOUP (2).md", "Soup (2) (2).md", "soup (3).md",
            ]
        )
    }

    @Test func areShortEnoughForEveryFileSystem() {
        var names = ExportFileNames(ending: "jsonld")
        let long = String(repeating: "é", count: 200)
        for _ in 0..<3 { #expect(names.next(long).utf8.count < 200) }
    }
}
