import Glibc
import Messages
import SHA2

extension Invocation {
    /// Puts stores back from a backup, and prints which.
    ///
    /// - Parameters:
    ///   - services: only theirs; none for all of the backup.
    ///   - withKeys: whether the backup's keys are put back as well.
    ///   - yes: whether nothing is asked.
    /// - Throws: ``CLIError``. Up to the question nothing is changed; what is cut off behind it is finished by running it
    ///   again, and `daybook up` refuses before.
    func restore(_ folder: BackupFolder, _ services: [ServiceName], withKeys: Bool, yes: Bool) throws(CLIError) {
        let (source, manifest) = try backup(in: folder)
        let stores = try chosen(services, of: manifest, in: source)
        let keys = withKeys ? try newKeys(of: manifest, in: source) : []
        let home = configuration.home
        try File.makeFolder(home)
        if let process = try SupervisorLock.holder(in: configuration.runtime) {
            throw .failure("Daybook is up (process \(process)): 'daybook down' first.")
        }
        var locks: [Int32] = []
        defer { for lock in locks { close(lock) } }
        for store in stores { locks.append(try lockStore(store.service)) }
        var suffix = ".before-restore-\(BackupFolder.name(of: .now()))"
        while DurableFile.names(in: home).contains(where: { $0.hasSuffix(suffix) }) { suffix += "-2" }
        let copies = stores.map { RestoredStore($0, from: source, home: home, keptSuffix: suffix) }
        do throws(CLIError) {
            for copy in copies { try copy.fetch() }
            let replaced = copies.filter(\.replaces)
            if !replaced.isEmpty {
                let names = replaced.map(\.store.service.rawValue).joined(separator: ", ")
                try Confirmation.ask(
                    "Put back the books of \(BackupFolder.name(of: manifest.time)) (\(names))? What is there now is kept "
                        + "beside them as <store>\(suffix).",
                    yes: yes
                )
            }
        } catch {
            for copy in copies { copy.drop() }
            throw error
        }
        try DurableFile.write("daybook restore \(folder.path)\n", to: Startup.unfinishedRestore(home: home))
        for copy in copies { try copy.putInPlace() }
        for key in keys {
            if let slash = key.path.lastIndex(of: "/") { try File.makeFolder(String(key.path[..<slash])) }
            try DurableFile.create(key.bytes, at: key.path)
        }
        try DurableFile.remove(Startup.unfinishedRestore(home: home))
        try presentation.list(stores, of: .storeCopy)
    }

    /// The backup that a folder is, or the newest of those in it.
    private func backup(in folder: BackupFolder) throws(CLIError) -> (BackupFolder, BackupManifest) {
        if let manifest = try folder.contents() { return (folder, manifest) }
        if let newest = folder.kept.last, let manifest = try newest.contents() { return (newest, manifest) }
        guard File.isFolder(folder.path) else { throw .failure("There is no folder \(folder.path).") }
        throw .failure("\(folder.path) holds no whole backup: a whole one has a \(BackupFolder.manifest).")
    }

    private func chosen(
        _ services: [ServiceName],
        of manifest: BackupManifest,
        in folder: BackupFolder
    ) throws(CLIError) -> [BackupManifest.Store] {
        guard !services.isEmpty else { return manifest.stores }
        return try services.map { service throws(CLIError) in
            guard let store = manifest.store(of: service) else {
                throw .failure("The backup in \(folder.path) has no store of \(service).")
            }
            return store
        }
    }

    /// The keys that are not there yet.
    ///
    /// - Throws: ``CLIError/failure(_:)`` where one is there with another content, and for one that is damaged.
    private func newKeys(
        of manifest: BackupManifest,
        in folder: BackupFolder
    ) throws(CLIError) -> [(path: String, bytes: [UInt8])] {
        guard !manifest.keys.isEmpty else { throw .failure("The backup in \(folder.path) holds no keys.") }
        var keys: [(path: String, bytes: [UInt8])] = []
        for key in manifest.keys {
            let source = "\(folder.path)/\(key.file)"
            guard let bytes = try File.contents(source), SHA256.hash(bytes).hexadecimal == key.hash else {
                throw .failure("\(source) is not what was backed up: it doesn't have the manifest's SHA-256.")
            }
            let path = "\(configuration.keys)/\(key.file.dropFirst(5))"
            switch try File.contents(path) {
            case nil: keys.append((path, bytes))
            case bytes: break
            default: throw .failure("\(path) is another key than the backup's: move it away, or leave --with-keys out.")
            }
        }
        return keys
    }

    /// The lock that a service takes before it opens its store: none can start meanwhile.
    private func lockStore(_ service: ServiceName) throws(CLIError) -> Int32 {
        let path = "\(configuration.home)/\(service).db.lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "open", path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .failure("The service \(service) runs over \(configuration.home): stop it first.")
        }
        return descriptor
    }
}

/// A store on its way from a backup into the home.
private struct RestoredStore {
    let store: BackupManifest.Store
    /// In the backup.
    private let source: String
    /// Where the service looks for it.
    private let target: String
    /// What the one that was there is called afterwards.
    private let kept: String
    private var new: String { target + ".restoring" }

    init(_ store: BackupManifest.Store, from folder: BackupFolder, home: String, keptSuffix: String) {
        self.store = store
        source = "\(folder.path)/\(store.file)"
        target = "\(home)/\(store.service).db"
        kept = target + keptSuffix
    }

    /// Whether there is one already.
    var replaces: Bool { access(target, F_OK) == 0 }

    /// Copies it beside its place, and checks it against the manifest.
    func fetch() throws(CLIError) {
        let descriptor = open(source, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(action: "read", path: source, code: errno) }
        defer { close(descriptor) }
        let target = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw .system(action: "write", path: new, code: errno) }
        defer { close(target) }
        var hash = SHA256()
        var bytes: Int64 = 0
        var block = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(action: "read", path: source, code: errno) }
            if count == 0 { break }
            let chunk = Array(block.prefix(count))
            try DurableFile.append(chunk, to: target, path: new)
            hash.add(chunk)
            bytes += Int64(count)
        }
        guard fsync(target) == 0 else { throw .system(action: "write", path: new, code: errno) }
        guard bytes == store.bytes, hash.finish().hexadecimal == store.hash else {
            throw .failure(
                "\(source) is not what was backed up: its bytes don't have the manifest's SHA-256. Take another backup."
            )
        }
    }

    /// Removes what `fetch()` made.
    func drop() { unlink(new) }

    /// Keeps what is there, and takes its place, with the mark that gives its log a new epoch.
    func putInPlace() throws(CLIError) {
        try DurableFile.write("", to: target + ".restored")
        // The store and what its write-ahead log holds are kept as a pair before either is touched.
        for suffix in ["", "-wal"] where access(target + suffix, F_OK) == 0 {
            guard link(target + suffix, kept + suffix) == 0 else {
                throw .system(action: "keep", path: target + suffix, code: errno)
            }
        }
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        guard rename(new, target) == 0 else { throw .system(action: "rename", path: new, code: errno) }
        try DurableFile.syncFolder(of: target)
    }
}
