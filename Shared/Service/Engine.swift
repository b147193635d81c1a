internal import CBOR
internal import Failpoints
internal import Messages
package import Store
internal import Text

/// A request as it came, header decoded.
struct Incoming {
    var header: RequestHeader
    var body: [UInt8]
    /// The name of the key that it came with; nil where it came from this machine's own user.
    var principal: String?
    /// That key's public half.
    var publicKey: String?
    /// What is known of logs that an earlier attempt waited for.
    var followed: [ServiceName: Bool] = [:]
    /// What was computed for an earlier attempt.
    var aside: AsideQueue.Result?
    /// When an attempt that waits is answered at the latest, by `ServiceLoop.now`; nil before the first wait.
    var deadline: Int64?
}

/// An answer before it has its envelope.
package struct Answer: Sendable {
    var status: Status
    var positions: Positions?
    var replayed: Bool?
    var retryAfter: Int?
    var body: [UInt8]
    /// Further body frames, of a reply that is larger than one.
    var more: [[UInt8]] = []

    /// Of all body frames.
    var bytes: Int { more.reduce(body.count) { $0 + $1.count } }

    /// The answer of a query: one body frame, or several.
    static func ok(_ frames: [[UInt8]], _ positions: Positions) -> Answer {
        Answer(status: .ok, positions: positions, body: frames.first ?? [0xA0], more: Array(frames.dropFirst()))
    }

    static func failure(_ status: Status, _ body: ErrorBody, retryAfter: Int? = nil) -> Answer {
        // An error's body is ours and has nothing that can't be encoded.
        let bytes = (try? CBOREncoder().encode(body)) ?? [0xA0]
        return Answer(status: status, retryAfter: retryAfter, body: bytes)
    }

    static func failure(_ status: Status, _ message: String) -> Answer {
        failure(status, ErrorBody(code: status.rawValue, message: message))
    }
}

/// What becomes of one request of a group.
enum Outcome {
    case answer(Answer)
    /// Decide again when the log of this service was followed to its head.
    case awaiting(ServiceName)
    /// Decide again with the result of this.
    case aside(AsideWork)
    /// Run this on a reader thread.
    case scan(@Sendable (Session) throws(ServiceError) -> Answer)
    /// Run this on the reader of the past.
    case past(@Sendable (Session) throws(ServiceError) -> Answer)
}

/// The synchronous core of a service: takes groups of requests, gives answers and events. No sockets, no threads.
package final class Engine {
    let definition: ServiceDefinition
    let store: Store
    let session: Session
    let clock: Clock
    /// Random for each start.
    let run: Identifier
    var log: EventLog
    /// nil for a store in memory.
    private var headFile: HeadFile?
    /// Whether the store was found to be an older one than the log that had been told of: it has a new epoch.
    let wasPutBack: Bool
    /// The log as it was when the open transaction began.
    private var logBefore: EventLog?
    private var replies: ReplyTable
    /// How far the projections reach that are whole.
    var cursors: [ServiceName: Cursor] = [:]
    /// The projections that are being made from snapshots, as the store has them.
    var building: Set<ServiceName> = []
    /// The projections that commands emptied since `takeRebuilt`.
    private var rebuilt: Set<ServiceName> = []
    private(set) var erasing: Erasing?
    /// Whether live lists are open, so that it has to be known which records change.
    var tracksChanges = false
    /// What changed since `takeTouched`; of what was rolled back, too: lists look at what is there.
    private var touched: [ListQuery.Source: Set<TouchedRow>] = [:]
    /// Called with what went wrong inside: for the log, never for the client.
    var report: (String) -> Void = { _ in }
    /// Called in the middle of a command that takes long: the caller may do what neither changes the store nor depends
    /// on what the open transaction changed.
    var interlude: () -> Void = {}

    convenience init(_ definition: ServiceDefinition, storePath: String) throws(StoreError) {
        let store = try Store(path: storePath, name: definition.name.rawValue, migrations: definition.migrations)
        try store.removeUnfinishedCopies()
        try self.init(definition, store, clock: .system)
    }

    package init(_ definition: ServiceDefinition, _ store: Store, clock: Clock) throws(StoreError) {
        self.definition = definition
        self.store = store
        self.clock = clock
        run = clock.makeIdentifier()
        session = try store.writer()
        headFile = store.isInMemory ? nil : HeadFile(beside: store.path)
        wasPutBack = try headFile?.isAhead(of: session) ?? false
        let isRestored = store.isMarkedAsRestored || wasPutBack
        log = try EventLog(session, isRestored: isRestored, newEpoch: clock.makeIdentifier())
        if store.isMarkedAsRestored {
            failpoint("restore.before")
            store.removeRestoreMark()
        }
        replies = try ReplyTable(session)
        erasing = try Erasing.load(session)
        for projection in definition.projections {
            cursors[projection.source] = try Cursor.load(projection.source.rawValue, session)
        }
        try dropUnfinished()
        try renewCollation()
        try noteRelease()
        noteHead()
    }

    /// Who had the store last, so that a copy of it says by which release it is read.
    private func noteRelease() throws(StoreError) {
        let known = try session.first("SELECT value FROM meta WHERE key = 'release'") { $0.text(0) }
        guard known != Release.version else { return }
        try session.execute(
            "INSERT INTO meta (key, value) VALUES ('release', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            .text(Release.version)
        )
    }

    /// Sort keys are those of one version of ICU's collation: with another they are made anew, before the first list.
    private func renewCollation() throws(StoreError) {
        let known = try session.first("SELECT value FROM meta WHERE key = 'collation'") { $0.text(0) }
        guard known != Collation.version else { return }
        let result = try inTransaction { (engine) throws(StoreError) in
            if known != nil { try engine.rewriteAll() }
            try engine.session.execute(
                "INSERT INTO meta (key, value) VALUES ('collation', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                .text(Collation.version)
            )
        }
        try result.get()
    }

    /// Writes the columns of all records anew, and empties the projections, so that they are built again.
    private func rewriteAll() throws(StoreError) {
        let registry = definition.routes.registry
        do throws(ServiceError) {
            for name in registry.names { try registry.table(named: name).rewrite(session) }
            var transaction = projecting(clock.now())
            for projection in definition.projections { try projection.empty(&transaction) }
        } catch {
            guard case .store(let storeError) = error else { throw .fault("sort keys can't be renewed: \(error)") }
            throw storeError
        }
        cursors = [:]
    }

    /// The log as far as it is stored: what may be told.
    var storedLog: EventLog { logBefore ?? log }

    /// The positions that a query reads now.
    var positions: Positions {
        let log = storedLog
        var positions = [definition.name.rawValue: Position(epoch: log.epoch, sequence: log.sequence)]
        for (source, cursor) in cursors {
            positions[source.rawValue] = Position(epoch: cursor.epoch, sequence: cursor.sequence)
        }
        return positions
    }

    /// Remembers whose rows in live lists may have changed.
    func touch(_ changes: [ListQuery.Source: Set<TouchedRow>]) {
        guard tracksChanges else { return }
        touched.merge(changes) { $0.union($1) }
    }

    /// Whose rows in live lists may have changed since the last call.
    func takeTouched() -> [ListQuery.Source: Set<TouchedRow>] {
        defer { touched = [:] }
        return touched
    }

    // MARK: Groups

    /// Decides a group: all its commands in one transaction, committed once and synced before this returns; then its
    /// queries. A command that fails leaves nothing, and the others stay.
    ///
    /// - Returns: an outcome for each request in order, and the events to publish.
    /// - Throws: where what reached the disk is unknown: the process must end and reopen the store.
    func decide(_ group: [Incoming]) throws(StoreError) -> (outcomes: [Outcome], events: [LoggedEvent]) {
        var outcomes: [Outcome?] = Array(repeating: nil, count: group.count)
        var events: [LoggedEvent] = []
        var commands: [Int] = []
        for (index, request) in group.enumerated() {
            switch definition.routes.handlers[request.header.operation] {
            case .command: commands.append(index)
            case .query, .scan: break
            case .loop, nil: outcomes[index] = .answer(unknown(request.header.operation))
            }
        }
        if !commands.isEmpty {
            let now = clock.now()
            let result = try inTransaction { (engine) throws(StoreError) in
                let requests = commands.map { group[$0] }
                let decided: Decided
                if let together = try engine.together(requests, now: now) {
                    decided = together
                } else {
                    decided = try engine.apart(requests, now: now)
                }
                try engine.log.storeHeads(of: Set(decided.events.map(\.entity)), engine.session)
                return decided
            }
            switch result {
            case .success(let decided):
                for (index, outcome) in zip(commands, decided.outcomes) { outcomes[index] = outcome }
                events = decided.events
                // The group's queries find them empty already.
                for source in rebuilt {
                    cursors[source] = nil
                    building.remove(source)
                }
            case .failure(let error):
                let answer = failure(.store(error))
                for index in commands { outcomes[index] = .answer(answer) }
            }
        }
        if outcomes.contains(where: { $0 == nil }) {
            let positions = positions
            for index in group.indices where outcomes[index] == nil {
                outcomes[index] = query(group[index], positions)
            }
        }
        return (outcomes.map { $0 ?? .answer(.failure(.internal, "not decided")) }, events)
    }

    /// Runs the closure in a transaction and commits. A full disk leaves nothing behind and is a result; where what is
    /// on disk is unknown, it throws.
    func inTransaction<Result>(
        _ body: (Engine) throws(StoreError) -> Result
    ) throws(StoreError) -> Swift.Result<Result, StoreError> {
        logBefore = log
        defer { logBefore = nil }
        do throws(StoreError) {
            try session.begin()
            let result = try body(self)
            failpoint("commit.before")
            try session.commit()
            failpoint("commit.after")
            logBefore = nil
            noteHead()
            return .success(result)
        } catch {
            report("transaction failed: \(error)")
            if case .inputOutput = error { throw error }
            try session.rollback()
            try log.reload(session)
            rebuilt = []
            return .failure(error)
        }
    }

    /// Notes beside the store how far the log has come: behind each commit, before anything of it is told.
    private func noteHead() {
        guard let path = headFile?.path, let reason = headFile?.write(log) else { return }
        report("\(path) can't be written: \(reason)")
    }

    private typealias Decided = (outcomes: [Outcome], events: [LoggedEvent])

    /// Decides commands without savepoints, for which SQLite keeps each page as it was before each of them.
    ///
    /// - Returns: nil where one failed that had written something already, and there are others: then nothing is done.
    private func together(_ requests: [Incoming], now: Instant) throws(StoreError) -> Decided? {
        let before = (log, rebuilt)
        var decided: Decided = ([], [])
        for request in requests {
            let changes = session.changes
            let kept = log
            let (outcome, logged, hasFailed) = try command(request, now: now) { (body) throws(ServiceError) in
                try body()
            }
            if hasFailed {
                log = kept
                if session.changes != changes {
                    try session.rollback()
                    try session.begin()
                    (log, rebuilt) = before
                    if requests.count > 1 { return nil }
                }
            }
            decided.outcomes.append(outcome)
            decided.events += logged
        }
        return decided
    }

    /// Decides commands in a savepoint each.
    private func apart(_ requests: [Incoming], now: Instant) throws(StoreError) -> Decided {
        var decided: Decided = ([], [])
        for request in requests {
            let kept = log
            let (outcome, logged, hasFailed) = try command(request, now: now) { (body) throws(ServiceError) in
                try session.savepoint(body, failure: ServiceError.store)
            }
            if hasFailed { log = kept }
            decided.outcomes.append(outcome)
            decided.events += logged
        }
        return decided
    }

    private typealias Done = (reply: ReplyTable.Stored, logged: [LoggedEvent])

    /// - Parameter run: runs what writes.
    private func command(
        _ request: Incoming,
        now: Instant,
        in run: (() throws(ServiceError) -> Done) throws(ServiceError) -> Done
    ) throws(StoreError) -> (outcome: Outcome, logged: [LoggedEvent], hasFailed: Bool) {
        guard case .command(let handler)? = definition.routes.handlers[request.header.operation] else {
            throw .fault("\(request.header.operation) is no command")
        }
        guard let key = request.header.key else {
            let body = ErrorBody(
                code: Status.invalid.rawValue,
                message: "a command needs a key: 16 bytes, a UUIDv7 made for it and sent again with each repeat",
                field: "key"
            )
            return (.answer(.failure(.invalid, body)), [], false)
        }
        let fingerprint = ReplyTable.fingerprint(request.header.operation, request.body)
        do throws(ServiceError) {
            let found = try replies.find(key, fingerprint: fingerprint, principal: request.principal, now: now, session)
            if let found {
                let position = Position(epoch: log.epoch, sequence: found.sequence)
                let positions = [definition.name.rawValue: position]
                return (.answer(Answer(status: .ok, positions: positions, replayed: true, body: found.body)), [], false)
            }
            let (reply, logged) = try run { () throws(ServiceError) in
                var transaction = Transaction(
                    session: session,
                    time: now,
                    principal: request.principal,
                    registry: definition.routes.registry,
                    followed: request.followed,
                    aside: request.aside,
                    interlude: interlude
                )
                transaction.isWatched = tracksChanges
                let body = try handler(request.body, &transaction)
                if transaction.hasLoadedLog {
                    log = try storing { () throws(StoreError) in try EventLog(session) }
                }
                if transaction.hasErased { try startErasing(transaction) }
                let logged = try log.append(
                    transaction.events,
                    session,
                    time: now,
                    principal: request.principal,
                    key: key,
                    traceparent: request.header.traceparent
                )
                let stored = ReplyTable.Stored(sequence: log.sequence, events: logged.count, body: body)
                try storing { () throws(StoreError) in
                    try replies.store(
                        key,
                        request.header.operation,
                        fingerprint: fingerprint,
                        principal: request.principal,
                        stored,
                        session
                    )
                }
                rebuilt.formUnion(transaction.rebuilt)
                touch(transaction.touched)
                return (stored, logged)
            }
            let positions = [definition.name.rawValue: Position(epoch: log.epoch, sequence: reply.sequence)]
            return (.answer(Answer(status: .ok, positions: positions, body: reply.body)), logged, false)
        } catch {
            if case .store(let storeError) = error {
                // The whole group falls with its transaction.
                guard session.transactionSurvives else { throw storeError }
                if case .inputOutput = storeError { throw storeError }
                if case .full = storeError { throw storeError }
            }
            if case .awaiting(let source) = error { return (.awaiting(source), [], true) }
            if case .aside(let work) = error { return (.aside(work), [], true) }
            return (.answer(failure(error)), [], true)
        }
    }

    // MARK: Queries

    private func query(_ request: Incoming, _ positions: Positions) -> Outcome {
        let operation = request.header.operation
        do throws(ServiceError) {
            switch definition.routes.handlers[operation] {
            case .query(let handler):
                do throws(ServiceError) {
                    let body = try handler(request.body, reading(session, request.principal))
                    return .answer(.ok(body, positions))
                } catch .past {
                    return .past(scan(request, handler, readsPast: true))
                }
            case .scan(let handler): return .scan(scan(request, handler))
            default:
                return .answer(unknown(operation))
            }
        } catch {
            return .answer(failure(error))
        }
    }

    /// Answers the request from a snapshot of a reader's.
    private func scan(
        _ request: Incoming,
        _ handler: @escaping @Sendable ([UInt8], Reading) throws(ServiceError) -> [[UInt8]],
        readsPast: Bool = false
    ) -> @Sendable (Session) throws(ServiceError) -> Answer {
        let (definition, epoch) = (definition, log.epoch)
        let (body, principal) = (request.body, request.principal)
        return { (session) throws(ServiceError) in
            let positions = try storing { () throws(StoreError) in
                try Engine.positions(definition, epoch: epoch, session)
            }
            let reading = Reading(
                session: session,
                registry: definition.routes.registry,
                epoch: epoch,
                principal: principal,
                isPast: readsPast
            )
            return .ok(try handler(body, reading), positions)
        }
    }

    private func reading(_ session: Session, _ principal: String?) -> Reading {
        Reading(session: session, registry: definition.routes.registry, epoch: log.epoch, principal: principal)
    }

    /// The positions that a reader's snapshot holds.
    static func positions(
        _ definition: ServiceDefinition,
        epoch: Identifier,
        _ session: Session
    ) throws(StoreError) -> Positions {
        let head = try session.first("SELECT max(sequence) FROM event") { $0.integer(0) } ?? 0
        var positions = [definition.name.rawValue: Position(epoch: epoch, sequence: head)]
        for projection in definition.projections {
            if let cursor = try Cursor.load(projection.source.rawValue, session) {
                positions[projection.source.rawValue] = Position(epoch: cursor.epoch, sequence: cursor.sequence)
            }
        }
        return positions
    }

    private func unknown(_ operation: String) -> Answer {
        let known = definition.routes.handlers.keys.sorted().joined(separator: ", ")
        return .failure(
            .unknownOperation,
            ErrorBody(
                code: Status.unknownOperation.rawValue,
                message: "\(definition.name) knows no operation '\(operation.prefix(100))'; it knows \(known)",
                field: "operation",
                found: String(operation.prefix(100))
            )
        )
    }

    /// What a failed handler is answered with.
    func failure(_ error: ServiceError) -> Answer {
        Engine.failure(error, of: definition.name, report: report)
    }

    /// - Parameter report: is told what is a fault of ours.
    static func failure(_ error: ServiceError, of name: ServiceName, report: (String) -> Void) -> Answer {
        switch error {
        case .refused(let status, let body):
            return .failure(status, body)
        case .awaiting(let source):
            return .failure(.unavailable, "\(source) can't be reached: try again when it runs")
        case .aside, .past:
            return .failure(.unavailable, "this can't be computed now: try again")
        case .unavailable(let message, let retryAfter):
            let body = ErrorBody(code: Status.unavailable.rawValue, message: message)
            return .failure(.unavailable, body, retryAfter: retryAfter)
        case .store(.full):
            let message = "the disk of \(name)'s store is full: nothing was stored; free some space and try again"
            return .failure(
                .storageFull,
                ErrorBody(code: Status.storageFull.rawValue, message: message),
                retryAfter: 1000
            )
        case .store(.overflow):
            let message = "the amounts add up to more than an amount can be: narrow the period"
            return .failure(.invalid, ErrorBody(code: Status.invalid.rawValue, message: message, field: "total"))
        case .store(.busy):
            return .failure(.unavailable, "the store is busy: try again")
        case .store(let error):
            report("internal fault: \(error)")
            return .failure(.internal, "\(name) has a fault and could not do this: see its log")
        }
    }

    /// The projections that commands emptied since the last call: they are to be made anew.
    func takeRebuilt() -> Set<ServiceName> {
        defer { rebuilt = [] }
        return rebuilt
    }

    // MARK: Erasing

    /// Notes in the open transaction, which erased something, that the files have to be rewritten.
    func startErasing(_ transaction: Transaction) throws(ServiceError) {
        try storing { () throws(StoreError) in
            try Erasing.store(session)
            try Counter.set(Erasing.counter, to: Counter.value(Erasing.counter, session) + 1, session)
            try log.dropped(Int64(transaction.erasedBytes), session)
        }
        erasing = .rewriting
    }

    /// Rewrites the store, so that no file of it holds what was erased; for quiet moments.
    ///
    /// - Returns: false where it is not done yet: readers hold the write-ahead log, or space is lacking.
    func finishErasing() throws(StoreError) -> Bool {
        do throws(StoreError) {
            if erasing == .rewriting {
                try rebuildSearch()
                failpoint("rewrite.before")
                try store.rewrite(session)
                failpoint("rewrite.after")
                erasing = .cutting
            }
            guard try store.cut(session) else { return false }
            failpoint("cut.after")
        } catch {
            if case .inputOutput = error { throw error }
            report("the store can't be rewritten yet: \(error)")
            return false
        }
        guard case .success = try inTransaction({ (engine) throws(StoreError) in try Erasing.remove(engine.session) })
        else { return false }
        erasing = nil
        return true
    }

    /// What was deleted from a full-text index stays in it until its parts are merged.
    private func rebuildSearch() throws(StoreError) {
        let registry = definition.routes.registry
        let result = try inTransaction { (engine) throws(StoreError) in
            for table in registry.all { try table.rebuildSearch(engine.session) }
        }
        try result.get()
    }

    // MARK: Quiet moments

    /// Drops some of the events that are no longer to be kept; a step that does not hold the writer for long.
    ///
    /// - Returns: whether there may be more.
    func trim(_ policy: RetentionPolicy, now: Instant? = nil) throws(StoreError) -> Bool {
        let now = now ?? clock.now()
        guard let step = try log.nextTrim(policy, now: now, session) else { return false }
        let result = try inTransaction { (engine) throws(StoreError) in try engine.log.trim(step, engine.session) }
        if case .success = result { return true }
        return false
    }

    /// Cuts the write-ahead log, as far as readers and the disk's room allow. It may stay as it is: nothing is lost by that.
    func checkpoint() throws(StoreError) {
        do throws(StoreError) {
            try store.checkpoint(session)
        } catch {
            guard case .full = error else { throw error }
            report("the write-ahead log can't be cut: the disk is full")
        }
    }

    /// Work that can wait: cuts the write-ahead log, drops old replies.
    func tidy() throws(StoreError) {
        let now = clock.now()
        _ = try inTransaction { (engine) throws(StoreError) in
            _ = try engine.replies.drop(now: now, engine.session)
        }
        guard store.walBytes > 1 << 20 else { return }
        failpoint("checkpoint.before")
        try checkpoint()
        failpoint("checkpoint.after")
    }
}
