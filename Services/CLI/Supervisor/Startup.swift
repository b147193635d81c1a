import ArgumentParser
import Client
import Glibc
import Messages

/// `daybook up`: the supervisor in this process, or this program once more in the background.
struct Startup: Sendable {
    private let daybook: Invocation
    /// Whether the command line says how long events are kept.
    private let limitsEvents: Bool
    private var configuration: Configuration { daybook.configuration }

    /// The supervisor's own deadline is 30 s.
    private static let patience = Duration.seconds(35)

    init(_ daybook: Invocation, limitsEvents: Bool = false) {
        self.daybook = daybook
        self.limitsEvents = limitsEvents
    }

    /// The folder of the services' programs: beside this one, or `DAYBOOK_LIBEXEC`.
    static var executables: String {
        let own = ProcessEnvironment.executable
        return ProcessEnvironment.variables["DAYBOOK_LIBEXEC"]
            ?? String(own[..<(own.lastIndex(of: "/") ?? own.startIndex)])
    }

    /// Is there while stores are replaced by others; it has the command that does so.
    static func unfinishedRestore(home: String) -> String { "\(home)/restore.unfinished" }

    /// What finishes replacing stores, where that was cut off.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func unfinishedCommand(home: String) throws(CLIError) -> String? {
        try File.contents(unfinishedRestore(home: home)).map { String(decoding: $0, as: UTF8.self) }
    }

    static func cutOff(_ command: String, home: String) -> CLIError {
        .failure("Putting stores into \(home) was cut off: run \(quoted(command)) again first.")
    }

    /// Makes the folders, and looks for the programs.
    ///
    /// - Throws: ``CLIError/failure(_:)``, ``CLIError/system(action:path:code:)``.
    func prepare() throws(CLIError) {
        let home = configuration.home
        if let command = try Self.unfinishedCommand(home: home) { throw Self.cutOff(command, home: home) }
        for folder in [configuration.home, LogFile.folder(home: configuration.home), configuration.runtime] {
            try File.makeFolder(folder)
        }
        for service in ServiceName.all {
            let path = Supervisor.executable(service, in: Self.executables)
            guard File.isExecutable(path) else {
                throw .failure("The program \(path) is missing; build or install it.")
            }
        }
    }

    /// Runs the supervisor here until it is told to stop.
    ///
    /// - Throws: `ExitCode` where it failed, ``CLIError``.
    func runHere() async throws {
        // What started it in the background waits at this pipe; it prints and fills then.
        let starter = ProcessEnvironment.variables["DAYBOOK_READY_FD"].flatMap { Int32($0) }
        if let starter { _ = fcntl(starter, F_SETFD, FD_CLOEXEC) }
        guard let lock = try SupervisorLock.acquire(in: configuration.runtime) else {
            if let starter { _ = Self.report(.taken, to: starter) }
            throw CLIError.failure("Daybook is already up; 'daybook down' stops it.")
        }
        var environment = ProcessEnvironment.variables
        environment["DAYBOOK_READY_FD"] = nil
        // The services would tell it that they are ready, each for itself.
        environment["NOTIFY_SOCKET"] = nil
        environment["DAYBOOK_KEEP_EVENTS"] = configuration.keepEvents
        environment["DAYBOOK_ORDER_NUMBERS"] = configuration.orderNumbers
        environment["DAYBOOK_KEYS"] = configuration.keys
        environment["DAYBOOK_LISTEN"] = configuration.listen
        for service in ServiceName.all {
            // They run in one folder, and meet there.
            environment["DAYBOOK_\(service.rawValue.uppercased())_ENDPOINT"] = nil
            if configuration.isDemo { environment["DAYBOOK_\(service.rawValue.uppercased())_LISTEN"] = nil }
        }
        environment["DAYBOOK_HOST"] = nil
        let plan = Supervisor.Plan(
            home: configuration.home,
            runtime: configuration.runtime,
            executables: Self.executables,
            environment: environment,
            isEchoing: starter == nil
        )
        let outcome = try await SupervisorThread.run {
            Result { () throws(CLIError) in
                try Supervisor.run(plan) { report in
                    if let starter { return Self.report(report, to: starter) }
                    if report == .ready { Task { await welcomeHere() } }
                    return true
                }
            }
        }
        _ = consume lock
        let code = try outcome.get()
        if code != 0 { throw ExitCode(code) }
    }

    private func welcomeHere() async {
        do throws(CLIError) {
            try await welcome()
            try daybook.output.flush()
        } catch {
            StandardError.write("supervisor| \(error.description)\n")
        }
    }

    /// Starts this program with `up --foreground` in a session of its own, and waits until it is ready.
    ///
    /// - Throws: ``CLIError``: with the service's own sentence where one fails.
    func runInBackground() async throws(CLIError) {
        if try SupervisorLock.holder(in: configuration.runtime) != nil { return try await checkRunning() }
        let log = try LogFile.open(home: configuration.home, "supervisor")
        let pipe = try Pipe()
        var environment = ProcessEnvironment.variables
        environment["DAYBOOK_HOME"] = configuration.home
        environment["DAYBOOK_RUNTIME"] = configuration.runtime
        environment["DAYBOOK_KEEP_EVENTS"] = configuration.keepEvents
        environment["DAYBOOK_ORDER_NUMBERS"] = configuration.orderNumbers
        environment["DAYBOOK_KEYS"] = configuration.keys
        environment["DAYBOOK_LISTEN"] = configuration.listen
        // Its home is already the demonstration's.
        environment["DAYBOOK_DEMO"] = nil
        let process = try ChildProcess.start(
            ProcessEnvironment.executable,
            arguments: ["up", "--foreground"],
            environment: environment,
            output: log,
            ready: pipe.writeEnd,
            inNewSession: true
        )
        close(pipe.writeEnd)
        close(log)
        switch Self.wait(at: LineReader(pipe.readEnd)) {
        case .ready: try await welcome()
        case .taken: try await checkRunning()
        case .failed(let sentence):
            Self.waitForEnd(of: process)
            throw .failure("Daybook could not start: \(sentence)")
        case nil:
            kill(process, SIGTERM)
            let path = LogFile.path(home: configuration.home, "supervisor")
            throw .failure("Daybook could not start: the supervisor ended without a word; see \(path).")
        }
    }

    /// Says what was started, and what can be done now; fills the demonstration.
    private func welcome() async throws(CLIError) {
        if configuration.isDemo { try await DemoSample.fill(daybook.sender) }
        let program = Self.program
        let names = ServiceName.all.map(\.rawValue).joined(separator: ", ")
        try daybook.output.line("daybook is up: \(names)")
        for arguments in ["customers list", "orders list", "status"] {
            try daybook.output.line("  \(configuration.reach.commandLine(program, arguments))")
        }
        let elsewhere = ServiceName.all.filter {
            configuration.endpoints[$0] != .ipc(folder: configuration.runtime, $0)
        }
        guard let first = elsewhere.first, let endpoint = configuration.endpoints[first]?.requests else { return }
        try daybook.output.flush()
        let others = elsewhere.map(\.rawValue).joined(separator: ", ")
        StandardError.write(
            "Commands don't ask what was started here for \(others), but \(endpoint): see 'host' and 'endpoints'.\n"
        )
    }

    private func checkRunning() async throws(CLIError) {
        let states = await ServiceState.all(of: daybook)
        let silent = states.filter { !$0.isAnswering }.map(\.service.rawValue)
        guard silent.isEmpty else {
            let names = silent.joined(separator: ", ")
            throw .unanswered("Daybook is already up, but does not answer: \(names); see 'daybook logs'.")
        }
        if configuration.isDemo { try await DemoSample.fill(daybook.sender) }
        let names = states.map(\.service.rawValue).joined(separator: ", ")
        try daybook.output.line("daybook is already up: \(names)")
        if limitsEvents {
            try daybook.output.flush()
            StandardError.write("--keep-events has no effect on what runs: 'daybook down' first.\n")
        }
    }

    /// How the shell finds this program: by its name if that is it, else by its path.
    private static var program: String {
        let folders = (ProcessEnvironment.variables["PATH"] ?? "").split(separator: ":")
        for folder in folders where File.isExecutable("\(folder)/daybook") {
            return File.resolved("\(folder)/daybook") == ProcessEnvironment.executable
                ? "daybook" : ProcessEnvironment.executable
        }
        return ProcessEnvironment.executable
    }

    /// - Returns: whether the other side is still there.
    private static func report(_ report: ReadinessReport, to descriptor: Int32) -> Bool {
        let line = report.line
        defer { close(descriptor) }
        return write(descriptor, line, line.utf8.count) == line.utf8.count
    }

    private static func wait(at lines: LineReader) -> ReadinessReport? {
        let deadline = ContinuousClock.now + patience
        while !lines.isAtEnd, ContinuousClock.now < deadline {
            var descriptors = [pollfd(fd: lines.descriptor, events: Int16(POLLIN), revents: 0)]
            let wait = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            poll(&descriptors, 1, Int32(max(0, wait)))
            for line in lines.lines() {
                if let report = ReadinessReport(line: line) { return report }
            }
        }
        return nil
    }

    /// Everything is stopped when the sentence is shown.
    private static func waitForEnd(of process: Int32) {
        let deadline = ContinuousClock.now + .seconds(15)
        while ChildProcess.ending(of: process) == nil, ContinuousClock.now < deadline { usleep(10_000) }
    }
}
