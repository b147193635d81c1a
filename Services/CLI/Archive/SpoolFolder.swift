import Glibc
import SHA2

/// A folder for what has to be whole before it can be passed on; it goes with everything in it.
final class SpoolFolder: Sendable {
    let path: String

    /// In `TMPDIR`, or `/tmp`.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    init() throws(CLIError) {
        let parent = ProcessEnvironment.variables["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/daybook-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .system(action: "make a folder in", path: parent, code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        // Files alone: what is put here has no folders.
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                unlink("\(path)/\(name)")
            }
            closedir(folder)
        }
        rmdir(path)
    }
}

/// A file of a spool folder: written once, then read; with its checksum.
final class SpoolFile {
    let path: String
    private(set) var bytes = 0
    private(set) var rows = 0
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var hash = SHA256()
    private var digest: [UInt8]?

    /// - Throws: ``CLIError/system(action:path:code:)``.
    init(_ name: String, in folder: SpoolFolder) throws(CLIError) {
        path = "\(folder.path)/\(name)"
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "write", path: path, code: errno) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Adds an item.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func add(_ item: [UInt8]) throws(CLIError) {
        rows += 1
        try write(item)
    }

    /// Adds bytes.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func write(_ new: some Collection<UInt8>) throws(CLIError) {
        bytes += new.count
        buffer += new
        if buffer.count >= 256 << 10 { try flush() }
    }

    private func flush() throws(CLIError) {
        hash.add(buffer)
        var sent = 0
        while sent < buffer.count {
            let count = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "write", path: path, code: errno) }
            sent += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// SHA-256 of the content; nothing is added from then on.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func finish() throws(CLIError) -> [UInt8] {
        if let digest { return digest }
        try flush()
        let digest = hash.finish()
        self.digest = digest
        return digest
    }

    /// Hands the content on in blocks, from the beginning.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``, and what the closure throws.
    func each(_ body: ([UInt8]) throws(CLIError) -> Void) throws(CLIError) {
        _ = try finish()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .system(action: "read", path: path, code: errno) }
        var block = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: path, code: errno) }
            if count == 0 { return }
            try body(count == block.count ? block : Array(block.prefix(count)))
        }
    }
}
