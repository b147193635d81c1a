internal import Archive

/// Goes through a zip archive: Paprika's, of gzipped recipes, or one of other recipe files.
final class RecipeArchive {
    private let archive: ZipArchive
    private let place: RecipePlace
    /// Those that may hold recipes, by their places in the archive.
    private let wanted: [ZipArchive.Entry]
    private var index = 0
    /// What may still be unpacked.
    private var bytesLeft = RecipeReader.maximumUnpackedBytes
    private var isEmptyTold = false

    init(_ bytes: [UInt8], _ place: RecipePlace) throws(ArchiveError) {
        archive = try ZipArchive(bytes, entries: RecipeReader.maximumEntries)
        self.place = place
        wanted = archive.entries.filter { !$0.isFolder && FileKind.isRecipeFile($0.name) && !FileKind.isJunk($0.name) }
    }

    var progress: (done: Int, of: Int) { (index, wanted.count) }

    /// What the next entry holds; nil behind the last.
    func next() -> [RecipeEntry]? {
        if wanted.isEmpty, !isEmptyTold {
            isEmptyTold = true
            let sentence = "there are no recipe files in the archive: \(RecipeReader.kinds) are read"
            return [.problem(RecipeProblem(.refused, place, sentence))]
        }
        guard index < wanted.count else { return nil }
        let entry = wanted[index]
        index += 1
        var place = place
        place.entry = entry.name
        do throws(ArchiveError) {
            var bytes = try contents(of: entry)
            if GZip.isGZip(bytes) {
                bytes = try GZip.decompressed(bytes, limit: min(RecipeReader.maximumEntryBytes, bytesLeft))
                bytesLeft -= bytes.count
            }
            if ZipArchive.isZip(bytes) {
                return [
                    .problem(
                        RecipeProblem(.refused, place, "it is an archive in an archive: unpack the outer one first")
                    )
                ]
            }
            return RecipeDocument.entries(bytes, in: place) { picture(beside: entry) }
        } catch {
            return [.problem(RecipeProblem(.refused, place, error.description))]
        }
    }

    private func contents(of entry: ZipArchive.Entry) throws(ArchiveError) -> [UInt8] {
        let bytes = try archive.contents(of: entry, limit: min(RecipeReader.maximumEntryBytes, bytesLeft))
        bytesLeft -= bytes.count
        return bytes
    }

    private func picture(beside entry: ZipArchive.Entry) -> [UInt8]? {
        guard entry.name == "recipe.json" || entry.name.hasSuffix("/recipe.json") else { return nil }
        let name = entry.name.dropLast("recipe.json".count) + "full.jpg"
        // A picture that can't be unpacked stops no recipe.
        return archive.entries.first { $0.name == name }.flatMap { try? contents(of: $0) }
    }
}

/// What names tell, where there are many files: of a single file its bytes decide.
enum FileKind {
    private static let endings = [
        ".json", ".jsonld", ".html", ".htm", ".xhtml", ".csv", ".zip", ".paprikarecipe", ".paprikarecipes", ".gz",
    ]

    static func isRecipeFile(_ name: String) -> Bool {
        let name = name.lowercased()
        return endings.contains { name.hasSuffix($0) }
    }

    /// What systems leave behind, and hidden files and folders.
    static func isJunk(_ name: String) -> Bool {
        name.utf8.split(separator: UInt8(ascii: "/")).contains { part in
            part.first == UInt8(ascii: ".") || part.elementsEqual("__MACOSX".utf8)
        }
    }
}
