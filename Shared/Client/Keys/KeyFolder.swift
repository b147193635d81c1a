import Glibc
public import ZeroMQ

/// The folder of keys: what lies where. Reads only; the command `daybook keys` writes.
///
/// - `<name>.key_secret`: both halves of a key that is used here, a service's or one's own. Where there is a folder
///   `secret/<name>`, it lies in that: each can be a volume of its own then, and a container sees no other's.
/// - `public/<name>.key`: the public half, with its role. A service lets in whose file lies there; whoever wants to reach a
///   service finds its public key there.
/// - `revoked/<name>.key`: what was public once; such a name is not given again.
public struct KeyFolder: Hashable, Sendable {
    /// Absolute; `<home>/keys` unless `DAYBOOK_KEYS` says otherwise.
    public var path: String

    public init(path: String) {
        self.path = path
    }

    /// The folder `secret`, in which names may have folders of their own.
    public var secretFolder: String { "\(path)/secret" }
    /// Where the file of both halves is, or would be; looks whether the name has a folder of its own.
    public func secretPath(_ name: String) -> String {
        let own = "\(secretFolder)/\(name)"
        return "\(access(own, F_OK) == 0 ? own : path)/\(name)\(Self.secretSuffix)"
    }
    /// How the names of files of both halves end.
    public static let secretSuffix = ".key_secret"
    public var publicFolder: String { "\(path)/public" }
    public func publicPath(_ name: String) -> String { "\(publicFolder)/\(name).key" }
    public var revokedFolder: String { "\(path)/revoked" }
    public func revokedPath(_ name: String) -> String { "\(revokedFolder)/\(name).key" }

    /// Whether there is a secret half of this name.
    public func hasSecret(_ name: String) -> Bool { access(secretPath(name), F_OK) == 0 }

    /// Both halves of a key that is used here.
    ///
    /// - Throws: every case of `KeyError`; `exposed` where others may read the file.
    public func pair(_ name: String) throws(KeyError) -> CurveKeyPair {
        let file = try secret(name)
        guard let pair = file.pair else { throw .malformed(secretPath(name), "it has no line 'secret-key = …'") }
        return pair
    }

    /// The file of both halves.
    ///
    /// - Throws: as ``pair(_:)``.
    public func secret(_ name: String) throws(KeyError) -> KeyFile {
        try read(secretPath(name), named: name, closedTo: 0o077)
    }

    /// The public half of a key.
    ///
    /// - Throws: every case of `KeyError`.
    public func publicFile(_ name: String) throws(KeyError) -> KeyFile {
        try read(publicPath(name), named: name, closedTo: 0o022)
    }

    /// The public half of a key that was revoked.
    ///
    /// - Throws: every case of `KeyError`.
    public func revokedFile(_ name: String) throws(KeyError) -> KeyFile {
        try read(revokedPath(name), named: name, closedTo: 0o022)
    }

    /// What tells one content of `public` from another; a file that was put there, renamed or taken away shows in it, one
    /// that was written in place does not.
    package struct Stamp: Hashable, Sendable {
        var inode: UInt64 = 0
        package var seconds = 0
        var nanoseconds = 0

        package init() {}

        init(_ status: stat) {
            inode = UInt64(status.st_ino)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The content of `public` now, without reading it.
    package var stamp: Stamp {
        var status = stat()
        guard stat(publicFolder, &status) == 0 else { return Stamp() }
        return Stamp(status)
    }

    /// All public halves, by name, and what is wrong with those that can't be used, which count as absent.
    ///
    /// - Throws: `unreadable` where it can't be said now: the process has no file left to open, or the disk fails.
    public func publicFiles() throws(KeyError) -> (files: [KeyFile], problems: [KeyError]) {
        var (files, problems): ([KeyFile], [KeyError]) = ([], [])
        var status = stat()
        guard stat(publicFolder, &status) == 0 else {
            guard errno == ENOENT else { throw .unreadable(publicFolder, SystemError(number: errno)) }
            return ([], [.missing(publicFolder)])
        }
        guard status.st_mode & 0o022 == 0 else { return ([], [.exposed(publicFolder)]) }
        for name in try Self.names(in: publicFolder) {
            do throws(KeyError) {
                let file = try publicFile(name)
                if let twin = files.first(where: { $0.publicKey == file.publicKey }) {
                    throw .malformed(publicPath(name), "it is the same key as that of \(twin.name)")
                }
                files.append(file)
            } catch {
                if case .unreadable(_, let reason) = error, [EMFILE, ENFILE, ENOMEM, EIO].contains(reason.number) {
                    throw error
                }
                problems.append(error)
            }
        }
        return (files, problems)
    }

    /// The names of the public key files in a folder, in the order of their bytes; none where there is no such folder.
    ///
    /// - Throws: `unreadable`.
    public static func names(in folder: String) throws(KeyError) -> [String] {
        guard let stream = opendir(folder) else {
            if errno == ENOENT { return [] }
            throw .unreadable(folder, SystemError(number: errno))
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".key"), KeyFile.isName(name) { names.append(String(name.dropLast(4))) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// - Parameter bits: of the mode, that must not be set.
    private func read(_ path: String, named name: String, closedTo bits: UInt32) throws(KeyError) -> KeyFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(path) : .unreadable(path, SystemError(number: errno))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, SystemError(number: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .malformed(path, "it is no file") }
        guard status.st_mode & bits == 0 else { throw .exposed(path) }
        var bytes = [UInt8](repeating: 0, count: KeyFile.maximumBytes + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .unreadable(path, SystemError(number: errno)) }
        guard count <= KeyFile.maximumBytes else { throw .malformed(path, "it is too large for a key") }
        let file = try KeyFile(parsing: String(decoding: bytes.prefix(count), as: UTF8.self), path: path)
        guard file.name == name else { throw .malformed(path, "it is the key of \(file.name)") }
        return file
    }
}

/// The key that a client or service shows to services, and where it finds theirs.
public struct OwnKey: Hashable, Sendable {
    /// Where `<name>.key_secret` and `public/<service>.key` are; read at each attempt to connect.
    public var folder: KeyFolder
    public var name: String

    public init(folder: KeyFolder, name: String) {
        self.folder = folder
        self.name = name
    }
}
