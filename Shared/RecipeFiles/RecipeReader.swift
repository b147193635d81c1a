internal import Archive

/// Goes through a file, or the files of a folder and those below it, and reads one recipe after another.
///
///     var reader = RecipeReader(path: "recipes")
///     while let entry = reader.next() { … }
///
/// Memory is that of one file, unpacked entry by entry. What is wrong with one recipe is an entry of its own, and the rest
/// goes on.
public struct RecipeReader: ~Copyable {
    /// A file of more bytes is refused.
    public static let maximumBytes = 200 << 20
    /// An entry of an archive that has more bytes when it is unpacked is refused: room for the largest picture in Base64.
    static let maximumEntryBytes = 48 << 20
    /// An archive gives at most this many bytes altogether.
    static let maximumUnpackedBytes = 1 << 30
    static let maximumEntries = 20_000

    /// What is read, for sentences.
    public static let kinds = "schema.org JSON-LD, pages (HTML) with it, Nextcloud Cookbook, Paprika and Plan to Eat"

    /// How many files, or of a single file how many entries or recipes, were begun, and how many there are.
    public private(set) var progress: (done: Int, of: Int) = (0, 0)

    private var files: [String] = []
    private var nextFile = 0
    /// What the one file is called in problems; nil for its path.
    private let name: String?
    private let isFolder: Bool
    private var found: [RecipeEntry] = []
    private var archive: RecipeArchive?

    /// Nothing is read yet but the names in a folder: what is wrong, ``next()`` tells.
    ///
    /// - Parameters:
    ///   - path: of a file or a folder.
    ///   - name: what a file is called in problems; nil for its path.
    public init(path: String, named name: String? = nil) {
        self.name = name
        switch FileSystem.kind(path) {
        case .folder:
            isFolder = true
            var scan = FolderScan()
            scan.run(path)
            files = scan.files
            found = scan.problems.reversed().map { .problem($0) }
            if files.isEmpty, found.isEmpty {
                let sentence = "there are no recipe files in it: \(Self.kinds) are read"
                found = [.problem(RecipeProblem(.refused, RecipePlace(file: path), sentence))]
            }
        case .file, .other, nil:
            isFolder = false
            files = [path]
        }
        progress.of = files.count
    }

    /// - Parameters:
    ///   - contents: of a file that was read already.
    ///   - name: what it is called in problems.
    public init(contents: [UInt8], named name: String) {
        isFolder = false
        self.name = name
        open(contents, RecipePlace(file: name)) { nil }
    }

    /// The next recipe or problem; nil at the end.
    public mutating func next() -> RecipeEntry? {
        while true {
            if let entry = found.popLast() {
                if !isFolder, archive == nil, progress.done < progress.of { progress.done += 1 }
                return entry
            }
            if let archive, let entry = archive.next() {
                if !isFolder { progress = archive.progress }
                found = entry.reversed()
                continue
            }
            archive = nil
            guard nextFile < files.count else { return nil }
            read(files[nextFile])
            nextFile += 1
            if isFolder { progress.done = nextFile }
        }
    }

    private mutating func read(_ path: String) {
        let place = RecipePlace(file: name ?? path)
        do throws(RecipeProblem) {
            let bytes = try FileSystem.contents(path, place)
            open(bytes, place) {
                let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
                guard let slash, path[slash...] == "/recipe.json" else { return nil }
                return try? FileSystem.contents("\(path[..<slash])/full.jpg", place)
            }
        } catch {
            found = [.problem(error)]
        }
    }

    private mutating func open(_ bytes: [UInt8], _ place: RecipePlace, picture: () -> [UInt8]?) {
        do throws(ArchiveError) {
            if ZipArchive.isZip(bytes) {
                let archive = try RecipeArchive(bytes, place)
                self.archive = archive
                if !isFolder { progress = archive.progress }
                return
            }
            let bytes = GZip.isGZip(bytes) ? try GZip.decompressed(bytes, limit: Self.maximumEntryBytes) : bytes
            found = RecipeDocument.entries(bytes, in: place, picture: picture).reversed()
        } catch {
            found = [.problem(RecipeProblem(.refused, place, error.description))]
        }
        if !isFolder { progress = (0, found.count) }
    }
}
