import Glibc
import Messages

/// Runs the services as processes: carries out what ``SupervisorState`` decides, on one thread that waits with poll(2).
///
/// The thread must live as long as the services: the kernel ends them with the thread that started them (prctl(2),
/// `PR_SET_PDEATHSIG`, which they set where `DAYBOOK_PARENT` is given).
struct Supervisor {
    struct Plan: Sendable {
        var home: String
        var runtime: String
        /// The folder of the executables.
        var executables: String
        var environment: [String: String]
        /// Whether what services print also goes to standard error, each line after the service's name.
        var isEchoing: Bool
    }

    private struct Running {
        var process: Int32
        var readiness: LineReader
        /// What the service prints, where it is echoed; its log file.
        var echo: (lines: LineReader, log: Int32)?
    }

    private let plan: Plan
    private let announce: (ReadinessReport) -> Bool
    private var state: SupervisorState
    private var running: [ServiceName: Running] = [:]
    private var pending: [SupervisorState.Action] = []

    /// The program of a service.
    static func executable(_ service: ServiceName, in folder: String) -> String { "\(folder)/daybook-\(service)" }

    /// Runs all services until SIGTERM, SIGINT or SIGHUP.
    ///
    /// - Parameter announce: is told once whether the start succeeded; where it says false, everything is stopped.
    /// - Returns: the exit code.
    /// - Throws: ``CLIError/system(action:path:code:)`` before anything was started.
    static func run(_ plan: Plan, announce: @escaping (ReadinessReport) -> Bool) throws(CLIError) -> Int32 {
        let signals = try SignalPipe.catching([SIGCHLD, SIGTERM, SIGINT, SIGHUP])
        defer { close(signals) }
        var supervisor = Supervisor(
            plan: plan,
            announce: announce,
            state: SupervisorState(ServiceName.all, now: .now)
        )
        return supervisor.loop(signals: signals)
    }

    private mutating func loop(signals: Int32) -> Int32 {
        pending = state.begin()
        while true {
            while !pending.isEmpty {
                if let code = carryOut(pending.removeFirst()) { return code }
            }
            waitForSomething(signals)
            readReports()
            takeSignals(signals)
            pending += state.time(.now)
        }
    }

    /// - Returns: the exit code at the end.
    private mutating func carryOut(_ action: SupervisorState.Action) -> Int32? {
        switch action {
        case .start(let name): start(name)
        case .terminate(_, let process): kill(process, SIGTERM)
        case .kill(_, let process): kill(process, SIGKILL)
        case .log(let text): log(text)
        case .announceReady:
            log("All services are ready.")
            if !announce(.ready) { pending += state.terminate(now: .now) }
        case .announceFailure(let sentence): _ = announce(.failed(sentence))
        case .finish(let code):
            log("All services have ended.")
            return code
        }
        return nil
    }

    private mutating func start(_ name: ServiceName) {
        do throws(CLIError) {
            let log = try LogFile.open(home: plan.home, name.rawValue)
            let readiness = try Pipe()
            let echo = try plan.isEchoing ? Pipe() : nil
            defer {
                close(readiness.writeEnd)
                if let echo { close(echo.writeEnd) } else { close(log) }
            }
            var environment = plan.environment
            environment["DAYBOOK_HOME"] = plan.home
            environment["DAYBOOK_RUNTIME"] = plan.runtime
            environment["DAYBOOK_PARENT"] = String(getpid())
            let process = try ChildProcess.start(
                Self.executable(name, in: plan.executables),
                arguments: [],
                environment: environment,
                output: echo?.writeEnd ?? log,
                ready: readiness.writeEnd
            )
            running[name] = Running(
                process: process,
                readiness: LineReader(readiness.readEnd),
                echo: echo.map { (LineReader($0.readEnd), log) }
            )
            pending += state.started(name, process: process, now: .now)
        } catch {
            pending += state.failed(name, error.description, now: .now)
        }
    }

    private func waitForSomething(_ signals: Int32) {
        var descriptors = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        for service in running.values {
            for lines in [service.readiness, service.echo?.lines].compactMap(\.self) where !lines.isAtEnd {
                descriptors.append(pollfd(fd: lines.descriptor, events: Int16(POLLIN), revents: 0))
            }
        }
        let wait = state.deadline.map { ContinuousClock.now.duration(to: $0) / .milliseconds(1) }
        // One millisecond more, so that the deadline has passed when it is looked at.
        poll(&descriptors, nfds_t(descriptors.count), wait.map { Int32(min(max($0, 0), 3_600_000)) + 1 } ?? -1)
    }

    private mutating func readReports() {
        for (name, service) in running.sorted(by: { $0.key < $1.key }) { readReports(name, service) }
    }

    private mutating func readReports(_ name: ServiceName, _ service: Running) {
        for line in service.readiness.lines() {
            switch ReadinessReport(line: line) {
            case .ready: pending += state.ready(name)
            case .failed(let sentence): pending += state.failed(name, sentence, now: .now)
            case .taken, nil: log("\(name) said something else than that it is ready.")
            }
        }
        guard let echo = service.echo else { return }
        for line in echo.lines.lines() {
            var text = line + "\n"
            text.withUTF8 { _ = write(echo.log, $0.baseAddress, $0.count) }
            StandardError.write("\(name.rawValue.padded(to: 10))| \(CellText.escaped(line))\n")
        }
    }

    private mutating func takeSignals(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        for number in bytes.prefix(max(0, count)).map(Int32.init) where number != SIGCHLD {
            log("Stopping: signal \(number).")
            pending += state.terminate(now: .now)
        }
        if count > 0 { reap() }
    }

    /// One signal may stand for several children, and may be for one that ended before it was waited for.
    private mutating func reap() {
        for (name, service) in running.sorted(by: { $0.key < $1.key }) {
            guard let ending = ChildProcess.ending(of: service.process) else { continue }
            // What it said before it ended counts first.
            readReports(name, service)
            if let echo = service.echo { close(echo.log) }
            running[name] = nil
            pending += state.exited(name, ending, now: .now)
        }
    }

    private func log(_ text: String) {
        let time = Instant(microseconds: Instant.now().milliseconds * 1000)
        StandardError.write(plan.isEchoing ? "supervisor| \(text)\n" : "\(time) \(text)\n")
    }
}

extension String {
    /// The text, filled up with spaces; for ASCII.
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - utf8.count))
    }
}
