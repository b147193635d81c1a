import Glibc

/// An archive that is to be read more than once: a file, or a copy of standard input.
final class ArchiveFile {
    let descriptor: Int32
    /// What people are told: the name without the folders.
    let name: String
    private let folder: SpoolFolder?

    /// - Parameter path: the file, or `-` for standard input, which is copied first.
    /// - Throws: ``CLIError/failure(_:)`` where there is none, ``CLIError/system(action:path:code:)``.
    init(_ path: String) throws(CLIError) {
        guard path == "-" else {
            folder = nil
            name = path.split(separator: "/").last.map(String.init) ?? path
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw errno == ENOENT
                    ? .failure("There is no file \(quoted(path)).") : .system(action: "read", path: path, code: errno)
            }
            return
        }
        name = "standard input"
        let folder = try SpoolFolder()
        self.folder = folder
        let copy = try SpoolFile("archive", in: folder)
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(STDIN_FILENO, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: name, code: errno) }
            if count == 0 { break }
            try copy.write(block.prefix(count))
        }
        _ = try copy.finish()
        descriptor = open(copy.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "read", path: copy.path, code: errno) }
    }

    deinit {
        close(descriptor)
    }
}
