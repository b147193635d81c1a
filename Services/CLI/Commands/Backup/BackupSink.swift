import Glibc
import Messages
import SHA2

/// Where the files of a backup go, one after the other.
protocol BackupSink {
    /// Begins a file; the one before is ended.
    ///
    /// - Parameters:
    ///   - name: with its folders, separated by `/`.
    ///   - bytes: as many as will be written.
    mutating func begin(_ name: String, bytes: Int64) throws(CLIError)

    mutating func write(_ bytes: [UInt8]) throws(CLIError)

    /// Ends the last file, which is the manifest: now the backup is whole.
    mutating func finish() throws(CLIError)
}

/// A file that is hashed on its way into a backup.
struct BackupFile<Sink: BackupSink> {
    private let name: String
    private var hash = SHA256()

    /// - Throws: what the sink throws.
    init(_ name: String, bytes: Int64, in sink: inout Sink) throws(CLIError) {
        self.name = name
        try sink.begin(name, bytes: bytes)
    }

    /// - Throws: what the sink throws.
    mutating func write(_ bytes: [UInt8], to sink: inout Sink) throws(CLIError) {
        hash.add(bytes)
        try sink.write(bytes)
    }

    /// The SHA-256 of what was written, as 64 hexadecimal digits.
    consuming func finish() -> String { hash.finish().hexadecimal }
}

extension [UInt8] {
    /// Two digits for each byte.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// Writes a backup into a folder that has `.part` behind its name until it is whole.
struct FolderSink: BackupSink {
    private let part: BackupFolder
    private let whole: BackupFolder
    /// Of the folder; freed with the process.
    private let lock: Int32
    private var file: (path: String, descriptor: Int32)?

    /// - Throws: ``CLIError/failure(_:)`` where another backup is written there, ``CLIError/system(action:path:code:)``.
    init(_ whole: BackupFolder) throws(CLIError) {
        self.whole = whole
        part = BackupFolder(whole.path + BackupFolder.part)
        try File.makeFolder(part.path)
        guard let lock = try part.locked() else {
            throw .failure("Another backup is being written to \(part.path): wait for it, or name another folder.")
        }
        self.lock = lock
        // Left by one that was killed.
        try part.empty()
    }

    mutating func begin(_ name: String, bytes: Int64) throws(CLIError) {
        try end()
        let path = "\(part.path)/\(name)"
        if let slash = path.lastIndex(of: "/") { try File.makeFolder(String(path[..<slash])) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "write", path: path, code: errno) }
        file = (path, descriptor)
    }

    mutating func write(_ bytes: [UInt8]) throws(CLIError) {
        guard let file else { return }
        try DurableFile.append(bytes, to: file.descriptor, path: file.path)
    }

    private mutating func end() throws(CLIError) {
        guard let (path, descriptor) = file else { return }
        file = nil
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(action: "write", path: path, code: errno) }
        try DurableFile.syncFolder(of: path)
    }

    mutating func finish() throws(CLIError) {
        try end()
        guard rename(part.path, whole.path) == 0 else { throw .system(action: "rename", path: part.path, code: errno) }
        try DurableFile.syncFolder(of: whole.path)
        close(lock)
    }

    /// Leaves nothing of it.
    mutating func drop() {
        if let (_, descriptor) = file { close(descriptor) }
        file = nil
        try? part.remove()
        close(lock)
    }
}
