import Glibc

/// Small files, whole.
public enum File {
    /// The bytes; nil where the file can't be read.
    public static func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += block.prefix(count)
        }
    }

    /// The text; wrong UTF-8 becomes U+FFFD. Empty where the file can't be read.
    public static func text(_ path: String) -> String { String(decoding: read(path) ?? [], as: UTF8.self) }

    /// Makes or replaces the file.
    ///
    /// - Throws: ``HarnessError``.
    public static func write(_ bytes: [UInt8], to path: String) throws(HarnessError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw HarnessError("can't write \(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw HarnessError("can't write \(path): \(String(cString: strerror(errno)))") }
            rest = rest.dropFirst(count)
        }
    }

    /// The names of what lies in a folder, in no order; none where it can't be read.
    public static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The paths of all files in a folder and in those below it, in order.
    public static func all(below folder: String) -> [String] {
        names(in: folder).sorted().flatMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [path] }
            return all(below: path)
        }
    }

    /// The size in bytes; 0 where there is no such file.
    public static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether there is something of this name.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// Why the harness could not do its part: one sentence.
public struct HarnessError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
