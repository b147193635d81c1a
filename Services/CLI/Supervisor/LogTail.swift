import Glibc

/// The end of a log that grows, is put aside, or is not there yet.
struct LogTail {
    private let path: String
    private var position = 0
    private var file: UInt64 = 0
    private var rest: [UInt8] = []

    /// How much of a file is looked at for its last lines.
    static let maximumBytes = 4 * 1024 * 1024

    init(_ path: String) {
        self.path = path
    }

    /// The last lines; what comes after them is ``new()``.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    mutating func last(_ count: Int) throws(CLIError) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        let isLong = status.st_size > Self.maximumBytes
        position = isLong ? Int(status.st_size) - Self.maximumBytes : 0
        file = UInt64(status.st_ino)
        let lines = try read()
        // The first line of a long file begins in its middle.
        return lines.dropFirst(isLong ? 1 : 0).suffix(count)
    }

    /// The lines that were completed since the last call.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    mutating func new() throws(CLIError) -> [String] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        if UInt64(status.st_ino) != file || Int(status.st_size) < position {
            (file, position, rest) = (UInt64(status.st_ino), 0, [])
        }
        return Int(status.st_size) == position ? [] : try read()
    }

    private mutating func read() throws(CLIError) -> [String] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "read", path: path, code: errno) }
        defer { close(descriptor) }
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = pread(descriptor, &block, block.count, off_t(position))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: path, code: errno) }
            if count == 0 { break }
            position += count
            rest += block.prefix(count)
        }
        var pieces = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(pieces.removeLast())
        return pieces.map { String(decoding: $0, as: UTF8.self) }
    }
}
