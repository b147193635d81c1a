internal import CBOR
internal import Client
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

/// The one thread of a service that owns its sockets and its store's writer.
///
/// Each turn drains the ROUTER into a group, lets the engine decide it with one commit, and only then replies and
/// publishes. Follows the logs of other services between groups.
final class ServiceLoop {
    /// The most requests of a group: bounds how long a commit waits for its first.
    static let largestGroup = 256
    /// A request without a budget has this one, in milliseconds.
    static let defaultTimeout: Int64 = 5000
    /// Requests that can only be decided later; more are refused.
    static let mostWaiting = 10_000

    let engine: Engine
    let log: Log
    let endpoints: ServiceEndpoints
    let context = Context()
    let router: Socket
    let publisher: Socket
    let sources: [SourceConnection]
    let wakeUp: WakeUp
    let readers: ReaderPool
    let asides: AsideQueue
    let termination: Int32
    let retention: RetentionPolicy
    let started = ServiceLoop.now
    var waiting: [Waiting] = []
    /// Requests that came in the middle of a long command: the next to be decided.
    var early: [(envelope: Envelope, request: Incoming)] = []
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

    /// Opens the sockets; requests are taken once `run` is called.
    ///
    /// - Parameter termination: a descriptor that becomes readable when the loop shall end.
    init(
        _ engine: Engine,
        endpoints: ServiceEndpoints,
        sources: [ServiceName: ServiceEndpoints],
        termination: Int32,
        retention: RetentionPolicy = RetentionPolicy(),
        log: Log
    ) throws(ZeroMQError) {
        self.engine = engine
        self.retention = retention
        self.endpoints = endpoints
        self.termination = termination
        self.log = log
        engine.report = { log.write(.error, $0) }
        wakeUp = try WakeUp()
        readers = ReaderPool(engine, wakeUp: wakeUp)
        asides = try AsideQueue(storePath: engine.store.path, wakeUp: wakeUp)
        hub = ListHub(engine.definition.routes.listSources)
        var options = SocketOptions()
        options.linger = .milliseconds(500)
        // What was decided last has to reach who waits for it, on a busy machine too.
        var patient = SocketOptions()
        patient.linger = .milliseconds(1500)
        router = try Socket(context, .router, options: patient)
        publisher = try Socket(context, .xpub, options: options)
        _ = try router.bind(endpoints.requests)
        _ = try publisher.bind(endpoints.events)
        var connections: [SourceConnection] = []
        for projection in engine.definition.projections {
            guard let endpoints = sources[projection.source] else { continue }
            let follower = Follower(cursor: engine.cursors[projection.source], entities: projection.entities)
            connections.append(try SourceConnection(context, projection.source, endpoints, follower: follower))
        }
        self.sources = connections
    }

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
        engine.interlude = { [unowned self] in interlude() }
        var poller = Poller()
        let requestsSlot = poller.add(router, .receive)
        let subscriptionsSlot = poller.add(publisher, .receive)
        _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        let terminationSlot = poller.add(fileDescriptor: termination, .receive)
        for source in sources {
            _ = poller.add(source.requests, .receive)
            _ = poller.add(source.events, .receive)
            try perform(source.follower.start(now: ServiceLoop.now), of: source)
        }
        while !isStopping {
            let now = ServiceLoop.now
            let tidying = engine.erasing == nil ? Int64.max : nextTidying
            let next = early.isEmpty ? min(nextHeartbeat, nextDeadline, nextTrimming, tidying) : now
            let pause = max(0, next - now)
            _ = try poller.wait(timeout: .milliseconds(pause))
            _ = wakeUp.drain()
            if !poller[terminationSlot].isEmpty { isStopping = true }
            if !poller[subscriptionsSlot].isEmpty { try takeSubscriptions() }
            try follow()
            try publishLists()
            if !poller[requestsSlot].isEmpty || !early.isEmpty { try takeGroup() }
            try finishScans()
            try finishAsides()
            try settleWaiting()
            try beat()
            try trim()
        }
        try stop()
    }

    var nextDeadline: Int64 {
        var next = Int64.max
        for item in waiting { next = min(next, item.deadline) }
        // A follower that waits for an answer asks again soon.
        if sources.contains(where: { $0.follower.state != .live }) { next = min(next, ServiceLoop.now + 100) }
        return next
    }

    func takeGroup() throws {
        var envelopes: [Envelope] = []
        var group: [Incoming] = []
        let now = ServiceLoop.now
        var taken = Array(early.prefix(ServiceLoop.largestGroup))
        early.removeFirst(taken.count)
        for _ in taken.count..<ServiceLoop.largestGroup {
            guard let message = try router.receive() else { break }
            if let request = try request(of: message) { taken.append(request) }
        }
        for (envelope, request) in taken where try isReady(request, envelope, now) {
            envelopes.append(envelope)
            group.append(request)
        }
        try decide(group, envelopes)
    }

    /// The request in a message that is to be decided; what is none, and the question for the status, is answered.
    func request(of message: Multipart) throws -> (envelope: Envelope, request: Incoming)? {
        guard let (envelope, content) = Envelope.open(message) else { return nil }
        switch content {
        case .refused(let id, let status, let body):
            try send(envelope.reply(id: id, run: engine.run, .failure(status, body)))
        case .request(let header, _) where header.operation == StatusRequest.operation:
            try answer(envelope, header.id, status())
        case .request(let header, let body):
            let principal = message.frames[message.frames.count - 1].metadata("User-Id")
            return (envelope, Incoming(header: header, body: body, principal: principal))
        }
        return nil
    }

    /// In the middle of a long command: whoever asks for the status has it, heartbeats go on, the rest waits.
    func interlude() {
        do {
            try takeSubscriptions()
            try tellHeartbeat()
            while early.count < ServiceLoop.largestGroup, let message = try router.receive() {
                if let request = try request(of: message) { early.append(request) }
            }
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
            try wait(Waiting(envelope: envelope, request: request, deadline: deadline(request, now), cause: .positions))
            return false
        }
    }

    /// Decides a group; lists are opened on what its commands left.
    func decide(_ group: [Incoming], _ envelopes: [Envelope]) throws {
        let opening = group.indices.filter { group[$0].header.operation == OpenList.operation }
        let others = opening.isEmpty ? Array(group.indices) : group.indices.filter { !opening.contains($0) }
        try decideOthers(others.map { group[$0] }, others.map { envelopes[$0] })
        for index in opening { try openList(envelopes[index], group[index].header.id, group[index].body) }
    }

    private func decideOthers(_ group: [Incoming], _ envelopes: [Envelope]) throws {
        guard !group.isEmpty else { return }
        let (outcomes, events) = try engine.decide(group)
        for name in engine.takeRebuilt() {
            guard let source = sources.first(where: { $0.source == name }) else { continue }
            log.write(.info, "building anew what is known of \(name)")
            hub.dropReports()
            try perform(source.follower.rebuild(now: ServiceLoop.now), of: source)
        }
        for (index, outcome) in outcomes.enumerated() {
            let header = group[index].header
            switch outcome {
            case .answer(let answer):
                try self.answer(envelopes[index], header.id, answer)
            case .awaiting(let name):
                try park(group[index], envelopes[index], awaiting: name)
            case .aside(let work):
                try compute(work, for: group[index], envelopes[index])
            case .scan(let scan):
                try start(scan, envelopes[index], header.id)
            case .past(let scan):
                try start(scan, isPast: true, envelopes[index], header.id)
            }
        }
        try publish(events)
        try publishLists()
    }

    func answer(_ envelope: Envelope, _ id: UInt64, _ answer: Answer) throws(ZeroMQError) {
        try send(envelope.reply(id: id, run: engine.run, answer))
    }

    /// A peer that is gone, or takes no more, asks again with the same key.
    func send(_ frames: [Frame]) throws(ZeroMQError) {
        _ = try router.send(frames)
    }

    // MARK: Scans

    /// Answers a request with what a scan gives.
    func start(
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer,
        isPast: Bool = false,
        _ envelope: Envelope,
        _ id: UInt64
    ) throws {
        try startScan(scan, isPast: isPast, done: { loop, answer in try loop.answer(envelope, id, answer) })
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
                uptime: ServiceLoop.now - started,
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
    func stop() throws {
        try takeGroup()
        readers.stop()
        asides.stop()
        try finishScans()
        try finishAsides()
        for item in waiting {
            let refusal = Answer.failure(.unavailable, "\(engine.definition.name) is stopping: try again")
            try answer(item.envelope, item.request.header.id, refusal)
        }
        for source in sources {
            source.requests.close()
            source.events.close()
        }
        router.close()
        publisher.close()
        context.terminate()
        for case .ipc(let path) in [endpoints.requests, endpoints.events] { unlink(path) }
        try engine.tidy()
        if engine.erasing != nil { _ = try engine.finishErasing() }
        try engine.store.checkpoint(engine.session)
    }
}
