internal import CBOR
internal import Failpoints
internal import Messages
internal import Store

/// Makes projections of other services' logs.
extension Engine {
    /// Applies events of another service's log, and stores the cursor behind them, in one transaction.
    ///
    /// - Parameter copy: what the projection is being made from: what it holds is passed over, no reactions are run, and
    ///   the cursor is stored once its target is reached.
    /// - Returns: events of this service's own that reactions made, or why an event can't be applied.
    func apply(
        _ encodedEvents: [EncodedCBOR],
        of source: ServiceName,
        reaching cursor: Cursor,
        catchingUp copy: SnapshotCopy? = nil
    ) throws(StoreError) -> Result<[LoggedEvent], StoreError> {
        let projection = try projection(source)
        let isWhole = copy.map { cursor.sequence >= $0.target } ?? true
        let now = clock.now()
        failpoint("apply.before")
        let result = try inTransaction { (engine) throws(StoreError) in
            // What was left of a copy is no beginning for a log.
            if copy == nil, engine.building.contains(source) { try engine.clear(projection) }
            let reacted = try engine.reacted(source, cursor.epoch)
            // Made anew up to where reactions had been run: what was decided meanwhile knew of less.
            let known = engine.cursors[source]?.sequence ?? 0
            let isCaughtUp = copy == nil && known < reacted.sequence && cursor.sequence >= reacted.sequence
            var told: [LoggedEvent] = []
            var gathered: AnyObject?
            for encodedEvent in encodedEvents {
                told += try engine.telling(now, source) { (engine, transaction) throws(ServiceError) in
                    let event = try decodeStored(Event.self, encodedEvent.bytes)
                    transaction.cause = "\(source):\(event.sequence)"
                    transaction.gathered = gathered
                    if copy?.holds(event) != true { try projection.apply(event, &transaction) }
                    gathered = transaction.gathered
                    if copy == nil, let react = projection.react, event.sequence > reacted.sequence {
                        try react(event, &transaction)
                    }
                    // Whatever is kept of the record is overwritten by now.
                    if transaction.hasErased || event.isErasure { try engine.startErasing(transaction) }
                    return event.traceparent
                }
            }
            try engine.flush(projection, gathered)
            let isCopied = copy != nil && isWhole
            if isCopied || isCaughtUp, let mend = projection.mend {
                told += try engine.telling(now, source) { (engine, transaction) throws(ServiceError) in
                    transaction.cause = "\(source):\(cursor.sequence)"
                    if isCopied { try projection.beginAtCopy?(&transaction) }
                    try mend(&transaction)
                    if transaction.hasErased { try engine.startErasing(transaction) }
                    return nil
                }
            }
            try engine.log.storeHeads(of: Set(told.map(\.entity)), engine.session)
            failpoint("cursor.before")
            if isWhole {
                try cursor.store(source.rawValue, engine.session)
                if let copy {
                    let sql = "UPDATE cursor SET floor = $1 WHERE source = $2"
                    try engine.session.execute(sql, .integer(copy.target), .text(source.rawValue))
                }
                try engine.session.execute("DELETE FROM building WHERE source = $1", .text(source.rawValue))
            }
            if projection.react != nil, isWhole, cursor.sequence > reacted.sequence {
                try cursor.store(Self.reactionName(source), engine.session)
            }
            failpoint("cursor.after")
            return told
        }
        failpoint("apply.after")
        if case .success = result {
            cursors[source] = isWhole ? cursor : nil
            if isWhole { building.remove(source) }
        }
        return result
    }

    /// Writes some rows of a snapshot into a projection that is being made from it. Reactions are not run.
    func copy(_ rows: CopiedRows, of source: ServiceName) throws(StoreError) -> Result<Void, StoreError> {
        let projection = try projection(source)
        let now = clock.now()
        return try inTransaction { (engine) throws(StoreError) in
            var gathered: AnyObject?
            _ = try engine.telling(now, source) { (_, transaction) throws(ServiceError) in
                for event in try rows.events(now) { try projection.apply(event, &transaction) }
                gathered = transaction.gathered
                return nil
            }
            try engine.flush(projection, gathered)
            failpoint("copy.between")
        }
    }

    private func flush(_ projection: Projection, _ gathered: AnyObject?) throws(StoreError) {
        guard let gathered, let flush = projection.flush else { return }
        _ = try telling(clock.now(), projection.source) { (_, transaction) throws(ServiceError) in
            transaction.gathered = gathered
            try flush(&transaction)
            return nil
        }
    }

    /// Empties a projection, so that it is built anew.
    ///
    /// - Parameters:
    ///   - isOtherLog: the source's log is not the one that was followed: reactions start over with it, too. They only
    ///     bring the own records in line with what is there, so that running one twice changes nothing.
    ///   - isCopied: it will be made from snapshots, and is not whole until that is done.
    func reset(
        _ source: ServiceName,
        isOtherLog: Bool,
        isCopied: Bool = false
    ) throws(StoreError) -> Result<Void, StoreError> {
        let projection = try projection(source)
        let result = try inTransaction { (engine) throws(StoreError) in
            try engine.clear(projection)
            if isOtherLog {
                let name = Self.reactionName(source)
                try engine.session.execute("DELETE FROM cursor WHERE source = $1", .text(name))
            }
            if isCopied {
                try engine.session.execute("INSERT INTO building (source) VALUES ($1)", .text(source.rawValue))
            }
        }
        if case .success = result {
            cursors[source] = nil
            if isCopied { building.insert(source) } else { building.remove(source) }
        }
        return result
    }

    /// Empties what a crash left half made.
    func dropUnfinished() throws(StoreError) {
        var names: [String] = []
        try session.query("SELECT source FROM building") { names.append($0.text(0)) }
        for projection in definition.projections where names.contains(projection.source.rawValue) {
            if case .failure(let error) = try reset(projection.source, isOtherLog: false) { throw error }
        }
    }

    /// What the cursor of reactions is called by, behind the source's name.
    static let reactionSuffix = "/reaction"

    private static func reactionName(_ source: ServiceName) -> String { source.rawValue + reactionSuffix }

    /// How far the service reacted to the source's log of this epoch.
    private func reacted(_ source: ServiceName, _ epoch: Identifier) throws(StoreError) -> Cursor {
        let none = Cursor(epoch: epoch, sequence: 0, chain: 0)
        let known = try Cursor.load(Self.reactionName(source), session) ?? none
        return known.epoch == epoch ? known : none
    }

    private func clear(_ projection: Projection) throws(StoreError) {
        _ = try telling(clock.now(), projection.source) { (_, transaction) throws(ServiceError) in
            try projection.empty(&transaction)
            return nil
        }
    }

    /// A transaction for what is applied: it is decided from what is there, and nothing waits for another log.
    func projecting(_ now: Instant) -> Transaction {
        var transaction = Transaction(
            session: session,
            time: now,
            principal: nil,
            registry: definition.routes.registry,
            followed: Dictionary(uniqueKeysWithValues: definition.projections.map { ($0.source, true) })
        )
        transaction.isWatched = tracksChanges
        return transaction
    }

    /// Runs the closure with a transaction and appends the events that it leads to; it returns their trace.
    private func telling(
        _ now: Instant,
        _ source: ServiceName,
        _ body: (Engine, inout Transaction) throws(ServiceError) -> String?
    ) throws(StoreError) -> [LoggedEvent] {
        do throws(ServiceError) {
            var transaction = projecting(now)
            let trace = try body(self, &transaction)
            touch(transaction.touched)
            return try log.append(transaction.events, session, time: now, traceparent: trace)
        } catch {
            switch error {
            case .store(let storeError): throw storeError
            case .refused(_, let body): throw .fault(body.message)
            case .unavailable(let message, _): throw .fault(message)
            case .aside: throw .fault("a projection must not have something computed")
            case .past: throw .fault("a projection must not read the past")
            case .awaiting(let other): throw .fault("a projection must not wait for \(other)")
            }
        }
    }

    private func projection(_ source: ServiceName) throws(StoreError) -> Projection {
        guard let projection = definition.projections.first(where: { $0.source == source }) else {
            throw .fault("\(definition.name) does not follow \(source)")
        }
        return projection
    }
}
