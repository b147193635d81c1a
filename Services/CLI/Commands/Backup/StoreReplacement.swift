import Glibc
import Messages

/// A store that another takes the place of, while its service is down.
struct StoreReplacement {
    let service: ServiceName
    /// The one that takes the place: beside it.
    let new: String
    /// Where the service looks for it.
    let target: String
    /// What the one that was there is called afterwards.
    let kept: String

    /// - Parameters:
    ///   - new: its path; nil for one that is made first.
    ///   - suffix: of the name of the one that was there.
    init(_ service: ServiceName, by new: String? = nil, home: String, keeping suffix: String) {
        self.service = service
        target = "\(home)/\(service).db"
        self.new = new ?? target + ".restoring"
        kept = target + suffix
    }

    /// What is put behind the names of stores that are replaced now: `.before-restore-2024-03-31T180500Z`.
    static func suffix(of command: String, home: String) -> String {
        var suffix = ".before-\(command)-\(BackupFolder.name(of: .now()))"
        while DurableFile.names(in: home).contains(where: { $0.hasSuffix(suffix) }) { suffix += "-2" }
        return suffix
    }

    /// Whether there is a store already.
    var replaces: Bool { Self.hasContent(target) }

    /// Where a service has ended cleanly, its write-ahead log is empty.
    private static func hasContent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Keeps what is there, and takes its place, with the mark that gives its log a new epoch.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    func putInPlace() throws(CLIError) {
        try DurableFile.write("", to: target + ".restored")
        // The store and what its write-ahead log holds are kept as a pair before either is touched.
        for suffix in ["", "-wal"] where Self.hasContent(target + suffix) {
            guard link(target + suffix, kept + suffix) == 0 else {
                throw .system(action: "keep", path: target + suffix, code: errno)
            }
        }
        for suffix in ["-wal", "-shm"] { unlink(target + suffix) }
        guard rename(new, target) == 0 else { throw .system(action: "rename", path: new, code: errno) }
        try DurableFile.syncFolder(of: target)
    }
}

/// Sees to it that no service runs over stores, or starts meanwhile.
struct StoppedServices: ~Copyable {
    private let locks: [Int32]

    /// - Throws: ``CLIError/failure(_:)`` where one runs, ``CLIError/system(action:path:code:)``.
    init(_ services: [ServiceName], _ configuration: Configuration) throws(CLIError) {
        if let process = try SupervisorLock.holder(in: configuration.runtime) {
            throw .failure("Daybook is up (process \(process)): 'daybook down' first.")
        }
        let home = configuration.home
        var locks: [Int32] = []
        do throws(CLIError) {
            for service in services {
                let store = "\(home)/\(service).db"
                // As services lock them: the name, and the file itself.
                locks.append(try Self.lock("\(store).lock", O_RDWR | O_CREAT, service, home))
                if access(store, F_OK) == 0 { locks.append(try Self.lock(store, O_RDONLY, service, home)) }
            }
        } catch {
            for lock in locks { close(lock) }
            throw error
        }
        self.locks = locks
    }

    deinit {
        for lock in locks { close(lock) }
    }

    private static func lock(
        _ path: String,
        _ flags: Int32,
        _ service: ServiceName,
        _ home: String
    ) throws(CLIError) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(action: "open", path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .failure("The service \(service) runs over \(home): stop it first.")
        }
        return descriptor
    }
}
