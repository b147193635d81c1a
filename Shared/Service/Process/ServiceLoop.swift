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
    /// Requests that wait for other logs, or for positions; more are refused.
    static let mostWaiting = 10_000

    private struct Waiting {
        var envelope: Envelope
        var request: Incoming
        var deadline: Int64
        /// The log that has to be followed to its head, and the ticket of the wait; nil where positions are awaited.
        var source: (name: ServiceName, ticket: UInt64)?
    }

    private let engine: Engine
    private let log: Log
    private let endpoints: ServiceEndpoints
    private let context = Context()
    private let router: Socket
    private let publisher: Socket
    private let sources: [SourceConnection]
    private let wakeUp: WakeUp
    private let readers: ReaderPool
    private let termination: Int32
    private let retention: RetentionPolicy
    private let started = ServiceLoop.now
    private var waiting: [Waiting] = []
    private var scans: [UInt64: (Envelope, UInt64)] = [:]
    private var lastScan: UInt64 = 0
    private var isStopping = false
    private var nextHeartbeat: Int64 = 0
    private var nextTidying: Int64 = 0
    private var nextTrimming: Int64 = 0
    private var hasChanged = false
    /// When the files are to be rewritten after an erasure, even if no moment is quiet, and not before the other.
    private var erasingDeadline: Int64?
    private var nextErasing: Int64 = 0

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
        var options = SocketOptions()
        options.linger = .milliseconds(500)
        router = try Socket(context, .router, options: options)
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
    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    // MARK: The loop

    /// Serves until the termination descriptor becomes readable; then finishes what is in flight.
    ///
    /// - Throws: where what is on disk is unknown: the process must end and reopen the store.
    func run() throws {
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
            let pause = max(0, min(nextHeartbeat, nextDeadline, nextTrimming) - now)
            _ = try poller.wait(timeout: .milliseconds(pause))
            _ = wakeUp.drain()
            if !poller[terminationSlot].isEmpty { isStopping = true }
            if !poller[subscriptionsSlot].isEmpty { try takeSubscriptions() }
            try follow()
            if !poller[requestsSlot].isEmpty { try takeGroup() }
            try finishScans()
            try settleWaiting()
            try beat()
            try trim()
        }
        try stop()
    }

    private var nextDeadline: Int64 {
        var next = Int64.max
        for item in waiting { next = min(next, item.deadline) }
        // A follower that waits for an answer asks again soon.
        if sources.contains(where: { $0.follower.state != .live }) { next = min(next, ServiceLoop.now + 100) }
        return next
    }

    private func takeGroup() throws {
        var envelopes: [Envelope] = []
        var group: [Incoming] = []
        let now = ServiceLoop.now
        for _ in 0..<ServiceLoop.largestGroup {
            guard let message = try router.receive() else { break }
            guard let (envelope, content) = Envelope.open(message) else { continue }
            switch content {
            case .refused(let id, let status, let body):
                try send(envelope.reply(id: id, run: engine.run, .failure(status, body)))
            case .request(let header, let body):
                let principal = message.frames[message.frames.count - 1].metadata("User-Id")
                let request = Incoming(header: header, body: body, principal: principal)
                if header.operation == StatusRequest.operation {
                    try answer(envelope, header.id, status())
                } else if try isReady(request, envelope, now) {
                    envelopes.append(envelope)
                    group.append(request)
                }
            }
        }
        try decide(group, envelopes)
    }

    /// Whether the positions that the request asks for are reached; otherwise it waits, or is answered.
    private func isReady(_ request: Incoming, _ envelope: Envelope, _ now: Int64) throws -> Bool {
        switch reached(request.header.after) {
        case .yes: return true
        case .never(let message):
            try answer(envelope, request.header.id, .failure(.resync, message))
            return false
        case .notYet:
            try wait(Waiting(envelope: envelope, request: request, deadline: deadline(request, now)))
            return false
        }
    }

    private func decide(_ group: [Incoming], _ envelopes: [Envelope]) throws {
        guard !group.isEmpty else { return }
        let (outcomes, events) = try engine.decide(group)
        for name in engine.takeRebuilt() {
            guard let source = sources.first(where: { $0.source == name }) else { continue }
            log.write(.info, "building anew what is known of \(name)")
            try perform(source.follower.rebuild(now: ServiceLoop.now), of: source)
        }
        for (index, outcome) in outcomes.enumerated() {
            let header = group[index].header
            switch outcome {
            case .answer(let answer):
                try self.answer(envelopes[index], header.id, answer)
            case .awaiting(let name):
                try park(group[index], envelopes[index], awaiting: name)
            case .scan(let scan):
                try start(scan, envelopes[index], header.id)
            }
        }
        try publish(events)
    }

    private func answer(_ envelope: Envelope, _ id: UInt64, _ answer: Answer) throws(ZeroMQError) {
        try send(envelope.reply(id: id, run: engine.run, answer))
    }

    /// A peer that is gone, or takes no more, asks again with the same key.
    private func send(_ frames: [Frame]) throws(ZeroMQError) {
        _ = try router.send(frames)
    }

    // MARK: Waiting

    private enum Reached {
        case yes
        case notYet
        case never(String)
    }

    private func reached(_ wanted: Positions?) -> Reached {
        guard let wanted else { return .yes }
        let current = engine.positions
        for (name, position) in wanted {
            // A service that is not followed here can't change what is read.
            guard name == engine.definition.name.rawValue || sources.contains(where: { $0.source.rawValue == name })
            else { continue }
            guard let known = current[name] else { return .notYet }
            guard known.epoch == position.epoch else {
                if name == engine.definition.name.rawValue {
                    return .never("the log of \(name) was made anew or restored since: start from what is there now")
                }
                return .notYet
            }
            if known.sequence < position.sequence { return .notYet }
        }
        return .yes
    }

    private func deadline(_ request: Incoming, _ now: Int64) -> Int64 {
        now + min(max(Int64(request.header.timeout ?? 5000), 0), 600_000)
    }

    private func wait(_ item: Waiting) throws {
        guard waiting.count < ServiceLoop.mostWaiting else {
            var refusal = Answer.failure(.unavailable, "too many requests wait already: try again later")
            refusal.retryAfter = 500
            try answer(item.envelope, item.request.header.id, refusal)
            return
        }
        waiting.append(item)
    }

    private func park(_ request: Incoming, _ envelope: Envelope, awaiting name: ServiceName) throws {
        let now = ServiceLoop.now
        guard let source = sources.first(where: { $0.source == name }) else {
            try answer(envelope, request.header.id, engine.failure(.awaiting(name)))
            return
        }
        let (ticket, actions) = source.follower.awaitHead(now: now)
        let item = Waiting(
            envelope: envelope,
            request: request,
            deadline: deadline(request, now),
            source: (name, ticket)
        )
        try wait(item)
        try perform(actions, of: source)
    }

    /// Takes up what no longer waits, and answers what waited too long.
    private func settleWaiting() throws {
        guard !waiting.isEmpty else { return }
        let now = ServiceLoop.now
        var still: [Waiting] = []
        var ready: [Waiting] = []
        for item in waiting {
            if item.source == nil, case .yes = reached(item.request.header.after) {
                ready.append(item)
            } else if item.deadline <= now {
                let message =
                    item.source.map { "\($0.name) could not be asked in time: try again" }
                    ?? "the positions asked for were not reached in time: try again"
                try answer(item.envelope, item.request.header.id, .failure(.timedOut, message))
            } else {
                still.append(item)
            }
        }
        waiting = still
        try decide(ready.map(\.request), ready.map(\.envelope))
    }

    private func settled(_ name: ServiceName, through ticket: UInt64, reached: Bool) throws {
        var ready: [Waiting] = []
        waiting.removeAll { item in
            guard let source = item.source, source.name == name, source.ticket <= ticket else { return false }
            var item = item
            item.request.followed[name] = reached
            ready.append(item)
            return true
        }
        try decide(ready.map(\.request), ready.map(\.envelope))
    }

    // MARK: Scans

    private func start(
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer,
        _ envelope: Envelope,
        _ id: UInt64
    ) throws {
        lastScan += 1
        scans[lastScan] = (envelope, id)
        let log = log
        let name = engine.definition.name
        let accepted = readers.submit(
            ticket: lastScan,
            failure: { error in Engine.failure(error, of: name) { log.write(.error, $0) } },
            scan
        )
        guard !accepted else { return }
        scans[lastScan] = nil
        var refusal = Answer.failure(.unavailable, "too many reports are being made: try again later")
        refusal.retryAfter = 500
        try answer(envelope, id, refusal)
    }

    private func finishScans() throws {
        for done in readers.takeDone() {
            guard let (envelope, id) = scans.removeValue(forKey: done.ticket) else { continue }
            try answer(envelope, id, done.answer)
        }
    }

    // MARK: Publishing

    /// Tells what was committed: a message for each run of consecutive events of one topic.
    private func publish(_ events: [LoggedEvent]) throws {
        guard !events.isEmpty else { return }
        hasChanged = true
        var run: [LoggedEvent] = []
        var bytes = 0
        for event in events {
            if let last = run.last, last.entity != event.entity || bytes + event.body.count > 64 * 1024 {
                try publishRun(run)
                run = []
                bytes = 0
            }
            run.append(event)
            bytes += event.body.count
        }
        try publishRun(run)
    }

    private func publishRun(_ run: [LoggedEvent]) throws {
        guard let first = run.first, let last = run.last else { return }
        let header = EventsHeader(
            epoch: engine.log.epoch,
            run: engine.run,
            first: first.sequence,
            through: last.sequence,
            chain: last.chain,
            chains: run.map(\.chain)
        )
        var writer = CBORWriter()
        writer.arrayHead(run.count)
        for event in run { writer.raw(event.body) }
        let topic = Topic.events(engine.definition.name, first.entity)
        _ = try publisher.send([Array(topic.utf8), try CBOREncoder().encode(header), writer.bytes])
    }

    /// Answers a subscription to the heartbeat by one at once: the subscriber's others, made before it, are in force.
    private func takeSubscriptions() throws {
        let heartbeat = [1] + Array(Topic.heartbeat(engine.definition.name).utf8)
        while let message = try publisher.receive() {
            if message.frames.first?.bytes == heartbeat { nextHeartbeat = 0 }
        }
    }

    private func beat() throws {
        let now = ServiceLoop.now
        if now >= nextHeartbeat {
            nextHeartbeat = now + 1000
            let heartbeat = Heartbeat(
                epoch: engine.log.epoch,
                run: engine.run,
                sequence: engine.log.sequence,
                entities: engine.log.entities
            )
            let topic = Topic.heartbeat(engine.definition.name)
            _ = try publisher.send([Array(topic.utf8), try CBOREncoder().encode(heartbeat)])
        }
        guard now >= nextTidying else { return }
        nextTidying = now + 2000
        // Only a moment in which nothing came is quiet.
        let isQuiet = !hasChanged
        hasChanged = false
        if engine.erasing != nil { try finishErasing(isQuiet, now) }
        if isQuiet, engine.store.walBytes > 1 << 20 { try engine.tidy() }
    }

    /// Rewrites the files after an erasure: in a quiet moment, or in any after a minute.
    private func finishErasing(_ isQuiet: Bool, _ now: Int64) throws {
        let deadline = erasingDeadline ?? now + 60_000
        erasingDeadline = deadline
        guard now >= nextErasing, isQuiet || now >= deadline else { return }
        if try engine.finishErasing() {
            erasingDeadline = nil
            log.write(.info, "the store's files no longer hold what was erased")
        } else {
            log.write(.warning, "the store's files still hold what was erased: trying again")
            // Rewriting is dear, cutting is not.
            nextErasing = engine.erasing == .rewriting ? ServiceLoop.now + 60_000 : 0
        }
    }

    /// Drops old events: a small step now and then while there is other work, one after the other in a quiet moment.
    private func trim() throws {
        let now = ServiceLoop.now
        guard now >= nextTrimming else { return }
        guard !retention.keepsAll, try engine.trim(retention) else {
            nextTrimming = now + 10_000
            return
        }
        nextTrimming = ServiceLoop.now + (hasChanged ? 100 : 5)
    }

    // MARK: Following

    private func follow() throws {
        for source in sources {
            let now = ServiceLoop.now
            for _ in 0..<64 {
                guard let actions = try source.receive(now: now) else { break }
                try perform(actions, of: source)
            }
            try perform(source.follower.tick(now: now), of: source)
        }
    }

    private func perform(_ actions: [Follower.Action], of source: SourceConnection) throws {
        for action in actions {
            switch action {
            case .read(let request, let id):
                try source.send(request, id: id)
            case .readPage(let request, let id):
                try source.send(request, id: id)
            case .apply(let events, let cursor):
                let result = try engine.apply(events, of: source.source, reaching: cursor)
                guard try isWritten(result, "events up to \(cursor.sequence)", of: source) else { return }
            case .catchUp(let events, let cursor, let copy):
                let result = try engine.apply(events, of: source.source, reaching: cursor, catchingUp: copy)
                guard try isWritten(result, "events up to \(cursor.sequence)", of: source) else { return }
            case .copy(let rows):
                let result = try engine.copy(rows, of: source.source)
                guard try isWritten(result.map { [] }, "records at \(rows.sequence)", of: source) else { return }
            case .reset(let reason):
                log.write(.warning, "building anew what is known of \(source.source)", ["reason": reason.rawValue])
                let isCompacted = reason == .compacted
                let result = try engine.reset(source.source, isOtherLog: !isCompacted, isCopied: isCompacted)
                guard try isWritten(result.map { [] }, "what was known", of: source) else { return }
            case .settled(let ticket, let reached):
                try settled(source.source, through: ticket, reached: reached)
            }
        }
    }

    /// Publishes what a step of following told; where the step was not written, the follower is told.
    private func isWritten(
        _ result: Result<[LoggedEvent], StoreError>,
        _ what: String,
        of source: SourceConnection
    ) throws -> Bool {
        // What was not written is told again from here.
        let cursor = engine.cursors[source.source]
        switch result {
        case .success(let told):
            hasChanged = true
            try publish(told)
            return true
        case .failure(.full), .failure(.busy):
            log.write(.warning, "can't write \(what) of \(source.source): trying again")
            source.follower.postpone(cursor: cursor, now: ServiceLoop.now)
        case .failure(let error):
            let reason = "can't apply \(what) of \(source.source): \(error)"
            log.write(.error, reason)
            try perform(source.follower.stop(reason, cursor: cursor), of: source)
        }
        return false
    }

    // MARK: Status and stopping

    private func status() -> Answer {
        let followed = sources.map { source in
            SourceStatus(
                service: source.source,
                state: source.follower.state,
                sequence: source.follower.cursor?.sequence ?? 0,
                reason: source.follower.reason
            )
        }
        do {
            let status = ServiceStatus(
                service: engine.definition.name,
                version: Release.version,
                epoch: engine.log.epoch,
                run: engine.run,
                sequence: engine.log.sequence,
                storeBytes: engine.store.bytes,
                uptime: ServiceLoop.now - started,
                process: getpid(),
                sources: followed,
                erasing: engine.erasing == nil ? nil : true
            )
            return Answer(status: .ok, positions: engine.positions, body: try CBOREncoder().encode(status))
        } catch {
            log.write(.error, "can't tell the status: \(error)")
            return .failure(.internal, "the status can't be told: see the log")
        }
    }

    /// Answers what waits, gives what was sent a moment to leave, and closes in reverse order.
    private func stop() throws {
        try takeGroup()
        readers.stop()
        try finishScans()
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
