internal import CBOR
package import Client
internal import Failpoints
internal import Glibc
package import Messages
internal import Store
package import ZeroMQ

/// The one thread of a service that owns its sockets and its store's writer.
///
/// Each turn drains the ROUTER into a group, lets the engine decide it with one commit, and only then replies and
/// publishes. Follows the logs of other services between groups.
///
/// `run()` does it on a thread. A simulation has its own network, readers and clock, and calls `begin()` and `takeTurn()`.
package final class ServiceLoop {
    /// The most requests of a group: bounds how long a commit waits for its first.
    static let largestGroup = 256
    /// The most messages that are taken between two groups.
    private static let mostTaken = 1024
    /// A request without a budget has this one, in milliseconds.
    static let defaultTimeout: Int64 = 5000
    /// Requests that can only be decided later; more are refused.
    static let mostWaiting = 10_000

    let engine: Engine
    let log: Log
    var refusals: RefusalLog
    var repeated: RepeatedLog
    /// Nil where nobody asks for them.
    let metrics: ServiceMetrics?
    let network: any Network
    /// The socket files first, then what is reached from elsewhere.
    let entrances: [Entrance]
    let remote: RemoteAccess?
    /// Where keys are asked for.
    let gate: Gatekeeper?
    private let gateThread: SocketThread?
    let sources: [SourceConnection]
    let wakeUp: WakeUp
    let readers: any ScanReaders
    let asides: AsideQueue
    let termination: Int32
    let retention: RetentionPolicy
    let started: Int64
    var waiting: [Waiting] = []
    /// Requests that have arrived: the next to be decided.
    var queue = RequestQueue()
    var backlogs = ReplyBacklogs()
    /// What is done with a scan's answer when it arrives.
    var scans: [UInt64: (ServiceLoop, Answer) throws -> Void] = [:]
    var hub: ListHub
    var listWaiters: [[UInt8]: [ListWaiter]] = [:]
    var lastScan: UInt64 = 0
    var lastAside: UInt64 = 0
    var isStopping = false
    var nextHeartbeat: Int64 = 0
    var nextTidying: Int64 = 0
    var nextTrimming: Int64 = 0
    var hasChanged = false
    /// When the files are to be rewritten after an erasure, even if no moment is quiet, and not before the other.
    var erasingDeadline: Int64?
    var nextErasing: Int64 = 0
    /// The entrance that has the next turn.
    private var turn = 0
    /// Whether sockets were replaced since they were last waited for.
    var hasNewSockets = true
    /// When closed sockets are tried to be bound again, and since when that fails.
    var nextReopening: Int64 = 0
    var closedSince: Int64?

    /// Opens the sockets; requests are taken once `run` is called.
    ///
    /// - Parameters:
    ///   - endpoints: the socket files.
    ///   - remote: where it listens beside them.
    ///   - key: what is shown to sources that are reached over TCP.
    ///   - given: libzmq's context, at least where there are keys; one of its own where it is nil.
    ///   - readers: what runs scans; threads of its own where it is nil.
    ///   - termination: a descriptor that becomes readable when the loop shall end.
    /// - Throws: `StartError`, `ClientError`, `ZeroMQError`.
    init(
        _ engine: Engine,
        endpoints: ServiceEndpoints,
        remote: RemoteAccess? = nil,
        sources: [ServiceName: ServiceEndpoints],
        key: OwnKey? = nil,
        network given: (any Network)? = nil,
        readers: (any ScanReaders)? = nil,
        termination: Int32,
        retention: RetentionPolicy = RetentionPolicy(),
        metrics: ServiceMetrics? = nil,
        log: Log
    ) throws {
        self.metrics = metrics
        self.engine = engine
        self.retention = retention
        self.remote = remote
        self.termination = termination
        self.log = log
        refusals = RefusalLog(log)
        repeated = RepeatedLog(log)
        wakeUp = try WakeUp()
        self.readers = readers ?? ReaderPool(engine, wakeUp: wakeUp)
        asides = try AsideQueue(storePath: engine.store.path, wakeUp: wakeUp)
        hub = ListHub(engine.definition.routes.listSources)
        let network = given ?? Context(ioThreads: 1 + sources.values.count { $0.requests.hostName != nil })
        self.network = network
        let now = engine.clock.monotonic()
        started = now
        let gate = remote?.key.map { Gatekeeper($0.folder, user: geteuid(), log: log) }
        self.gate = gate
        // Before the sockets that ask it.
        if let gate {
            guard let context = network as? Context else { preconditionFailure("only libzmq asks who may come in") }
            gateThread = try gate.start(context)
        } else {
            gateThread = nil
        }
        var entrances = [try Entrance(network, endpoints, number: 0, isGuarded: gate != nil)]
        if let remote { entrances.append(try ServiceLoop.entrance(network, remote, gate)) }
        self.entrances = entrances
        let dialer = Dialer(network, key: key)
        var connections: [SourceConnection] = []
        for projection in engine.definition.projections {
            guard let endpoints = sources[projection.source] else { continue }
            let follower = Follower(
                cursor: engine.cursors[projection.source],
                entities: projection.entities,
                pageRows: projection.pageRows
            )
            connections.append(
                try SourceConnection(
                    dialer,
                    projection.source,
                    endpoints,
                    follower: follower,
                    now: now
                )
            )
        }
        self.sources = connections
        engine.report = { [unowned self] in repeated.tell(.error, $0, now: self.now) }
    }

    /// A loop over a network and readers of the caller's, which takes turns when it is told to.
    ///
    /// - Throws: as `Network.bound(_:at:options:)` and `Network.connected(_:to:options:)`.
    package convenience init(
        _ engine: Engine,
        endpoints: ServiceEndpoints,
        sources: [ServiceName: ServiceEndpoints],
        network: any Network,
        readers: any ScanReaders,
        retention: RetentionPolicy,
        log: Log
    ) throws {
        try self.init(
            engine,
            endpoints: endpoints,
            sources: sources,
            network: network,
            readers: readers,
            termination: -1,
            retention: retention,
            log: log
        )
    }

    /// Milliseconds of the engine's clock.
    var now: Int64 { engine.clock.monotonic() }

    /// Milliseconds of the monotonic clock.
    static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: The loop

    /// Serves until the termination descriptor becomes readable; then finishes what is in flight.
    ///
    /// - Throws: where what is on disk is unknown: the process must end and reopen the store.
    func run() throws {
        try begin()
        var wait = SocketWait()
        var spinning = Spinning()
        defer { spinning.close() }
        var hadRequests = false
        while !isStopping {
            if hasNewSockets { wait = SocketWait(self) }
            hasNewSockets = false
            let timeout = Duration.milliseconds(max(0, deadline - now))
            if try !hadRequests || timeout == .zero || !found(&wait, &spinning) {
                try wait.poller.wait(timeout: timeout)
            }
            _ = wakeUp.drain()
            if wait.found(wait.termination) { isStopping = true }
            hadRequests = wait.found(wait.requests)
            try takeTurn(hasSubscriptions: wait.found(wait.subscriptions), hasRequests: hadRequests)
        }
        try stop()
    }

    /// Looks for a moment whether something comes, where that is worthwhile.
    private func found(_ wait: inout SocketWait, _ spinning: inout Spinning) throws(ZeroMQError) -> Bool {
        let begin = Spinning.now
        guard spinning.isWorthwhile(begin) else { return false }
        var found = false
        repeat {
            found = try wait.poller.wait(timeout: .zero) > 0
        } while !found && Spinning.now - begin < Spinning.longest
        spinning.ended(found: found)
        return found
    }

    /// Asks for what the sources have; once, before the first turn.
    package func begin() throws {
        engine.interlude = { [unowned self] in interlude() }
        for source in sources { try perform(source.follower.start(now: now), of: source) }
    }

    /// When a turn has something to do that no socket and no reader tells of.
    package var deadline: Int64 {
        guard queue.isEmpty else { return now }
        let tidying = engine.erasing == nil ? Int64.max : nextTidying
        let reopening = entrances.allSatisfy(\.isWhole) ? Int64.max : nextReopening
        return min(nextHeartbeat, nextDeadline, nextTrimming, tidying, reopening)
    }

    /// Does all that there is to do now.
    ///
    /// - Parameters:
    ///   - hasSubscriptions: whether publishers may have something.
    ///   - hasRequests: whether routers may have something.
    /// - Throws: where what is on disk is unknown: the process must end and reopen the store.
    package func takeTurn(hasSubscriptions: Bool = true, hasRequests: Bool = true) throws {
        if hasSubscriptions { try takeSubscriptions() }
        try follow()
        try publishLists()
        if hasRequests || !queue.isEmpty { try takeGroup() }
        try finishScans()
        try finishAsides()
        try settleWaiting()
        try beat()
        reopenEntrances()
        try trim()
    }

    /// What the loop waits for.
    private struct SocketWait {
        var poller = Poller()
        var requests: [Poller.Slot] = []
        var subscriptions: [Poller.Slot] = []
        var termination: [Poller.Slot] = []

        init() {}

        init(_ loop: ServiceLoop) {
            requests = loop.entrances.compactMap(\.router).map { poller.add($0, .receive) }
            subscriptions = loop.entrances.compactMap(\.publisher).map { poller.add($0, .receive) }
            _ = poller.add(fileDescriptor: loop.wakeUp.fileDescriptor, .receive)
            termination = [poller.add(fileDescriptor: loop.termination, .receive)]
            for source in loop.sources {
                _ = poller.add(source.requests, .receive)
                _ = poller.add(source.events.socket, .receive)
            }
        }

        func found(_ slots: [Poller.Slot]) -> Bool { slots.contains { !poller[$0].isEmpty } }
    }

    var nextDeadline: Int64 {
        var next = Int64.max
        for item in waiting { next = min(next, item.deadline) }
        // A follower that waits for an answer asks again soon.
        if sources.contains(where: { $0.follower.state != .live }) { next = min(next, now + 100) }
        return next
    }

    func takeGroup() throws {
        var envelopes: [Envelope] = []
        var group: [Incoming] = []
        let now = now
        try takeArrived()
        for (envelope, request) in queue.take(ServiceLoop.largestGroup) {
            if let deadline = request.deadline, deadline < now {
                // Whoever asked has given up, or asked again.
                try answer(envelope, request.header.id, engine.failure(Waiting.Cause.turn.timeout))
            } else if try isReady(request, envelope, now) {
                envelopes.append(envelope)
                group.append(request)
            }
        }
        let begin = ServiceMetrics.now
        try decide(group, envelopes)
        queue.decided(group.count, seconds: ServiceMetrics.now - begin)
    }

    /// Takes what has arrived into the queue; what finds no room there is refused, in its order.
    private func takeArrived() throws {
        for _ in 0..<ServiceLoop.mostTaken {
            guard let (message, entrance) = try receive() else { return }
            guard let item = try request(of: message, by: entrance), !queue.add(item) else { continue }
            var refusal = Answer.failure(.unavailable, "more is asked for than can be done now: try again later")
            refusal.retryAfter = queue.retryAfter
            try answer(item.envelope, item.request.header.id, refusal)
        }
    }

    /// The next message; the entrances take turns.
    private func receive() throws(ZeroMQError) -> (Multipart, Entrance)? {
        for _ in entrances {
            let entrance = entrances[turn]
            turn = (turn + 1) % entrances.count
            if let message = try entrance.router?.receive() { return (message, entrance) }
        }
        return nil
    }

    /// The request in a message that is to be decided; what is none, and the questions for the status and the keys, are
    /// answered.
    func request(of message: Multipart, by entrance: Entrance) throws -> (envelope: Envelope, request: Incoming)? {
        guard let (envelope, content) = Envelope.open(message, at: entrance.number) else { return nil }
        switch content {
        case .refused(let id, let status, let body):
            try answer(envelope, id, .failure(status, body))
        case .request(let header, let body):
            var request = identified(Incoming(header: header, body: body), message, entrance)
            request.deadline = deadline(request, now)
            switch header.operation {
            case StatusRequest.operation: try answer(envelope, header.id, refusal(of: request) ?? status())
            case ReadKeys.operation: try readKeys(request, envelope)
            default: return (envelope, request)
            }
        }
        return nil
    }

    /// In the middle of a long command: whoever asks for the status has it, heartbeats go on, the rest waits.
    func interlude() {
        do {
            try takeSubscriptions()
            try tellHeartbeat()
            try takeArrived()
        } catch {
            // The loop's next turn meets it again, and ends by it if it must.
            log.write(.error, "in the middle of a command: \(error)")
        }
    }

    /// Whether the positions that the request asks for are reached; otherwise it waits, or is answered.
    func isReady(_ request: Incoming, _ envelope: Envelope, _ now: Int64) throws -> Bool {
        switch reached(request.header.after) {
        case .yes: return true
        case .never(let message):
            try answer(envelope, request.header.id, .failure(.resync, message))
            return false
        case .notYet:
            try waitForPositions(request, envelope)
            return false
        }
    }

    /// Decides a group; lists are opened on what its commands left.
    func decide(_ group: [Incoming], _ envelopes: [Envelope]) throws {
        // Here, and not when a request comes: those that had to wait are asked for their key once more.
        let (group, envelopes) = try allowed(group, envelopes)
        let opening = group.indices.filter { group[$0].header.operation == OpenList.operation }
        guard !opening.isEmpty else { return try decideOthers(group, envelopes) }
        let others = group.indices.filter { !opening.contains($0) }
        try decideOthers(others.map { group[$0] }, others.map { envelopes[$0] })
        for index in opening { try openList(envelopes[index], group[index]) }
    }

    private func decideOthers(_ group: [Incoming], _ envelopes: [Envelope]) throws {
        guard !group.isEmpty else { return }
        let begin = ServiceMetrics.now
        let (outcomes, events) = try engine.decide(group)
        metrics?.decided(group.count, seconds: ServiceMetrics.now - begin)
        for name in engine.takeRebuilt().sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let source = sources.first(where: { $0.source == name }) else { continue }
            log.write(.info, "building anew what is known of \(name)")
            hub.dropReports()
            try perform(source.follower.rebuild(now: now), of: source)
        }
        failpoint("reply.before")
        for (index, outcome) in outcomes.enumerated() {
            if index > 0 { failpoint("reply.between") }
            let header = group[index].header
            switch outcome {
            case .answer(let answer) where header.after == nil || isCommand(envelopes[index]):
                try self.answer(envelopes[index], header.id, answer)
            case .answer(let answer):
                try self.answer(group[index], envelopes[index], found: answer)
            case .awaiting(let name):
                try park(group[index], envelopes[index], awaiting: name)
            case .aside(let work):
                try compute(work, for: group[index], envelopes[index])
            case .scan(let scan):
                try start(scan, envelopes[index], group[index])
            case .past(let scan):
                try start(scan, isPast: true, envelopes[index], group[index])
            }
        }
        failpoint("publish.before")
        try publish(events)
        failpoint("publish.after")
        try publishLists()
    }

    /// A peer that is gone, or takes no more, asks again with the same key.
    func answer(_ envelope: Envelope, _ id: UInt64, _ answer: Answer) throws(ZeroMQError) {
        var (answer, backlog) = (answer, Backlog?.none)
        if answer.bytes >= ReplyBacklogs.leastBytes {
            backlog = backlogs.room(for: answer.bytes, to: envelope)
            if backlog == nil {
                // A refusal would say that a command was not done.
                guard !isCommand(envelope) else { return }
                answer = .failure(.unavailable, "too much that was asked for is not taken yet: read it, and try again")
                answer.retryAfter = 1000
            }
        }
        let operation = name(of: envelope)
        refusals.tell(answer, to: envelope, id, operation: operation, now: now)
        if let arrived = envelope.origin?.arrived {
            metrics?.answered(operation, answer.status, seconds: ServiceMetrics.now - arrived)
        }
        let entrance = entrances.first { $0.number == envelope.entrance }
        _ = try entrance?.router?.send(envelope.reply(id: id, run: engine.run, answer, countedBy: backlog))
    }

    private func isCommand(_ envelope: Envelope) -> Bool {
        guard case .command = envelope.origin.flatMap({ engine.definition.routes.handlers[$0.operation] }) else {
            return false
        }
        return true
    }

    /// The operation that was asked for, where the service knows it.
    private func name(of envelope: Envelope) -> String {
        guard let operation = envelope.origin?.operation else { return "unreadable" }
        return engine.definition.routes.handlers[operation] != nil || Self.ownOperations.contains(operation)
            ? operation : "unknown"
    }

    /// What the loop answers itself.
    private static let ownOperations = [StatusRequest.operation, ReadKeys.operation, OpenList.operation]

    // MARK: Scans

    /// Answers a request with what a scan gives, if its key still allows that then.
    func start(
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer,
        isPast: Bool = false,
        _ envelope: Envelope,
        _ request: Incoming
    ) throws {
        let (deadline, now) = (request.deadline ?? .max, engine.clock.monotonic)
        try startScan(
            { (session) throws(ServiceError) in
                // Nobody waits any more for what comes to its turn too late.
                guard now() <= deadline else { throw Waiting.Cause.turn.timeout }
                return try scan(session)
            },
            isPast: isPast,
            done: { loop, answer in try loop.answer(request, envelope, found: loop.refusal(of: request) ?? answer) }
        )
    }

    /// Runs a scan on a reader thread; `done` is called on the loop's.
    func startScan(
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer,
        isPast: Bool = false,
        done: @escaping (ServiceLoop, Answer) throws -> Void
    ) throws {
        lastScan += 1
        scans[lastScan] = done
        let log = log
        let name = engine.definition.name
        let accepted = readers.submit(
            ticket: lastScan,
            isPast: isPast,
            failure: { error in Engine.failure(error, of: name) { log.write(.error, $0) } },
            scan
        )
        guard !accepted else { return }
        scans[lastScan] = nil
        var refusal = Answer.failure(.unavailable, "too many reports are being made: try again later")
        refusal.retryAfter = 500
        try done(self, refusal)
    }

    func finishScans() throws {
        for finished in readers.takeDone() {
            try scans.removeValue(forKey: finished.ticket)?(self, finished.answer)
        }
    }

    // MARK: Status and stopping

    func status() -> Answer {
        let followed = sources.map { source in
            SourceStatus(
                service: source.source,
                state: source.follower.state,
                sequence: source.follower.cursor?.sequence ?? 0,
                reason: source.follower.reason
            )
        }
        do {
            let floor = try Floor.load(engine.session).sequence
            let status = ServiceStatus(
                service: engine.definition.name,
                version: Release.version,
                epoch: engine.log.epoch,
                run: engine.run,
                sequence: engine.storedLog.sequence,
                storeBytes: engine.store.bytes,
                uptime: now - started,
                process: getpid(),
                sources: followed,
                erasing: engine.erasing == nil ? nil : true,
                floor: floor == 0 ? nil : floor
            )
            return Answer(status: .ok, positions: engine.positions, body: try CBOREncoder().encode(status))
        } catch {
            log.write(.error, "can't tell the status: \(error)")
            return .failure(.internal, "the status can't be told: see the log")
        }
    }

    /// Answers what waits, gives what was sent a moment to leave, and closes in reverse order.
    package func stop() throws {
        try takeGroup()
        failpoint("stop.before")
        engine.definition.copies.stop()
        readers.stop()
        asides.stop()
        try finishScans()
        try finishAsides()
        let refusal = Answer.failure(.unavailable, "\(engine.definition.name) is stopping: try again")
        let rest = queue.take(queue.count) + waiting.map { ($0.envelope, $0.request) }
        for (envelope, request) in rest { try answer(envelope, request.header.id, refusal) }
        for source in sources { source.close() }
        for entrance in entrances { entrance.close() }
        network.terminate()
        gateThread?.join()
        failpoint("stop.closed")
        try engine.tidy()
        if engine.erasing != nil { _ = try engine.finishErasing() }
        try engine.checkpoint()
    }
}
