import Messages

/// What the supervisor does next, decided without processes or clocks.
///
/// Events come in by the mutating functions, each with the time; the actions that they return are to be carried out in
/// their order. At ``deadline`` it wants to be told the time.
///
/// Start: all services are started; when each has said that it is ready, that is announced. One that fails or dies
/// before, or isn't ready in time, is announced as a failure, and everything is stopped again. From then on one that
/// dies is started again by the ``RestartPolicy``. Stop: all are asked to end; those that live on are killed.
struct SupervisorState: Sendable {
    typealias Time = ContinuousClock.Instant

    enum Action: Sendable, Hashable {
        case start(ServiceName)
        /// Ask to end: SIGTERM.
        case terminate(ServiceName, process: Int32)
        /// SIGKILL.
        case kill(ServiceName, process: Int32)
        case log(String)
        /// All services are ready.
        case announceReady
        case announceFailure(String)
        /// Nothing runs any more: end with this code.
        case finish(Int32)
    }

    private enum Phase: Hashable {
        case starting(until: Time)
        case up
        case stopping(until: Time, code: Int32, hasKilled: Bool)
        case finished
    }

    private struct Service {
        var process: Int32?
        var isReady = false
        var startedAt: Time?
        var restartAt: Time?
        /// In a row.
        var deaths = 0
    }

    private let policy: RestartPolicy
    private let startTime: Duration
    private let stopTime: Duration
    private let names: [ServiceName]
    private var services: [ServiceName: Service]
    private var phase: Phase

    /// - Parameters:
    ///   - startTime: what all services together may take to be ready.
    ///   - stopTime: what they may take to end before they are killed.
    init(
        _ names: [ServiceName],
        policy: RestartPolicy = RestartPolicy(),
        startTime: Duration = .seconds(30),
        stopTime: Duration = .seconds(10),
        now: Time
    ) {
        self.names = names
        self.policy = policy
        self.startTime = startTime
        self.stopTime = stopTime
        services = Dictionary(uniqueKeysWithValues: names.map { ($0, Service()) })
        phase = .starting(until: now + startTime)
    }

    /// The first actions.
    func begin() -> [Action] { names.map(Action.start) }

    /// When to call ``time(_:)`` at the latest; nil while nothing is waited for.
    var deadline: Time? {
        switch phase {
        case .starting(let until): until
        case .up: services.values.compactMap(\.restartAt).min()
        case .stopping(let until, _, let hasKilled): hasKilled ? nil : until
        case .finished: nil
        }
    }

    /// A process was started.
    mutating func started(_ name: ServiceName, process: Int32, now: Time) -> [Action] {
        services[name]?.process = process
        services[name]?.isReady = false
        services[name]?.startedAt = now
        services[name]?.restartAt = nil
        // A stop may have come between the decision and the start.
        if case .stopping = phase { return [.terminate(name, process: process)] }
        return []
    }

    /// A service said that it is ready.
    mutating func ready(_ name: ServiceName) -> [Action] {
        services[name]?.isReady = true
        switch phase {
        case .starting:
            guard services.values.allSatisfy(\.isReady) else { return [] }
            phase = .up
            return [.announceReady]
        case .up: return [.log("\(name) is ready again.")]
        case .stopping, .finished: return []
        }
    }

    /// A service said why it can't run, or could not be started at all; then `process` is nil already.
    mutating func failed(_ name: ServiceName, _ sentence: String, now: Time) -> [Action] {
        switch phase {
        case .starting:
            [.log("\(name): \(sentence)"), .announceFailure("\(name): \(sentence)")] + stop(code: 1, now: now)
        case .up:
            [.log("\(name): \(sentence)")] + (services[name]?.process == nil ? died(name, now: now) : [])
        case .stopping, .finished: []
        }
    }

    /// A process has ended.
    mutating func exited(_ name: ServiceName, _ ending: ProcessEnding, now: Time) -> [Action] {
        services[name]?.process = nil
        switch phase {
        case .starting:
            let sentence = "\(name) \(ending) before it was ready."
            return [.log(sentence), .announceFailure(sentence)] + stop(code: 1, now: now)
        case .up: return [.log("\(name) \(ending).")] + died(name, now: now)
        case .stopping: return [.log("\(name) \(ending).")] + finishIfDone()
        case .finished: return []
        }
    }

    /// Somebody asks for the end. A second time changes nothing.
    mutating func terminate(now: Time) -> [Action] {
        switch phase {
        case .starting: [.announceFailure("It was stopped before it was ready.")] + stop(code: 0, now: now)
        case .up: stop(code: 0, now: now)
        case .stopping, .finished: []
        }
    }

    /// The time has come to ``deadline``; earlier calls do nothing.
    mutating func time(_ now: Time) -> [Action] {
        switch phase {
        case .starting(let until) where now >= until:
            let late = names.filter { services[$0]?.isReady == false }.map(\.rawValue).joined(separator: ", ")
            let sentence = "Not ready within \(startTime.components.seconds) s: \(late)."
            return [.log(sentence), .announceFailure(sentence)] + stop(code: 1, now: now)
        case .up:
            let due = names.filter { name in services[name]?.restartAt.map { $0 <= now } ?? false }
            for name in due { services[name]?.restartAt = nil }
            return due.map(Action.start)
        case .stopping(let until, let code, false) where now >= until:
            phase = .stopping(until: until, code: code, hasKilled: true)
            return running.flatMap { name, process in
                [
                    .log("\(name) did not end within \(stopTime.components.seconds) s and is killed."),
                    .kill(name, process: process),
                ]
            }
        default: return []
        }
    }

    private var running: [(ServiceName, process: Int32)] {
        names.compactMap { name in services[name]?.process.map { (name, $0) } }
    }

    private mutating func died(_ name: ServiceName, now: Time) -> [Action] {
        guard var service = services[name] else { return [] }
        let lived = service.startedAt.map { now - $0 } ?? .zero
        service.deaths = lived >= policy.healthyAfter ? 1 : service.deaths + 1
        let delay = policy.delay(deaths: service.deaths)
        service.isReady = false
        service.startedAt = nil
        service.restartAt = now + delay
        services[name] = service
        let tenths = Int(delay / .milliseconds(100))
        return [.log("\(name) is started again in \(tenths / 10).\(tenths % 10) s.")]
    }

    private mutating func stop(code: Int32, now: Time) -> [Action] {
        for name in names { services[name]?.restartAt = nil }
        phase = .stopping(until: now + stopTime, code: code, hasKilled: false)
        return running.reversed().map { .terminate($0, process: $1) } + finishIfDone()
    }

    private mutating func finishIfDone() -> [Action] {
        guard case .stopping(_, let code, _) = phase, running.isEmpty else { return [] }
        phase = .finished
        return [.finish(code)]
    }
}
