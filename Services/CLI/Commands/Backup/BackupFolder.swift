import Glibc
import Messages

/// A folder that a backup is in or comes into, or that holds several, one for each time.
struct BackupFolder: Sendable, Hashable {
    static let manifest = "manifest.json"
    /// Stands behind the name of a folder that is not whole.
    static let part = ".part"

    /// Without a slash at its end.
    let path: String

    init(_ path: String) {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        self.path = String(path)
    }

    /// The folder of a backup of this time in this one.
    func folder(of time: Instant) -> BackupFolder { BackupFolder("\(path)/\(Self.name(of: time))") }

    /// A time as the name of a file: `2024-03-31T180500Z`, which sorts by time.
    static func name(of time: Instant) -> String {
        let text = time.description.replacing(":", with: "")
        return "\(text.prefix { $0 != "." && $0 != "Z" })Z"
    }

    /// What is in it; nil where it is no whole backup.
    ///
    /// - Throws: what reading throws, and ``CLIError/failure(_:)`` for a manifest that can't be read.
    func contents() throws(CLIError) -> BackupManifest? {
        let file = "\(path)/\(Self.manifest)"
        guard let bytes = try File.contents(file) else { return nil }
        return try BackupManifest(json: bytes, file: file)
    }

    /// The whole backups in it that `--keep` made, the oldest first.
    var kept: [BackupFolder] {
        DurableFile.names(in: path).filter(Self.isTime).map { BackupFolder("\(path)/\($0)") }
            .filter { access("\($0.path)/\(Self.manifest)", F_OK) == 0 }
    }

    /// What the command was killed over in it: such a folder is locked by whoever fills it.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func removeUnfinished() throws(CLIError) {
        for name in DurableFile.names(in: path) where name.hasSuffix(Self.part) && Self.isTime(name.dropLast(5)) {
            let folder = BackupFolder("\(path)/\(name)")
            guard let lock = try folder.locked() else { continue }
            try folder.remove()
            close(lock)
        }
    }

    private static func isTime(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 18 && name.hasSuffix("Z") && Instant(timed(name)) != nil
    }

    /// `2024-03-31T180500Z` with its colons.
    private static func timed(_ name: some StringProtocol) -> String {
        let digits = Array(name)
        return String(digits[..<13]) + ":" + String(digits[13..<15]) + ":" + String(digits[15...])
    }

    /// Takes the folder's lock, which the kernel frees with the process; nil where another process has it.
    ///
    /// - Returns: A descriptor, which is the caller's to close.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func locked() throws(CLIError) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "open", path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Removes what is in it.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func empty() throws(CLIError) {
        // The manifest first: what is left of a removal that is cut off is no backup.
        let names = DurableFile.names(in: path)
        for name in names.filter({ $0 == Self.manifest }) + names.filter({ $0 != Self.manifest }) {
            let inner = "\(path)/\(name)"
            if File.isFolder(inner) {
                try BackupFolder(inner).remove()
                continue
            }
            guard unlink(inner) == 0 || errno == ENOENT else {
                throw .system(action: "remove", path: inner, code: errno)
            }
        }
    }

    /// Removes it and what is in it.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func remove() throws(CLIError) {
        try empty()
        guard rmdir(path) == 0 || errno == ENOENT else { throw .system(action: "remove", path: path, code: errno) }
    }
}
