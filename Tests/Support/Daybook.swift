public import Client
import Glibc
public import Messages
import Synchronization
import Testing
import ZeroMQ

/// A Daybook of one test: real service processes over a folder of their own.
///
/// ```swift
/// try await withDaybook(.catalog, .orders) { daybook in
///     let customer = try await daybook.client.send(Put(Customer(name: "Ada"))).value
/// }
/// ```
public final class Daybook: Sendable {
    /// Tells this Daybook from all others: the end of its folder's name.
    public let id: String
    /// Everything of it lies here, and is removed at the end unless the test failed. A short path.
    public let folder: String
    /// Sends to all services, with the default budget of 5 s.
    public let client: DaybookClient

    private struct State {
        /// Everything that was started, in order.
        var children: [ChildProcess] = []
        var services: [ServiceName: ChildProcess] = [:]
        var runs = 0
        var clients: [DaybookClient] = []
    }

    private let state = Mutex(State())

    fileprivate init() throws {
        var template = Array("/tmp/daybook-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw HarnessError("can't make a folder in /tmp") }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        id = String(folder.suffix(6))
        client = try DaybookClient(ClientConfiguration(endpoints: Self.endpoints(runtime: "\(folder)/run")))
    }

    /// Where the stores lie, and the sockets.
    public var home: String { "\(folder)/home" }
    public var runtime: String { "\(folder)/run" }

    private static func endpoints(runtime: String) -> [ServiceName: ServiceEndpoints] {
        Dictionary(uniqueKeysWithValues: ServiceName.all.map { ($0, .ipc(folder: runtime, $0)) })
    }

    /// The sockets of a service.
    public func endpoints(_ service: ServiceName) -> ServiceEndpoints { .ipc(folder: runtime, service) }

    /// Another client, with a budget of its own, or with services reached in another way, perhaps with a key. It is closed
    /// at the end.
    public func client(
        timeout: Duration,
        instead: [ServiceName: ServiceEndpoints] = [:],
        key: OwnKey? = nil
    ) throws -> DaybookClient {
        let endpoints = Self.endpoints(runtime: runtime).merging(instead) { $1 }
        let client = try DaybookClient(ClientConfiguration(endpoints: endpoints, timeout: timeout, key: key))
        state.withLock { $0.clients.append(client) }
        return client
    }

    // MARK: Services

    /// Starts services on their stores, and waits until each is ready.
    ///
    /// - Throws: ``HarnessError`` with the service's own sentence where one does not start.
    public func start(_ services: ServiceName...) async throws {
        try await start(services)
    }

    /// - Parameters:
    ///   - programs: the folder of the services' executables.
    ///   - variables: of their environment.
    ///   - words: the program that starts each, with its arguments.
    public func start(
        _ services: [ServiceName],
        programs: String = Environment.programs,
        variables: [String: String] = [:],
        through words: [String] = []
    ) async throws {
        for service in services {
            let child = try await launch(service, variables, programs: programs, through: words)
            try await child.ready()
            state.withLock { $0.services[service] = child }
        }
    }

    /// Starts a service without waiting for it.
    ///
    /// - Parameter words: the program that starts it, with its arguments, as setpriv(1), prlimit(1) and unshare(1) do.
    public func launch(
        _ service: ServiceName,
        _ variables: [String: String] = [:],
        programs: String = Environment.programs,
        through words: [String] = []
    ) async throws -> ChildProcess {
        let words = words + ["\(programs)/daybook-\(service)"]
        var launch = prepared(words[0], words.dropFirst().map { Array($0.utf8) }, variables)
        launch.environment["DAYBOOK_PARENT"] = String(getpid())
        launch.error = "\(folder)/\(service).log"
        launch.tellsReadiness = true
        return try await started(launch)
    }

    /// The process of a service that was started; the test fails where there is none.
    public func service(_ service: ServiceName) throws -> ChildProcess {
        try #require(state.withLock { $0.services[service] }, "\(service) was not started")
    }

    /// Stops services as a supervisor does, by SIGTERM, and expects a clean end.
    public func stop(_ services: ServiceName...) async throws {
        for name in services {
            let child = try service(name)
            child.signal(SIGTERM)
            let ending = await child.ended()
            #expect(ending == .exited(0), "\(name) should end cleanly at SIGTERM")
        }
    }

    /// Kills services where they stand, by SIGKILL.
    public func kill(_ services: ServiceName...) async throws {
        for name in services {
            let child = try service(name)
            child.signal(SIGKILL)
            _ = await child.ended()
        }
    }

    // MARK: Programs

    /// What a program that has ended left.
    public struct Output: Sendable {
        public var ending: Ending
        public var bytes: [UInt8]
        public var error: String
        /// Standard output as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The exit code; -1 where a signal ended it.
        public var code: Int32 {
            guard case .exited(let code) = ending else { return -1 }
            return code
        }
        /// The lines of standard output.
        public var lines: [String] { text.split(separator: "\n").map(String.init) }
    }

    /// Runs `daybook` with these arguments to its end; after `limit` it is killed.
    public func run(
        _ arguments: String...,
        variables: [String: String] = [:],
        input: String? = nil,
        limit: Duration = .seconds(60)
    ) async throws -> Output {
        try await run(
            program: "\(Environment.programs)/daybook",
            arguments.map { Array($0.utf8) },
            variables,
            input,
            limit
        )
    }

    /// Runs `daybook` with arguments that need not be UTF-8.
    public func run(bytes arguments: [[UInt8]]) async throws -> Output {
        try await run(program: "\(Environment.programs)/daybook", arguments, [:], nil, .seconds(60))
    }

    /// Runs a script by bash, with `daybook` on its PATH.
    public func shell(
        _ script: String,
        variables: [String: String] = [:],
        limit: Duration = .seconds(60)
    ) async throws -> Output {
        try await run(program: "/bin/bash", [Array("-c".utf8), Array(script.utf8)], variables, nil, limit)
    }

    /// Starts a program without waiting for its end; its output is in `launch.output` and `launch.error`.
    public func start(
        program: String,
        _ arguments: [String],
        _ variables: [String: String] = [:]
    ) async throws -> ChildProcess {
        try await started(prepared(program, arguments.map { Array($0.utf8) }, variables))
    }

    private func run(
        program: String,
        _ arguments: [[UInt8]],
        _ variables: [String: String],
        _ input: String?,
        _ limit: Duration
    ) async throws -> Output {
        var launch = prepared(program, arguments, variables)
        if let input {
            launch.input = "\(launch.output).in"
            try File.write(Array(input.utf8), to: launch.input)
        }
        let child = try await started(launch)
        let ending = await child.ended(within: limit)
        return Output(ending: ending, bytes: File.read(launch.output) ?? [], error: File.text(launch.error))
    }

    private func prepared(
        _ program: String,
        _ arguments: [[UInt8]],
        _ variables: [String: String]
    ) -> ChildProcess.Launch {
        let number = state.withLock { state in
            state.runs += 1
            return state.runs
        }
        var launch = ChildProcess.Launch(program: program)
        launch.arguments = arguments
        launch.environment = [
            "PATH": "\(Environment.programs):/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "TZ": "UTC",
            "DAYBOOK_HOME": home, "DAYBOOK_RUNTIME": runtime,
        ]
        launch.environment.merge(variables) { $1 }
        launch.output = "\(folder)/\(number).out"
        launch.error = "\(folder)/\(number).err"
        return launch
    }

    private func started(_ launch: ChildProcess.Launch) async throws -> ChildProcess {
        let child = try await ChildProcess.start(launch)
        state.withLock { $0.children.append(child) }
        return child
    }

    // MARK: The end

    /// Ends everything that was started, the last first.
    fileprivate func end() async {
        client.close()
        for client in state.withLock({ $0.clients }) { client.close() }
        let children = state.withLock { $0.children.reversed() }
        for child in children { child.signal(SIGTERM) }
        for child in children { _ = await child.ended(within: .seconds(5)) }
    }

    /// Shows what the services and programs said.
    fileprivate func tell() {
        print("── Daybook \(id), kept in \(folder)")
        for child in state.withLock({ $0.children }) {
            let text = File.text(child.launch.error) + File.text(child.launch.output)
            print("── \(child.launch.program) \(child.process)\n\(text.suffix(4000))")
        }
    }

    fileprivate func remove() async {
        var launch = ChildProcess.Launch(program: "/bin/rm")
        launch.arguments = ["-rf", folder].map { Array($0.utf8) }
        _ = try? await ChildProcess.start(launch).ended()
    }
}

/// Runs a test with a Daybook of its own in which these services run; they are ended in every case, and what they said is
/// shown where the test failed.
public func withDaybook(
    _ services: ServiceName...,
    body: @escaping @Sendable (Daybook) async throws -> Void
) async throws {
    let daybook = try Daybook()
    let hasFailed = Atomic(false)
    let scope = IssueHandlingTrait.compactMapIssues { issue in
        hasFailed.store(true, ordering: .relaxed)
        return issue
    }
    let test = try #require(Test.current, "a Daybook belongs to a test")
    let result: Result<Void, any Error>
    do {
        try await scope.provideScope(for: test, testCase: Test.Case.current) {
            try await daybook.start(services)
            try await body(daybook)
        }
        result = .success(())
    } catch {
        result = .failure(error)
    }
    await daybook.end()
    if case .success = result, !hasFailed.load(ordering: .relaxed) {
        await daybook.remove()
    } else {
        daybook.tell()
    }
    try result.get()
}
