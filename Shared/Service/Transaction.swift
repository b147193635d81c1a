public import Messages
public import Store

/// What a command's handler works with: the store inside the open transaction, and the events it leads to.
///
/// Everything is kept or dropped together: rows, events and the reply under the command's key.
public struct Transaction {
    /// For the service's own tables beside its records.
    public let session: Session
    /// When the command is decided.
    public internal(set) var time: Instant
    /// Whose key sent it.
    public let principal: String?
    /// An import's dry run checks everything but what other services' records are there.
    public internal(set) var skipsForeignChecks = false

    /// A deleted record is made again: its references are checked anew.
    public internal(set) var isRestoring = false

    /// False where nobody follows a live list: what was touched needs not be found out.
    public internal(set) var isWatched = true
    /// What a projection's `apply` gathers over the events of a batch, for its `flush`: an object of its own, nil at the
    /// beginning of each batch.
    public var gathered: AnyObject?

    let registry: EntityRegistry
    var events: [PendingEvent] = []
    /// Whose rows in live lists may have changed.
    var touched: [ListQuery.Source: Set<TouchedRow>] = [:]
    /// The projections that were emptied to be made anew.
    var rebuilt: Set<ServiceName> = []
    /// Something was erased: the store's files still hold it until they are rewritten.
    var hasErased = false
    /// The log was loaded from an archive: what is known of it in memory is another one's.
    var hasLoadedLog = false
    /// By how much the erased events became shorter.
    var erasedBytes = 0
    /// The event of another service that a reaction follows from.
    var cause: String?
    /// What is known of the logs that this command asked to have followed to their heads.
    var followed: [ServiceName: Bool]
    /// Called now and then by what takes long, between two of its steps; see `Engine.interlude`.
    let interlude: () -> Void
    /// What was computed for this command; nil before.
    let aside: AsideQueue.Result?

    init(
        session: Session,
        time: Instant,
        principal: String?,
        registry: EntityRegistry,
        followed: [ServiceName: Bool] = [:],
        aside: AsideQueue.Result? = nil,
        cause: String? = nil,
        interlude: @escaping () -> Void = {}
    ) {
        self.session = session
        self.time = time
        self.principal = principal
        self.registry = registry
        self.followed = followed
        self.aside = aside
        self.cause = cause
        self.interlude = interlude
    }

    /// Makes sure that the projection of this service's log holds all that was in it when the command came.
    ///
    /// Handlers never wait: the first call ends the attempt, and the command is decided again when the log was
    /// followed to its head.
    ///
    /// - Returns: false where the service could not be reached: the projection may lack its last changes.
    /// - Throws: `ServiceError.awaiting`.
    public func isFollowedToHead(_ source: ServiceName) throws(ServiceError) -> Bool {
        guard let reached = followed[source] else { throw .awaiting(source) }
        return reached
    }

    /// The row of this id in the report may have changed: live lists of it look again.
    public mutating func touch(report: String, _ id: Identifier) {
        touch(report: report, TouchedRow(id))
    }

    /// The row may have changed.
    public mutating func touch(report: String, _ row: TouchedRow) {
        touched[.report(report), default: []].insert(row)
    }

    /// These rows may have changed: live lists of them look again.
    mutating func touch(_ rows: [ListQuery.Source: Set<Identifier>]) {
        guard isWatched else { return }
        for (source, ids) in rows { touched[source, default: []].formUnion(ids.map { TouchedRow($0) }) }
    }

    /// Runs a statement of the service's own inside the transaction.
    @discardableResult
    public func execute(_ sql: String, _ values: Value...) throws(ServiceError) -> Int {
        try storing { () throws(StoreError) in try session.execute(sql, values) }
    }

    /// Hands each row of a query of the service's own to the closure.
    public func query(
        _ sql: String,
        _ values: Value...,
        each body: (borrowing Row) throws(StoreError) -> Void
    ) throws(ServiceError) {
        try storing { () throws(StoreError) in try session.query(sql, values, each: body) }
    }

    /// What the closure makes of the first row; nil where there is none.
    public func first<Result>(
        _ sql: String,
        _ values: Value...,
        make: (borrowing Row) -> Result
    ) throws(ServiceError) -> Result? {
        try storing { () throws(StoreError) in
            try session.first(sql, values) { (row) throws(StoreError) in make(row) }
        }
    }

    /// The next number of this counter, from 1: rises by one with each, and is given out once.
    public func nextNumber(_ counter: String) throws(ServiceError) -> Int64 {
        try storing { () throws(StoreError) in
            let name = "number/\(counter)"
            let number = try Counter.value(name, session) + 1
            try Counter.set(name, to: number, session)
            return number
        }
    }

    /// The record as it is stored in this transaction; nil where there is none.
    public func record<R: Record>(_ type: R.Type, _ id: Identifier) throws(ServiceError) -> R? {
        let table = try registry.table(type)
        guard let body = try storing({ () throws(StoreError) in try table.body(id, session) }) else { return nil }
        return try decodeStored(type, body)
    }

    /// The records that the condition over the entity's columns holds for, by id.
    public func records<R: Record>(
        _ type: R.Type,
        where condition: String,
        _ values: Value...
    ) throws(ServiceError) -> [R] {
        let table = try registry.table(type)
        var bodies: [[UInt8]] = []
        try storing { () throws(StoreError) in
            try session.query("SELECT body FROM \"\(table.entity.table)\" WHERE \(condition) ORDER BY id", values) {
                row in
                bodies.append(row.blob(0))
            }
        }
        var records: [R] = []
        for body in bodies { records.append(try decodeStored(type, body)) }
        return records
    }
}
