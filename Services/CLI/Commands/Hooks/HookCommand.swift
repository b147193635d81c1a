import Glibc
import Synchronization

/// One run of a hook's command.
struct HookCommand: Sendable {
    /// The program, searched for in `PATH`, and its arguments. No shell comes between.
    var words: [String]
    /// What a run may take; then it and what it started in its process group are ended: SIGTERM, 5 s later SIGKILL.
    var timeout: Duration
    var folder: HookFolder
    /// All variables but those of the event.
    var environment: [String: String]

    /// How a run ended.
    enum Ending: Sendable, Hashable {
        case process(ProcessEnding)
        case timedOut(Duration)
        /// It could not be started; the value is `errno`.
        case notStarted(Int32)

        var isSuccess: Bool { self == .process(.status(0)) }

        /// Completes "order.created at orders:120 …".
        var description: String {
            switch self {
            case .process(let ending): ending.description
            case .timedOut(let limit): "took longer than \(limit / .seconds(1)) s and was ended"
            case .notStarted(let code): "could not be started: \(CLIError.reason(code))"
            }
        }
    }

    /// Runs it to its end; cancelling the task doesn't end the run.
    ///
    /// - Parameters:
    ///   - json: becomes its standard input.
    ///   - attempt: from 1.
    /// - Throws: ``CLIError/system(action:path:code:)`` where this side has no file or thread left.
    func run(id: String, json: String, attempt: Int) async throws(CLIError) -> Ending {
        let input = try DurableFile.nameless(json + "\n", in: folder.path)
        defer { close(input) }
        var variables = environment
        variables["DAYBOOK_HOOK"] = folder.name
        variables["DAYBOOK_EVENT_ID"] = id
        variables["DAYBOOK_ATTEMPT"] = String(attempt)
        let process: Running
        switch start(input: input, variables) {
        case .success(let number): process = Running(number)
        case .failure(let code): return .notStarted(code.number)
        }
        let limit = timeout
        let timer = Task {
            try await Task.sleep(for: limit)
            process.end(SIGTERM)
            try await Task.sleep(for: .seconds(5))
            process.end(SIGKILL)
        }
        defer { timer.cancel() }
        let ending = try await SupervisorThread.run { process.wait() }
        return process.hasTimedOut ? .timedOut(limit) : .process(ending)
    }

    private struct Failure: Error {
        var number: Int32
    }

    private func start(input: Int32, _ variables: [String: String]) -> Result<Int32, Failure> {
        ChildProcess.closeOnExec()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        let lock = folder.commandLock()
        defer { if let lock { close(lock) } }
        // Onto itself it clears close-on-exec (posix_spawn(3)).
        if let lock { posix_spawn_file_actions_adddup2(&actions, lock, lock) }

        // A group of its own: Ctrl-C in a terminal is for the runner, which lets the run end.
        var attributes = ChildProcess.spawnAttributes(Int32(POSIX_SPAWN_SETPGROUP))
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)

        let arguments = CStrings(words)
        let environment = CStrings(variables.map { "\($0)=\($1)" })
        var process: pid_t = 0
        let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments.pointers, environment.pointers)
        return code == 0 ? .success(process) : .failure(Failure(number: code))
    }

    /// A process that was started; signals never reach another that got its number.
    private final class Running: Sendable {
        private let process: pid_t
        private let state = Mutex((isReaped: false, hasTimedOut: false))

        init(_ process: pid_t) {
            self.process = process
        }

        var hasTimedOut: Bool { state.withLock { $0.hasTimedOut } }

        func end(_ signal: Int32) {
            state.withLock { state in
                guard !state.isReaped else { return }
                state.hasTimedOut = true
                kill(-process, signal)
            }
        }

        /// Blocks until it has ended.
        func wait() -> ProcessEnding {
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
            return state.withLock { state in
                var status: Int32 = 0
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                state.isReaped = true
                return ProcessEnding(waitStatus: status)
            }
        }
    }
}
