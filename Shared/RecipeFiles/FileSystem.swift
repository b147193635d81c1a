internal import Glibc

/// The few things that are done with files here.
enum FileSystem {
    enum Kind { case file, folder, other }

    /// What a path leads to; nil where it leads nowhere that can be seen.
    static func kind(_ path: String) -> Kind? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// The content of a file.
    ///
    /// - Throws: a ``RecipeProblem`` for one that is not there, can't be read, or is too large.
    static func contents(_ path: String, _ place: RecipePlace) throws(RecipeProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(place, errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw problem(place, errno) }
            if count == 0 { return bytes }
            bytes += block[..<count]
            guard bytes.count <= RecipeReader.maximumBytes else {
                let limit = RecipeReader.maximumBytes >> 20
                throw RecipeProblem(.refused, place, "it has more than \(limit) MiB: split it, or export in parts")
            }
        }
    }

    static func problem(_ place: RecipePlace, _ code: Int32) -> RecipeProblem {
        let sentence =
            switch code {
            case ENOENT, ENOTDIR: "there is no such file: look at the path"
            case EACCES, EPERM: "you may not read it: change its permissions, or ask its owner"
            default: "it can't be read: \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
            }
        return RecipeProblem(.refused, place, sentence)
    }
}

/// The recipe files of a folder and of those below it, in the order of their bytes.
///
/// Hidden files and folders are passed over; links to folders are not followed.
struct FolderScan {
    private(set) var files: [String] = []
    private(set) var problems: [RecipeProblem] = []

    private static let mostFiles = 100_000
    private static let mostLevels = 32

    mutating func run(_ folder: String) {
        scan(
            folder.utf8.count > 1 && folder.utf8.last == UInt8(ascii: "/") ? String(folder.dropLast()) : folder,
            level: 0
        )
    }

    private mutating func scan(_ folder: String, level: Int) {
        let place = RecipePlace(file: folder)
        guard level < Self.mostLevels else {
            return problems.append(
                RecipeProblem(.refused, place, "folders lie too deeply in each other: import it by itself")
            )
        }
        guard let stream = opendir(folder) else { return problems.append(FileSystem.problem(place, errno)) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if !FileKind.isJunk(name) { names.append(name) }
        }
        closedir(stream)
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                scan(path, level: level + 1)
            } else if FileKind.isRecipeFile(name), FileSystem.kind(path) == .file {
                guard files.count < Self.mostFiles else {
                    if files.count == Self.mostFiles {
                        problems.append(
                            RecipeProblem(.refused, place, "there are more than \(Self.mostFiles) files: import parts")
                        )
                    }
                    return
                }
                files.append(path)
            }
        }
    }
}
