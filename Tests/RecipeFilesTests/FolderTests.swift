import Foundation
import RecipeFiles
import Support
import Testing

struct FolderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "recipes-\(UUID())").path

    private func write(_ path: String, _ bytes: [UInt8]) throws {
        let url = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    private func recipe(_ name: String) -> [UInt8] { Array(#"{"@type":"Recipe","name":"\#(name)","image":"x"}"#.utf8) }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func nextcloudsFoldersAreReadWithTheirPictures() throws {
        defer { remove() }
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
        try write("Shepherd's Pie/recipe.json", recipe("Shepherd's Pie"))
        try write("Shepherd's Pie/full.jpg", picture)
        try write("Shepherd's Pie/thumb.jpg", [1])
        try write("Stew/recipe.json", recipe("Stew"))
        try write(".hidden/recipe.json", recipe("hidden"))
        let reading = Reading(RecipeReader(path: folder + "/"))
        #expect(reading.recipes.map(\.name) == ["Shepherd's Pie", "Stew"])
        #expect(reading.recipes.map(\.picture) == [.init(name: "full.jpg", bytes: picture), .init(name: "x")])
        let zip = PackedFile.zip([("P/full.jpg", picture), ("P/recipe.json", recipe("P"))])
        #expect(Reading(RecipeReader(contents: zip, named: "z")).recipes.map(\.picture?.bytes) == [picture])
    }

    @Test func filesOfAllKindsAreReadInTheOrderOfTheirNames() throws {
        defer { remove() }
        try write("b.json", recipe("b"))
        try write(
            "a/c.html",
            Array("<script type=\"application/ld+json\">".utf8)
                + Array(#"{"@type":"Recipe","name":"c","recipeYield":1}"#.utf8)
        )
        try write("d.json", Array("{".utf8))
        try write(
            "e.paprikarecipes",
            PackedFile.zip([("x.paprikarecipe", PackedFile.gzip(Array(#"{"name":"e","directions":"x"}"#.utf8)))])
        )
        try write("notes.txt", Array("no recipe".utf8))
        var reader = RecipeReader(path: folder)
        #expect(reader.progress == (0, 4))
        _ = reader.next()
        #expect(reader.progress == (1, 4))
        let reading = Reading(RecipeReader(path: folder))
        #expect(reading.recipes.map(\.name) == ["c", "b", "e"])
        #expect(reading.problems.map(\.place.file) == ["\(folder)/d.json"])
    }

    @Test func withoutRecipeFilesItIsRefused() throws {
        defer { remove() }
        try write("notes.txt", [])
        #expect(Reading(RecipeReader(path: folder)).problems.map(\.place.file) == [folder])
        #expect(
            Reading(RecipeReader(path: folder + "/nowhere")).problems.first?.sentence.contains("no such file") == true
        )
    }

    @Test(
        arguments: [
            (Array("%PDF-1.7".utf8), "a PDF"), ([], "empty"), ([0xFF, 0xD8, 0xFF], "a picture"),
            (Array("Soup".utf8), "no recipe can be found"),
            ([0x1F, 0x8B], "ends too early"), (Array("PK\u{3}\u{4}".utf8), "end is missing"),
            (PackedFile.zip([]), "empty zip"), (PackedFile.zip([("notes.txt", [])]), "no recipe files"),
            (PackedFile.zip([("a.zip", PackedFile.zip([]))]), "archive in an archive"),
            ([0, 1, 2], "no recipe can be found"),
        ]
    )
    func whatIsNoneIsRefusedWithAReason(bytes: [UInt8], reason: String) {
        let reading = Reading(RecipeReader(contents: bytes, named: "file"))
        #expect(reading.recipes.isEmpty && reading.problems.count == 1)
        #expect(reading.problems.first?.sentence.contains(reason) == true, "\(reading.problems)")
    }
}
