import Glibc

/// The few things that the command does with files. Descriptors close on exec.
enum File {
    /// The whole content of a small file; nil where there is none.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func contents(_ path: String) throws(CLIError) -> [UInt8]? { try contents(path, atMost: .max) }

    /// The whole content of a file; nil where there is none.
    ///
    /// - Parameter limit: of a file with more bytes only some more than these are read.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func contents(_ path: String, atMost limit: Int) throws(CLIError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .system(action: "read", path: path, code: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: path, code: errno) }
            if count == 0 || bytes.count > limit { return bytes }
            bytes += block.prefix(count)
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether the file can be run by this user.
    static func isExecutable(_ path: String) -> Bool { !isFolder(path) && access(path, X_OK) == 0 }

    /// The path without links; nil where it leads nowhere.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes a folder and those above it. New ones are for this user alone (0700).
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func makeFolder(_ path: String) throws(CLIError) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeFolder(String(path[..<slash])) }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) else {
            throw .system(action: "make the folder", path: path, code: errno)
        }
    }
}
