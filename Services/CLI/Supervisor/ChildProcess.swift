import Glibc

/// Starts processes. They inherit nothing but what is named here: no descriptor, no blocked or ignored signal.
enum ChildProcess {
    /// The descriptor at which a child finds the pipe to report its readiness; `DAYBOOK_READY_FD` says so.
    static let readyDescriptor: Int32 = 3

    /// Starts a program with standard input from `/dev/null`.
    ///
    /// - Parameters:
    ///   - output: becomes standard output and error.
    ///   - ready: the write end of a pipe; becomes ``readyDescriptor``.
    ///   - inNewSession: away from the terminal and from the signals of its keys.
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func start(
        _ path: String,
        arguments: [String],
        environment: [String: String],
        output: Int32,
        ready: Int32,
        inNewSession: Bool = false
    ) throws(CLIError) -> Int32 {
        closeOnExec()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        // Last, because it may overwrite `output`. Onto itself it clears close-on-exec (posix_spawn(3)).
        posix_spawn_file_actions_adddup2(&actions, ready, readyDescriptor)

        // POSIX_SPAWN_SETSID of <spawn.h>, which is not imported.
        var attributes = spawnAttributes(inNewSession ? 0x80 : 0)
        defer { posix_spawnattr_destroy(&attributes) }

        var environment = environment
        environment["DAYBOOK_READY_FD"] = String(readyDescriptor)
        let words = CStrings([path] + arguments)
        let variables = CStrings(environment.map { "\($0)=\($1)" })
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, &attributes, words.pointers, variables.pointers)
        guard code == 0 else { throw .system(action: "start", path: path, code: code) }
        return process
    }

    /// Attributes of a process that blocks and ignores no signal; to be destroyed.
    ///
    /// - Parameter flags: further ones of posix_spawnattr_setflags(3).
    static func spawnAttributes(_ flags: Int32 = 0) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags))
        return attributes
    }

    /// Keeps what this process was itself given from its children: a pipe that a service holds open never ends.
    static func closeOnExec() {
        // close_range(2) and posix_spawn_file_actions_addclosefrom_np are not imported.
        for descriptor in 3..<min(getdtablesize(), 4096) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// How the process ended; nil while it runs. Afterwards its number may be another's.
    static func ending(of process: Int32) -> ProcessEnding? {
        var status: Int32 = 0
        while true {
            let result = waitpid(process, &status, WNOHANG)
            if result == process { return ProcessEnding(waitStatus: status) }
            if result < 0, errno == EINTR { continue }
            // Not our child: it can only have ended.
            return result < 0 ? .status(0) : nil
        }
    }
}

/// An array of C strings that ends with a null pointer, for as long as this lives.
final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ texts: [String]) {
        pointers = texts.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
