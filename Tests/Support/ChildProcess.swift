public import Glibc
import Synchronization

/// How a process ended.
public enum Ending: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
}

/// A program that a test started.
///
/// Each has a thread that starts it, waits for its word at the readiness pipe, then for its end. A service asks the
/// kernel to be ended with the thread that started it (prctl(2), `PR_SET_PDEATHSIG`), so that thread lives as long.
public final class ChildProcess: Sendable {
    /// What to start, and how.
    public struct Launch: Sendable {
        /// The path of the program.
        public var program: String
        /// Bytes, because an argument need not be UTF-8.
        public var arguments: [[UInt8]] = []
        /// All of it: nothing is inherited.
        public var environment: [String: String] = [:]
        /// Standard input.
        public var input = "/dev/null"
        /// The files of standard output and standard error.
        public var output = "/dev/null"
        public var error = "/dev/null"
        /// Whether the program tells at `DAYBOOK_READY_FD` when it is ready.
        public var tellsReadiness = false

        /// A program without arguments and variables.
        public init(program: String) {
            self.program = program
        }
    }

    /// What the program said at its readiness pipe.
    enum Word: Hashable, Sendable {
        case ready
        case failed(String)
        /// It closed the pipe, or ended, without a word.
        case none
    }

    public let launch: Launch
    public let process: pid_t
    private let word: Promise<Word>
    private let ending: Promise<(Ending, ContinuousClock.Instant)>
    /// Held while the process is reaped: its number may be another's afterwards.
    private let reaped: Mutex<Bool>

    private init(_ launch: Launch, _ process: pid_t) {
        self.launch = launch
        self.process = process
        word = Promise()
        ending = Promise()
        reaped = Mutex(false)
    }

    /// Starts a program; it inherits no descriptor, no blocked or ignored signal.
    ///
    /// - Throws: ``HarnessError`` where it can't be started.
    public static func start(_ launch: Launch) async throws -> ChildProcess {
        let started = Promise<Result<ChildProcess, HarnessError>>()
        DedicatedThread.start {
            do throws(HarnessError) {
                let (child, pipe) = try spawning.withLock { _ throws(HarnessError) in try spawn(launch) }
                started.keep(.success(child))
                child.accompany(pipe)
            } catch {
                started.keep(.failure(error))
            }
        }
        return try await started.value.get()
    }

    /// Waits until the program says that it is ready.
    ///
    /// - Throws: ``HarnessError`` with the program's sentence where it failed, or ended, or took longer than `limit`.
    public func ready(within limit: Duration = .seconds(60)) async throws {
        let timer = killing(after: limit)
        defer { timer.cancel() }
        switch await word.value {
        case .ready: return
        case .failed(let sentence): throw HarnessError(sentence)
        case .none: throw HarnessError("\(launch.program) said nothing and ended: \(File.text(launch.error))")
        }
    }

    /// Waits for the end; after `limit` the program is killed.
    public func ended(within limit: Duration = .seconds(60)) async -> Ending {
        let timer = killing(after: limit)
        defer { timer.cancel() }
        return await ending.value.0
    }

    /// When it ended, taken on its own thread; nil while it runs.
    public var endedAt: ContinuousClock.Instant? { ending.now?.1 }

    /// What it has in memory, in bytes (proc_pid_statm(5)); 0 after the end.
    public var residentBytes: Int {
        let pages = File.text("/proc/\(process)/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return (pages ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Sends a signal; nothing happens after the end.
    public func signal(_ number: Int32) {
        reaped.withLock { reaped in
            if !reaped { _ = Glibc.kill(process, number) }
        }
    }

    private func killing(after limit: Duration) -> Task<Void, Never> {
        Task { if (try? await Task.sleep(for: limit)) != nil { signal(SIGKILL) } }
    }

    /// The rest of the thread: reads the word, waits for the end.
    private func accompany(_ pipe: Int32?) {
        if let pipe {
            word.keep(Self.word(at: pipe))
            close(pipe)
        }
        word.keep(.none)
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let now = ContinuousClock.now
        let status = reaped.withLock { reaped in
            var status: Int32 = 0
            waitpid(process, &status, 0)
            reaped = true
            return status
        }
        let signal = status & 0x7F
        ending.keep((signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal), now))
    }

    private static func word(at pipe: Int32) -> Word {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(pipe, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 || byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        let text = String(decoding: line, as: UTF8.self)
        if text == "ready" { return .ready }
        return text.hasPrefix("failed: ") ? .failed(String(text.dropFirst("failed: ".count))) : .none
    }
}

extension ChildProcess {
    /// Held from making a pipe to starting its process, so that no other process inherits the pipe.
    private static let spawning = Mutex(())

    /// - Returns: the process, and the read end of its readiness pipe.
    private static func spawn(_ launch: Launch) throws(HarnessError) -> (ChildProcess, Int32?) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, launch.input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, launch.output, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, launch.error, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        var environment = launch.environment
        var ends: [Int32] = [-1, -1]
        if launch.tellsReadiness {
            guard pipe(&ends) == 0 else { throw HarnessError("the system gives no more pipes") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            // Onto itself this clears close-on-exec (posix_spawn(3)).
            posix_spawn_file_actions_adddup2(&actions, ends[1], 3)
            environment["DAYBOOK_READY_FD"] = "3"
        }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([Array(launch.program.utf8)] + launch.arguments).map(copy) + [nil]
        let variables = environment.map { copy(Array("\($0)=\($1)".utf8)) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, launch.program, &actions, &attributes, words, variables)
        if launch.tellsReadiness { close(ends[1]) }
        guard code == 0 else {
            if launch.tellsReadiness { close(ends[0]) }
            throw HarnessError("can't start \(launch.program): \(String(cString: strerror(code)))")
        }
        return (ChildProcess(launch, process), launch.tellsReadiness ? ends[0] : nil)
    }

    private static func copy(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
        (bytes + [0]).withUnsafeBufferPointer {
            $0.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap(strdup) }
        }
    }
}
