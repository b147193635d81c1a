import Glibc

/// Files that are there as a whole or not at all, also after the power failed.
enum DurableFile {
    /// Writes beside the file, syncs, and renames: who reads finds the old content or the new.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func write(_ text: String, to path: String) throws(CLIError) {
        try write(Array(text.utf8), to: path)
    }

    /// As ``write(_:to:)``.
    static func write(_ bytes: [UInt8], to path: String) throws(CLIError) {
        let new = "\(path).new"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "write", path: new, code: errno) }
        defer { close(descriptor) }
        try append(bytes, to: descriptor, path: new)
        guard fsync(descriptor) == 0 else { throw .system(action: "write", path: new, code: errno) }
        guard rename(new, path) == 0 else { throw .system(action: "write", path: path, code: errno) }
        try syncFolder(of: path)
    }

    /// Writes a file of which there is none yet, for this user alone; it is there as a whole or not at all.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``, with `EEXIST` where there is one: that stays as it is.
    static func create(_ bytes: [UInt8], at path: String) throws(CLIError) {
        let new = "\(path).new.\(getpid())"
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "write", path: new, code: errno) }
        defer {
            close(descriptor)
            unlink(new)
        }
        try append(bytes, to: descriptor, path: new)
        guard fsync(descriptor) == 0, link(new, path) == 0 else {
            throw .system(action: "write", path: path, code: errno)
        }
        try syncFolder(of: path)
    }

    /// Gives a file another place on the same file system, for good.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func move(_ path: String, to other: String) throws(CLIError) {
        guard rename(path, other) == 0 else { throw .system(action: "move", path: path, code: errno) }
        try syncFolder(of: other)
        try syncFolder(of: path)
    }

    /// Removes the file, for good.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func remove(_ path: String) throws(CLIError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(action: "remove", path: path, code: errno) }
        try syncFolder(of: path)
    }

    /// An open file without a name that holds the text, to be read from its beginning.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func nameless(_ text: String, in folder: String) throws(CLIError) -> Int32 {
        var path = Array("\(folder)/event-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw .system(action: "write in", path: folder, code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
        do throws(CLIError) {
            try append(Array(text.utf8), to: descriptor, path: folder)
        } catch {
            close(descriptor)
            throw error
        }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// Whether there is nothing in a folder, not even what is hidden.
    static func isEmpty(_ folder: String) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        return count <= 2
    }

    /// The names in a folder, in the order of their bytes; none where there is no such folder.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Writes all of the bytes to an open file.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func append(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(CLIError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + sent, $0.count - sent) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(action: "write", path: path, code: errno) }
            sent += count
        }
    }

    /// Makes what was renamed or removed in a file's folder outlive a power failure.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func syncFolder(of path: String) throws(CLIError) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "open", path: folder, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(action: "write", path: folder, code: errno) }
    }
}
