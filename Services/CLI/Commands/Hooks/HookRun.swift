import ArgumentParser
import Client
import Glibc
import Messages

struct HookRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program for each event.",
        discussion: """
            The program is run without a shell, one event after the other. It finds the event on standard input, as \
            CloudEvents 1.0 JSON, and DAYBOOK_EVENT_ID and DAYBOOK_ATTEMPT in its environment. Only when it ends with 0 \
            the hook goes on; otherwise the event is tried again, after pauses that grow. Every event comes at least \
            once, whatever is killed; after a kill the same one may come again, with the same id. Where events can't be \
            continued, the program is run with the type daybook.resync. --timeout says how long it may take (60 s).

            A new name begins with what happens from now on; an old one goes on where it was.
            """,
        examples: [
            "daybook hook thanks --source orders --type order.created -- ./thank-you",
            "daybook hook backup --from start --attempts 5 --timeout 10 -- curl --fail -d @- https://books.example.org",
        ]
    )

    @Argument(help: "The hook's own name: letters, digits, - and _.")
    var name: String

    @OptionGroup var events: EventOptions

    @Option(
        help: ArgumentHelp(
            "Give an event up after this many failures; 'hook retry' takes it from there.",
            valueName: "count"
        )
    )
    var attempts: Int?

    @Option(help: ArgumentHelp("The pause after a failure; it doubles with each.", valueName: "seconds"))
    var pause = 1.0

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The program and its arguments, after --.", valueName: "program")
    )
    var command: [String] = []

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if command.isEmpty {
            throw ValidationError("Which program? Write it behind --, as in: hook \(name) -- ./program")
        }
        if let attempts, attempts < 1 { throw ValidationError("--attempts is \(attempts): it must be 1 or more.") }
        if !(0.01...3600 ~= pause) { throw ValidationError("--pause is \(pause): write seconds, 0.01 to 3600.") }
    }

    func run() async throws {
        let selection = try EventSelection(events)
        let daybook = try Invocation(global)
        let folder = try HookFolder(name, home: daybook.configuration.home)
        try folder.make()
        guard let lock = try SupervisorLock.acquire(in: folder.path, named: HookFolder.runnerLock) else {
            let holder = try SupervisorLock.holder(in: folder.path, named: HookFolder.runnerLock)
            throw CLIError.failure("The hook \(quoted(name)) runs already\(holder.map { " as process \($0)" } ?? "").")
        }
        let subscriber = try EventSubscriber(daybook.configuration)
        // What is waited for here is the program.
        let timeout = global.timeout == nil ? .seconds(60) : daybook.configuration.timeout
        let new = HookState(command: command, selection: selection, timeout: timeout)
        let state = try await place(new, in: folder, subscriber)
        let limit = state.timeout
        let isAlone = try await SupervisorThread.run { folder.waitForCommands(atMost: limit) }
        if !isAlone { Self.tell(name, "a program of an earlier run has not ended; going on") }
        let runner = HookRunner(
            folder,
            state,
            subscriber,
            environment: Self.environment(of: daybook.configuration),
            policy: HookRunner.Policy(attempts: attempts, pause: .milliseconds(Int(pause * 1000))),
            tell: { [name] in Self.tell(name, $0) }
        )
        let running = Task { try await runner.run() }
        try Self.stopAtSignal(running)
        Self.tell(name, "behind \(state.positions)")
        try await running.value
        withExtendedLifetime(lock) {}
    }

    /// What was asked for, at the places that are stored; a place for each source, stored before the first event.
    private func place(
        _ new: HookState,
        in folder: HookFolder,
        _ subscriber: EventSubscriber
    ) async throws(CLIError) -> HookState {
        let old = try folder.state()
        var state = new
        let sources = new.selection.sources
        for source in sources {
            if let place = old?.places[source] {
                state.places[source] = place
            } else if let position = try events.from?.position(of: source, among: sources) {
                let isStart = position == .start
                let first = isStart ? try await subscriber.beginning(of: source) : position
                state.places[source] = HookState.Place(position: first)
            } else {
                state.places[source] = HookState.Place(position: try await subscriber.head(of: source))
            }
        }
        try folder.store(state)
        return state
    }

    /// The program's own calls of `daybook` reach the same books.
    static func environment(of configuration: Configuration) -> [String: String] {
        var variables = ProcessEnvironment.variables
        if configuration.isDemo {
            variables["DAYBOOK_DEMO"] = "1"
        } else {
            variables["DAYBOOK_HOME"] = configuration.home
            variables["DAYBOOK_RUNTIME"] = configuration.runtime
        }
        return variables
    }

    /// The first signal lets the run that is under way end; the second ends this process.
    private static func stopAtSignal(_ running: Task<Void, any Error>) throws(CLIError) {
        let signals = try SignalPipe.catching([SIGTERM, SIGINT, SIGHUP])
        Task {
            try await SupervisorThread.run {
                for code in [nil, Int32(130)] {
                    var descriptor = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
                    while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
                    var byte: UInt8 = 0
                    _ = read(signals, &byte, 1)
                    if let code { _exit(code) }
                    running.cancel()
                }
            }
        }
    }

    private static func tell(_ name: String, _ text: String) {
        StandardError.write("hook \(name): \(CellText.escaped(text))\n")
    }
}
