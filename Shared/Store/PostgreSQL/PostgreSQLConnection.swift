internal import CPostgreSQL
internal import Glibc

/// A connection to a PostgreSQL server: runs the shared SQL there, one thread at a time.
///
/// Values go and come in their binary form. Statements are prepared once and kept by their text. Nothing is tried again:
/// whoever loses a connection has lost what was not committed, and opens another.
@safe final class PostgreSQLConnection {
    /// The schema that the store's tables lie in.
    let schema: String
    private let library: UnsafePointer<daybook_libpq>
    private let handle: OpaquePointer
    private let dialect: PostgreSQLDialect
    private var statements: [String: Prepared] = [:]
    private var prepared = 0
    /// The rows that were inserted, changed and deleted so far.
    private(set) var changes: Int64 = 0
    /// Of the lock that whoever writes holds: one for each schema of a database.
    private var lock: Int64 = 0

    private struct Prepared {
        var name: String
        /// Of its parameters; 0 where only NULL was bound yet.
        var types: [Oid]
    }

    /// - Parameters:
    ///   - server: libpq's connection string, `host=… dbname=…` or `postgresql://…`.
    ///   - application: what the server's administrator sees in `pg_stat_activity`.
    ///   - writes: whether it has to be a server that takes writes; of several hosts the one that does is looked for.
    /// - Throws: `.unavailable` where it can't be reached, `.notWritable` where it can't be used.
    init(_ server: String, schema: String, application: String, writes: Bool) throws(StoreError) {
        let library = unsafe try LibPQ.functions()
        self.schema = schema
        dialect = PostgreSQLDialect(schema: schema)
        // What stands behind `dbname` is stronger than what it says, and what stands before is weaker.
        let parameters: KeyValuePairs = [
            "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
            "tcp_user_timeout": "25000", "fallback_application_name": application,
            "target_session_attrs": writes ? "read-write" : "any",
            "dbname": server,
            "client_encoding": "UTF8",
        ]
        unsafe self.library = unsafe library
        unsafe handle = try unsafe Self.connect(library, parameters)
        unsafe daybook_libpq_drop_notices(library, handle)
        do throws(StoreError) {
            try prepareSession(writes: writes)
        } catch {
            unsafe library.pointee.PQfinish(handle)
            throw error
        }
    }

    deinit {
        unsafe library.pointee.PQfinish(handle)
    }

    private static func connect(
        _ library: UnsafePointer<daybook_libpq>,
        _ parameters: KeyValuePairs<String, String>
    ) throws(StoreError) -> OpaquePointer {
        let texts = unsafe parameters.map { unsafe (strdup($0.key), strdup($0.value)) }
        defer {
            for unsafe(key, value) in unsafe texts {
                unsafe free(key)
                unsafe free(value)
            }
        }
        let keys = unsafe texts.map { unsafe UnsafePointer<CChar>($0.0) } + [nil]
        let values = unsafe texts.map { unsafe UnsafePointer<CChar>($0.1) } + [nil]
        guard let handle = unsafe library.pointee.PQconnectdbParams(keys, values, 1) else {
            throw .unavailable("no memory is left")
        }
        guard unsafe library.pointee.PQstatus(handle) == CONNECTION_OK else {
            let reason = unsafe reason(library, handle)
            unsafe library.pointee.PQfinish(handle)
            throw .unavailable(reason)
        }
        return unsafe handle
    }

    private func prepareSession(writes: Bool) throws(StoreError) {
        let encoding = unsafe library.pointee.PQparameterStatus(handle, "server_encoding").map {
            unsafe String(cString: $0)
        }
        guard encoding == "UTF8" else {
            throw .notWritable(
                path: place,
                reason: "the database has the encoding \(encoding ?? "?"): make one with ENCODING 'UTF8'"
            )
        }
        try command(
            """
            SET search_path = \(PostgreSQLDialect.quoted(schema));
            SET jit = off;
            SET statement_timeout = 0;
            SET lock_timeout = 0;
            SET idle_in_transaction_session_timeout = 0;
            -- The server's own look after a client whose machine is gone: it holds the lock until then.
            SET tcp_keepalives_idle = 10;
            SET tcp_keepalives_interval = 5;
            SET tcp_keepalives_count = 3;
            """
        )
        lock = try integer("SELECT hashtextextended($1, 0)", [.text("daybook/\(schema)")])
        guard writes else { return }
        guard try text("SELECT current_setting('fsync')") == "on" else {
            throw .notWritable(path: place, reason: "the server does not sync what it commits: set fsync = on")
        }
        // `on`, or `remote_apply`: what is committed is on the disk, and on that of a synchronous standby.
        let commits = try text("SELECT current_setting('synchronous_commit')")
        if commits != "on", commits != "remote_apply" { try command("SET synchronous_commit = on") }
    }

    /// What messages call the store: never the connection string, which may have a password in it.
    var place: String { "the schema \(schema)" }

    // MARK: Statements

    /// Runs a statement of the shared SQL.
    func run(_ sql: String, _ values: [Value]) throws(StoreError) -> PostgreSQLResult {
        let arguments = PostgreSQLArguments(values)
        let statement = try statement(sql, arguments.types)
        let count = Int32(arguments.types.count)
        let handle = unsafe arguments.withPointers { values, lengths, formats in
            unsafe library.pointee.PQexecPrepared(self.handle, statement.name, count, values, lengths, formats, 1)
        }
        let result = unsafe PostgreSQLResult(library, handle)
        guard result.isSuccess else { throw error(result, sql) }
        if let type = result.foreignType { throw .fault("a column of type \(type) in \(sql): cast it") }
        changes += Int64(result.changed)
        return result
    }

    private func statement(_ sql: String, _ types: [Oid]) throws(StoreError) -> Prepared {
        if let known = statements[sql] {
            let same = known.types.count == types.count && zip(known.types, types).allSatisfy { $1 == 0 || $0 == $1 }
            if same { return known }
        }
        if statements.count >= Session.mostStatements { try forgetStatements() }
        var merged = types
        if let known = statements[sql], known.types.count == types.count {
            for (index, type) in known.types.enumerated() where merged[index] == 0 { merged[index] = type }
        }
        prepared += 1
        let statement = Prepared(name: "s\(prepared)", types: merged)
        let result = unsafe PostgreSQLResult(
            library,
            library.pointee.PQprepare(handle, statement.name, dialect.translate(sql), Int32(merged.count), merged)
        )
        guard result.isSuccess else { throw error(result, sql) }
        if let old = statements.updateValue(statement, forKey: sql) { try command("DEALLOCATE \(old.name)") }
        return statement
    }

    private func forgetStatements() throws(StoreError) {
        statements = [:]
        try command("DEALLOCATE ALL")
    }

    /// Runs a text of several statements of the shared SQL. What is prepared is forgotten: tables may be others now.
    func runScript(_ sql: String) throws(StoreError) {
        try command(dialect.translate(sql))
        try forgetStatements()
    }

    /// Runs statements of PostgreSQL's own.
    ///
    /// - Returns: what the last of them did: `COMMIT`.
    @discardableResult
    func command(_ sql: String) throws(StoreError) -> String {
        let result = unsafe PostgreSQLResult(library, library.pointee.PQexec(handle, sql))
        guard result.isSuccess else { throw error(result, sql) }
        return result.command
    }

    func integer(_ sql: String, _ values: [Value] = []) throws(StoreError) -> Int64 {
        let result = try run(sql, values)
        return result.count > 0 ? unsafe Row(handle: result.handle, place: 0).integer(0) : 0
    }

    func text(_ sql: String, _ values: [Value] = []) throws(StoreError) -> String {
        let result = try run(sql, values)
        return result.count > 0 ? unsafe Row(handle: result.handle, place: 0).text(0) : ""
    }

    // MARK: Transactions

    /// Starts a write transaction: its first statement is the lock that all who write to the store take.
    ///
    /// Under READ COMMITTED, what is read and then written could otherwise be decided by two at once.
    func begin() throws(StoreError) {
        try command("BEGIN; SELECT pg_advisory_xact_lock(\(lock))")
    }

    /// Starts a transaction that sees one state. It may write into temporary tables.
    func beginReading() throws(StoreError) {
        try command("BEGIN ISOLATION LEVEL REPEATABLE READ")
    }

    /// - Throws: `.ambiguous` where the server did not say whether it is committed.
    func commit() throws(StoreError) {
        let result = unsafe PostgreSQLResult(library, library.pointee.PQexec(handle, "COMMIT"))
        guard result.isSuccess else {
            let known = error(result, "COMMIT")
            guard isLost else { throw known }
            throw .ambiguous("the server's answer to COMMIT was lost: \(reason)")
        }
        // A transaction in which something failed is rolled back by its COMMIT, and that is no error.
        guard result.command == "COMMIT" else { throw .fault("COMMIT ended in \(result.command)") }
    }

    /// Whether a transaction is open, also one in which a statement failed.
    var isInTransaction: Bool {
        let status = unsafe library.pointee.PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
    }

    /// Whether a statement of the open transaction failed: nothing more can be done in it, but to undo it.
    var hasFailed: Bool { unsafe library.pointee.PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// Whether the connection is gone.
    var isLost: Bool { unsafe library.pointee.PQstatus(handle) != CONNECTION_OK }

    /// Has no other connection write to the store as long as this one is there.
    ///
    /// - Returns: false where another one holds the lock.
    func keepOthersOut() throws(StoreError) -> Bool {
        // The server may not have noticed yet that the one before is gone.
        for attempt in 0..<50 {
            if attempt > 0 { usleep(10_000) }
            if try integer("SELECT CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END", [.integer(lock)]) == 1 {
                return true
            }
        }
        return false
    }

    // MARK: Errors

    private var reason: String { unsafe Self.reason(library, handle) }

    private static func reason(_ library: UnsafePointer<daybook_libpq>, _ handle: OpaquePointer) -> String {
        let text = unsafe library.pointee.PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == "\t" || $0 == " " } }
        return lines.isEmpty ? "the connection was lost" : lines.joined(separator: "; ")
    }

    /// What a failure means to the caller, by its SQLSTATE.
    private func error(_ result: borrowing PostgreSQLResult, _ sql: String) -> StoreError {
        if isLost { return .unavailable(reason) }
        let (code, message) = result.failure
        switch code {
        case _ where code.hasPrefix("23"): return .constraint(message)
        case "22003": return .overflow
        case "53100": return .full
        case "25006", "42501": return .notWritable(path: place, reason: message)
        case "40001", "40P01", "55P03": return .busy
        case "58030": return .inputOutput("\(message) in \(place)")
        case _ where code.hasPrefix("XX") && code != "XX000": return .corrupt(path: place, reason: message)
        case _ where code.hasPrefix("53") || code.hasPrefix("57"): return .unavailable(message)
        default: return .fault("\(message) (\(code)) in \(sql)")
        }
    }
}
