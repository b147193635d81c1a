internal import CSQLite
public import Messages

/// A connection to a store: runs statements, one thread at a time.
///
/// This is all of the engine that the services see. SQL is the part that SQLite and PostgreSQL share:
/// parameters are `$1…$n`, changes go through `execute`, reads through `query`, orders by stored sort keys.
/// Statements are prepared once and kept.
@safe public final class Session {
    let path: String
    /// SQLite's; nil where the store lies on a server.
    let database: OpaquePointer?
    /// nil where the store is a file.
    let server: PostgreSQLConnection?
    private var statements: [String: Statement] = [:]
    /// The same statements by the place of their text in memory: the same place is the same text while `statements` has
    /// it, and is found without looking at the text.
    private var placed: [UInt: Statement] = [:]
    private var deferred = DeferredStatements()
    /// What `kept(_:_:read:)` has, by table.
    private var rows: [String: [Identifier: [Value]]] = [:]
    /// How many statements were run: tests count work, not time.
    public private(set) var statementsRun = 0
    public private(set) var isInTransaction = false
    /// Called before each transaction is committed; with what it throws nothing is. For simulations of processes that end there.
    package var willCommit: (() throws(StoreError) -> Void)?

    init(path: String, database: OpaquePointer) {
        self.path = path
        unsafe self.database = database
        server = nil
    }

    /// - Parameter path: beside which the store's files lie that are not on the server.
    init(path: String, server: PostgreSQLConnection) {
        self.path = path
        unsafe database = nil
        self.server = server
    }

    deinit {
        placed.removeAll()
        statements.removeAll()
        unsafe sqlite3_close_v2(database)
    }

    /// Runs a statement that returns no rows.
    ///
    /// - Returns: How many rows it changed.
    /// - Throws: `StoreError` by what the caller can do about it.
    @discardableResult
    public func execute(_ sql: String, _ values: Value...) throws(StoreError) -> Int {
        try execute(sql, values)
    }

    @discardableResult
    public func execute(_ sql: String, _ values: [Value]) throws(StoreError) -> Int {
        if let server { return try run(sql, values, server).changed }
        let statement = try started(sql, values)
        defer { statement.reset() }
        let code = unsafe sqlite3_step(statement.handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw error(code, sql) }
        return Int(unsafe sqlite3_changes64(database))
    }

    /// Runs a query and hands each of its rows to the closure.
    public func query(
        _ sql: String,
        _ values: Value...,
        each body: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        try query(sql, values, each: body)
    }

    public func query(
        _ sql: String,
        _ values: [Value],
        each body: (borrowing Row) throws(StoreError) -> Void
    ) throws(StoreError) {
        if let server {
            let result = try run(sql, values, server)
            for place in 0..<result.count { try body(unsafe Row(handle: result.handle, place: place)) }
            return
        }
        let statement = try started(sql, values)
        defer { statement.reset() }
        while true {
            let code = unsafe sqlite3_step(statement.handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code, sql) }
            try body(unsafe Row(statement: statement.handle))
        }
    }

    /// What the closure makes of the first row; nil where there is none.
    public func first<Result>(
        _ sql: String,
        _ values: Value...,
        make: (borrowing Row) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        try first(sql, values, make: make)
    }

    public func first<Result>(
        _ sql: String,
        _ values: [Value],
        make: (borrowing Row) throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        if let server {
            let result = try run(sql, values, server)
            return result.count > 0 ? try make(unsafe Row(handle: result.handle, place: 0)) : nil
        }
        let statement = try started(sql, values)
        defer { statement.reset() }
        let code = unsafe sqlite3_step(statement.handle)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw error(code, sql) }
        return try make(unsafe Row(statement: statement.handle))
    }

    /// Runs a text of several statements without parameters: schemas, pragmas.
    public func executeScript(_ sql: String) throws(StoreError) {
        if let server { return try server.runScript(sql) }
        let code = unsafe sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql) }
    }

    private func run(
        _ sql: String,
        _ values: [Value],
        _ server: PostgreSQLConnection
    ) throws(StoreError) -> PostgreSQLResult {
        statementsRun += 1
        return try server.run(sql, values)
    }

    /// Starts a write transaction, waiting for no other writer: there is one in a service.
    public func begin() throws(StoreError) {
        if let server { try server.begin() } else { try execute("BEGIN IMMEDIATE") }
        isInTransaction = true
        deferred = DeferredStatements()
    }

    /// Starts a read transaction: all reads up to `rollback` see one state.
    public func beginReading() throws(StoreError) {
        rows = [:]
        if let server { try server.beginReading() } else { try execute("BEGIN") }
        isInTransaction = true
        deferred = DeferredStatements()
    }

    /// Makes the transaction durable: it is synced to disk when this returns.
    ///
    /// - Throws: `.full` where nothing was stored (and the transaction is rolled back), `.inputOutput` where what
    ///   reached the disk is unknown, `.ambiguous` where a server's answer was lost.
    public func commit() throws(StoreError) {
        try runDeferred()
        try willCommit?()
        if let server { try server.commit() } else { try execute("COMMIT") }
        isInTransaction = false
        deferred = DeferredStatements()
    }

    /// Undoes the transaction, if one is open. Some errors have ended it already.
    public func rollback() throws(StoreError) {
        rows = [:]
        isInTransaction = false
        deferred = DeferredStatements()
        guard transactionSurvives else { return }
        try execute("ROLLBACK")
    }

    /// Runs the closure so that it has its effect whole or not at all within the open transaction.
    ///
    /// - Parameter isTrial: whether it has none even where it succeeds.
    public func savepoint<Result, Failure: Error>(
        isTrial: Bool = false,
        _ body: () throws(Failure) -> Result,
        failure: (StoreError) -> Failure
    ) throws(Failure) -> Result {
        do throws(StoreError) { try execute("SAVEPOINT part") } catch { throw failure(error) }
        deferred.beginSavepoint()
        let result: Result
        do throws(Failure) {
            result = try body()
        } catch let original {
            do throws(StoreError) { try undoSavepoint() } catch { throw failure(error) }
            throw original
        }
        do throws(StoreError) {
            if isTrial {
                try undoSavepoint()
            } else {
                deferred.endSavepoint()
                try execute("RELEASE part")
            }
        } catch {
            throw failure(error)
        }
        return result
    }

    private func undoSavepoint() throws(StoreError) {
        rows = [:]
        deferred.undoSavepoint()
        // A full disk or an I/O error may have ended the whole transaction already.
        guard transactionSurvives else { return }
        try execute("ROLLBACK TO part")
        try execute("RELEASE part")
    }

    /// How many rows were inserted, changed and deleted so far, also by what was undone.
    public var changes: Int64 {
        if let server { return server.changes }
        return unsafe sqlite3_total_changes64(database)
    }

    /// Whether the engine still holds the transaction that was begun: a full disk may end it, or the loss of a server.
    public var transactionSurvives: Bool {
        if let server { return server.isInTransaction }
        return unsafe sqlite3_get_autocommit(database) == 0
    }

    /// Whether nothing more can be done in the open transaction but to undo it, or its savepoint: with a server it is so
    /// once a statement has failed.
    public var hasFailed: Bool { server?.hasFailed ?? false }

    /// Whether the connection to the server is gone, and with it the right to write.
    public var isLost: Bool { server?.isLost ?? false }

    /// Has statements run before the transaction is committed: those that the first call with a key gives, and behind them
    /// what the last call with it wants to be the last. A savepoint that is undone takes along what was asked for within it.
    ///
    /// Where very many wait they are run, so that the closure of a further call has to do with what is there then.
    public func beforeCommit(
        once key: DeferralKey,
        last: DeferredStatement?,
        _ first: () throws(StoreError) -> [DeferredStatement]
    ) throws(StoreError) {
        guard isInTransaction else { throw .fault("\(key.table) is written outside of a transaction") }
        if deferred.replace(key, last: last) { return }
        if deferred.isFull { try runDeferred() }
        deferred.add(key, try first(), last: last)
    }

    /// Runs what waits for the commit now, for what is to be read within the transaction.
    public func runDeferred() throws(StoreError) {
        for statement in deferred.take() { try execute(statement.sql, statement.values) }
    }

    /// A row of a small table that is read again and again, as the closure reads it; kept until something is undone, or until
    /// whoever writes the table calls ``forget(_:)``.
    public func kept(
        _ table: String,
        _ id: Identifier,
        read: () throws(StoreError) -> [Value]?
    ) throws(StoreError) -> [Value]? {
        if let row = rows[table]?[id] { return row }
        guard let row = try read() else { return nil }
        if rows[table]?.count ?? 0 >= Self.mostRows { rows[table] = nil }
        rows[table, default: [:]][id] = row
        return row
    }

    /// The table is written: nothing of it is kept any longer.
    public func forget(_ table: String) { rows[table] = nil }

    /// Rows of a table that are kept at the most.
    private static let mostRows = 4096

    /// Statements that are kept at the most: those of lists differ by their filters.
    static let mostStatements = 300

    private func started(_ sql: String, _ values: [Value]) throws(StoreError) -> Statement {
        statementsRun += 1
        var statement = try prepared(sql)
        if statement.isActive { statement = try prepare(sql) }
        guard statement.parameterCount == values.count else {
            throw .fault("\(values.count) values for \(statement.parameterCount) parameters of \(sql)")
        }
        statement.isActive = true
        let code = statement.bind(values)
        guard code == SQLITE_OK else {
            statement.reset()
            throw error(code, sql)
        }
        return statement
    }

    /// The statement that is kept for a text.
    private func prepared(_ sql: String) throws(StoreError) -> Statement {
        let place = Self.place(of: sql)
        if let place, let statement = placed[place] { return statement }
        if let kept = statements[sql] { return kept }
        let statement = try prepare(sql)
        if statements.count >= Self.mostStatements {
            placed.removeAll()
            statements.removeAll()
        }
        statements[sql] = statement
        if let place { placed[place] = statement }
        return statement
    }

    /// Where the text lies, if it has a place that no other text can have while somebody holds this one.
    private static func place(of text: String) -> UInt? {
        // Up to 15 bytes lie in the value itself.
        guard text.utf8.count > 15 else { return nil }
        return unsafe text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) }
    }

    private func prepare(_ sql: String) throws(StoreError) -> Statement {
        var handle: OpaquePointer?
        let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = unsafe sqlite3_prepare_v3(database, sql, -1, flags, &handle, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else { throw error(code, sql) }
        return unsafe Statement(handle: handle)
    }

    /// What a result code means to the caller. See https://sqlite.org/rescode.html.
    func error(_ code: Int32, _ sql: String) -> StoreError {
        let message = unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "code \(code)"
        let extended = unsafe sqlite3_extended_errcode(database)
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_CONSTRAINT: return .constraint(message)
        case SQLITE_FULL: return .full
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            return .notWritable(path: path, reason: message)
        case SQLITE_CORRUPT: return .corrupt(path: path, reason: message)
        case SQLITE_NOTADB: return .notOurs(path: path, reason: message)
        case SQLITE_IOERR: return .inputOutput("\(message) (\(extended)) at \(path)")
        // sum() over integers reports what does not fit as a plain error with this text.
        case SQLITE_ERROR where message == "integer overflow": return .overflow
        default: return .fault("\(message) (\(code)) in \(sql)")
        }
    }
}
