internal import CSystem
internal import Client
internal import Glibc
public import Messages
internal import Store
internal import ZeroMQ

/// Runs a service as a process: folders, store, sockets, readiness, signals.
///
/// Configuration is by environment:
/// - `DAYBOOK_HOME`, `DAYBOOK_RUNTIME`: where the store and the sockets lie; see ``ServiceFolders``.
/// - `DAYBOOK_KEEP_EVENTS`: how long events are kept, such as `90d`, `500MB` or `90d,2GB`; without it all are.
/// - `DAYBOOK_LISTEN`: an address to listen at beside the socket files, at the service's own ports, such as `127.0.0.1` or `*`;
///   `DAYBOOK_<SERVICE>_LISTEN`: that of this service alone, as `tcp://*:7401`, with the port of its requests.
/// - `DAYBOOK_KEYS`: the folder of the keys, see ``KeyFolder``; `<home>/keys` without it. Where it has the service's own key,
///   that is listened under over TCP, and whoever comes needs one too.
/// - `DAYBOOK_HOST`, `DAYBOOK_<SERVICE>_ENDPOINT`: where the services that are followed are reached, if not at their socket
///   files: all of them on one host, or one.
/// - `DAYBOOK_METRICS`: an address to serve metrics at, at the service's own port; `DAYBOOK_<SERVICE>_METRICS`: that of this
///   service alone, as `127.0.0.1:7403`.
/// - `DAYBOOK_READY_FD`: a descriptor to which the line `ready` is written, or `failed: ` and why.
/// - `NOTIFY_SOCKET`: the same is told to systemd (sd_notify(3)).
/// - `DAYBOOK_PARENT`: the process whose end ends this one.
public enum ServiceProcess {
    /// Serves until SIGTERM or SIGINT. Exits 0 after a clean stop, 1 after a failure.
    public static func run(_ definition: ServiceDefinition) -> Never {
        run(definition.name) { (_) throws(StartError) in definition }
    }

    /// The same for a service with settings of its own.
    ///
    /// - Parameter define: makes the definition; it is handed the environment, where empty values are none.
    public static func run(
        _ name: ServiceName,
        define: (_ setting: (String) -> String?) throws(StartError) -> ServiceDefinition
    ) -> Never {
        let log = Log(service: name)
        let readiness = Readiness(descriptor: environment("DAYBOOK_READY_FD").flatMap { Int32($0) }, log: log)
        do {
            let loop = try open(try define(environment), log: log)
            log.write(.info, "ready", ["version": Release.version, "process": String(getpid())])
            readiness.tellReady()
            try loop.run()
            log.write(.info, "stopped")
            exit(0)
        } catch {
            log.write(.error, "\(error)")
            readiness.tellFailure("\(error)")
            exit(1)
        }
    }

    private static func open(_ definition: ServiceDefinition, log: Log) throws -> ServiceLoop {
        // Whatever is made from here on is for this user alone.
        umask(0o077)
        raiseFileLimit()
        Library.limitNameLookups()
        // Before there are threads that could take the signals.
        let termination = daybook_termination_descriptor()
        if let parent = environment("DAYBOOK_PARENT").flatMap(Int32.init) {
            _ = daybook_signal_on_parent_death(SIGTERM)
            guard getppid() == parent else { throw StartError("the process that started this one has ended") }
        }
        let retention = try environment("DAYBOOK_KEEP_EVENTS").map(retentionPolicy)
        guard let folders = ServiceFolders() else {
            throw StartError("neither DAYBOOK_HOME nor HOME is set: say where the store shall lie")
        }
        let (home, runtime) = (folders.home, folders.runtime)
        try makeFolder(home)
        // SQLite's temporary files lie beside the store, not where others can write.
        unsafe setenv("SQLITE_TMPDIR", home, 0)
        try makeFolder(runtime)
        let surroundings = Surroundings(folders, setting: environment)
        let key = try surroundings.ownKey(of: definition.name)
        let remote = try surroundings.remoteAccess(of: definition.name, key)
        var sources: [ServiceName: ServiceEndpoints] = [:]
        for projection in definition.projections {
            sources[projection.source] = try surroundings.endpoints(of: projection.source)
        }
        let endpoints = ServiceEndpoints.ipc(folder: runtime, definition.name)
        try lockEndpoint(endpoints.requests)
        let engine = try Engine(definition, storePath: "\(home)/\(definition.name).db")
        if engine.wasPutBack {
            log.write(
                .warning,
                "the store is an older one than was told of: its log has a new epoch, and whoever follows it begins anew"
            )
        }
        return try ServiceLoop(
            engine,
            endpoints: endpoints,
            remote: remote,
            sources: sources,
            key: key,
            termination: termination,
            retention: retention ?? RetentionPolicy(),
            metrics: try surroundings.metrics(of: definition.name),
            log: log
        )
    }

    /// Each client and each watcher is a connection, and a login's soft limit is 1,024 open files: as many as the hard one
    /// allows. Where that can't be had, the service runs with what it has.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func retentionPolicy(_ text: String) throws(StartError) -> RetentionPolicy {
        do throws(RetentionError) {
            return try RetentionPolicy(text)
        } catch {
            throw StartError("DAYBOOK_KEEP_EVENTS is \(error)")
        }
    }

    private static func environment(_ name: String) -> String? {
        ServiceFolders.variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Makes a folder and those above it, for this user alone.
    private static func makeFolder(_ path: String) throws(StartError) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw StartError("\(path) is not a folder: move it away, or name another with DAYBOOK_HOME")
            }
            guard access(path, W_OK | X_OK) == 0 else {
                throw StartError(
                    "can't write in \(path) as user \(geteuid()): it belongs to user \(status.st_uid); "
                        + "change its owner or mode, or name another with DAYBOOK_HOME"
                )
            }
            return
        }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]))
        }
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            let reason = unsafe String(cString: strerror(errno))
            throw StartError("can't make the folder \(path) as user \(geteuid()): \(reason.lowercased())")
        }
    }

    /// An ipc bind takes the name of a living service: a lock beside the socket says whether there is one, and where its
    /// file was removed, the socket does.
    private static func lockEndpoint(_ endpoint: Endpoint) throws(StartError) {
        guard case .ipc(let path) = endpoint else { return }
        // Kept open for the life of the process.
        let descriptor = unsafe Glibc.open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StartError("can't write \(path).lock: \(unsafe String(cString: strerror(errno)).lowercased())")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe !daybook_is_listened_at(path) else {
            throw StartError(
                "another process serves \(endpoint) already: stop it first, or use another DAYBOOK_RUNTIME"
            )
        }
    }
}

/// Why a service did not start: one sentence for a person.
public struct StartError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
