import Archive
import Glibc
import Messages

/// A backup that is read from its beginning to its end, once.
protocol BackupSource {
    /// What people are told that it is.
    var name: String { get }

    /// Hands on its files, one after the other: each with its name, and with what reads its next bytes, none at its end.
    ///
    /// - Throws: what reading and the closure throw.
    func each(_ body: (String, () throws(CLIError) -> [UInt8]) throws(CLIError) -> Void) throws(CLIError)
}

/// A backup in a folder.
struct FolderSource: BackupSource {
    private let folder: BackupFolder
    private let manifest: BackupManifest
    var name: String { folder.path }

    /// The backup that a folder is, or the newest of those in it.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where there is none.
    init(_ folder: BackupFolder) throws(CLIError) {
        let newest = folder.kept.last
        if let manifest = try folder.contents() {
            (self.folder, self.manifest) = (folder, manifest)
        } else if let newest, let manifest = try newest.contents() {
            (self.folder, self.manifest) = (newest, manifest)
        } else {
            throw .failure("\(folder.path) holds no whole backup: a whole one has a \(BackupFolder.manifest).")
        }
    }

    func each(_ body: (String, () throws(CLIError) -> [UInt8]) throws(CLIError) -> Void) throws(CLIError) {
        var block = [UInt8](repeating: 0, count: 1 << 20)
        for file in [BackupFolder.manifest] + manifest.stores.map(\.file) + manifest.keys.map(\.file) {
            let path = "\(folder.path)/\(file)"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            // What is missing is told by whoever wants it.
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else { throw .system(action: "read", path: path, code: errno) }
            defer { close(descriptor) }
            try body(file) { () throws(CLIError) in
                while true {
                    let count = read(descriptor, &block, block.count)
                    if count < 0, errno == EINTR { continue }
                    guard count >= 0 else { throw .system(action: "read", path: path, code: errno) }
                    return Array(block.prefix(count))
                }
            }
        }
    }
}

/// A backup in a tar archive, also a compressed one.
struct TarSource: BackupSource {
    let name: String
    private let tar: TarReader

    /// - Parameter path: a file, or `-` for standard input.
    /// - Throws: ``CLIError/failure(_:)`` where there is none, ``CLIError/system(action:path:code:)``.
    init(_ path: String) throws(CLIError) {
        var descriptor = STDIN_FILENO
        if path == "-" {
            name = "standard input"
            guard isatty(STDIN_FILENO) == 0 else {
                throw .usage("A backup can't be typed: name a file or a folder, or read it by '< FILE'.")
            }
        } else {
            name = path
            // Open until this process ends.
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .system(action: "read", path: path, code: errno) }
        }
        do throws(ArchiveError) {
            tar = try TarReader(descriptor: descriptor)
        } catch {
            throw Self.failure(name, error)
        }
    }

    func each(_ body: (String, () throws(CLIError) -> [UInt8]) throws(CLIError) -> Void) throws(CLIError) {
        while let entry = try reading({ () throws(ArchiveError) in try tar.next() }) {
            try body(entry.name) { () throws(CLIError) in
                Array(try reading { () throws(ArchiveError) in try tar.read() })
            }
        }
    }

    private func reading<Result>(_ body: () throws(ArchiveError) -> Result) throws(CLIError) -> Result {
        do throws(ArchiveError) {
            return try body()
        } catch {
            throw Self.failure(name, error)
        }
    }

    private static func failure(_ name: String, _ error: ArchiveError) -> CLIError {
        guard case .noTar(let reason) = error else { return .failure("\(name): \(error.description).") }
        return .failure(
            "\(name) is no whole backup: it can't be read as a tar archive (\(reason)). Nothing was changed."
        )
    }
}
