internal import CSQLite
internal import Failpoints
internal import Glibc

/// One change of the schema, in the order in which they were released.
public struct Migration: Sendable {
    /// SQL of several statements. Runs once, in a transaction.
    public let script: String

    public init(_ script: String) {
        self.script = script
    }
}

/// A store in one SQLite file: WAL, synced at each commit.
///
/// Beside `<path>` lie SQLite's `-wal` and `-shm`, and `<path>.lock`. The process that has the store open keeps that and the
/// store itself locked: a second one is refused.
public final class Store {
    /// In the file's header: tells a store of this project from any other SQLite file.
    static let applicationID = 0x4461_7962
    /// How long a connection waits for another's lock, in milliseconds.
    private static let patience: Int32 = 5000

    public let path: String
    /// nil in memory.
    private let lock: StoreLock?
    /// The one connection to a store in memory.
    let memory: Session?
    /// The one connection that may write to a store on a server: it holds the lock that keeps others out.
    private let served: Session?
    /// For readers.
    public let location: StoreLocation
    var isMemoryRestored = false

    /// Opens the store, makes it where there is none, and brings its schema up to date.
    ///
    /// Before an older schema is changed a copy is kept as `<path>.before-<new version>`: whole, or not there.
    ///
    /// - Parameter name: the service's name; a store of another service is refused.
    /// - Throws: `StoreError`, with nothing changed.
    public init(path: String, name: String, migrations: [Migration]) throws(StoreError) {
        self.path = path
        location = .file(path)
        memory = nil
        served = nil
        var lock = try StoreLock(path)
        let session = try Store.open(path, readOnly: false)
        try lock.lockFile()
        self.lock = consume lock
        try Store.migrate(session, path: path, name: name, migrations: migrations)
    }

    /// Makes a store in memory, which goes with the value. It has one connection, and survives whoever uses that: for
    /// simulations of a process that ends and starts again.
    ///
    /// - Throws: as the other one.
    public init(inMemoryNamed name: String, migrations: [Migration]) throws(StoreError) {
        path = ":memory:"
        location = .file(path)
        lock = nil
        served = nil
        let session = try Store.open(path, readOnly: false)
        memory = session
        try Store.migrate(session, path: path, name: name, migrations: migrations)
        try session.executeScript("PRAGMA foreign_keys = ON")
    }

    /// Opens a store on a PostgreSQL server, makes it where there is none, and brings its schema up to date: all in one
    /// transaction, without a copy before.
    ///
    /// It lies in the schema of the service's name. Whoever has it open keeps others from opening it, for as long as its
    /// connection lasts.
    ///
    /// - Parameters:
    ///   - server: libpq's connection string.
    ///   - path: beside which its files lie that are not on the server.
    /// - Throws: `StoreError`, with nothing changed.
    public init(
        onServer server: String,
        filesBeside path: String,
        name: String,
        migrations: [Migration]
    ) throws(StoreError) {
        self.path = path
        location = .server(server, schema: name, filesBeside: path)
        memory = nil
        lock = nil
        let connection = try PostgreSQLConnection(server, schema: name, application: "daybook-\(name)", writes: true)
        guard try connection.keepOthersOut() else { throw .inUse(path: connection.place) }
        let session = Session(path: path, server: connection)
        try Store.migrate(session, connection, name: name, migrations: migrations)
        served = session
    }

    /// Whether no file belongs to it.
    public var isInMemory: Bool { memory != nil }

    /// A connection that may write. One is enough for a service. In memory and on a server it is the store's own, an open
    /// transaction rolled back.
    public func writer() throws(StoreError) -> Session {
        if let session = memory ?? served {
            try session.rollback()
            return session
        }
        let session = try Store.open(path, readOnly: false)
        try session.executeScript(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA wal_autocheckpoint = 4000;
            -- As long as those pages are: a log that was cut grows anew with each commit, which costs more than writing
            -- over what is there.
            PRAGMA journal_size_limit = 17000000;
            """
        )
        return session
    }

    /// A connection to an open store that only reads, for another thread.
    public static func reader(path: String) throws(StoreError) -> Session {
        try open(path, readOnly: true)
    }

    /// The store's files together, in bytes.
    public var bytes: Int64 {
        ["", "-wal", "-shm"].reduce(0) { $0 + Store.fileSize(path + $1) }
    }

    /// The write-ahead log's length in bytes.
    public var walBytes: Int64 {
        Store.fileSize(path + "-wal")
    }

    /// Moves the write-ahead log into the file and cuts it, as far as readers allow; for quiet moments.
    public func checkpoint(_ session: Session) throws(StoreError) {
        try session.query("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }

    /// Rewrites the file, so that nothing is left in it of what was deleted or overwritten; complete once `cut` is.
    ///
    /// `PRAGMA secure_delete`, which Debian's SQLite has on, is not enough: a page that was split keeps in its gap what
    /// moved to its neighbour (of 18,000 rows erased under it, 380 were still found in the file). Takes about a second
    /// for each 100 MB, and as much space again in the write-ahead log and in SQLite's folder for temporary files.
    ///
    /// - Throws: `.full`, with nothing changed.
    public func rewrite(_ session: Session) throws(StoreError) {
        try session.executeScript("PRAGMA temp_store = FILE")
        do {
            try session.executeScript("VACUUM")
        } catch {
            try session.executeScript("PRAGMA temp_store = MEMORY")
            throw error
        }
        try session.executeScript("PRAGMA temp_store = MEMORY")
    }

    /// Moves the whole write-ahead log into the file and cuts it to nothing, if no reader needs it any longer. Does not
    /// wait.
    ///
    /// - Returns: Whether it is done.
    public func cut(_ session: Session) throws(StoreError) -> Bool {
        try session.executeScript("PRAGMA busy_timeout = 0")
        let result = Result { () throws(StoreError) in
            try session.first("PRAGMA wal_checkpoint(TRUNCATE)") { !$0.boolean(0) } ?? false
        }
        try session.executeScript("PRAGMA busy_timeout = \(Store.patience)")
        return try result.get()
    }

    /// Whether `<path>.restored` lies beside the file: whoever puts a store back from a copy makes it, so that the
    /// service tells everyone that its log is not the one that they knew.
    public var isMarkedAsRestored: Bool {
        if memory != nil { return isMemoryRestored }
        return unsafe access(path + ".restored", F_OK) == 0
    }

    /// Takes the mark away, once it was heeded.
    public func removeRestoreMark() {
        isMemoryRestored = false
        guard memory == nil else { return }
        unsafe unlink(path + ".restored")
    }

    private static func fileSize(_ path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// What the system says, with the own user: "permission denied" alone does not help.
    static func systemReason(_ path: String) -> String {
        let reason = unsafe String(cString: strerror(errno))
        return "\(reason.lowercased()) for user \(geteuid()); check the owner and mode of its folder"
    }

    /// What holds for all connections, set before the first.
    private static let isConfigured = daybook_sqlite_count_no_memory() == SQLITE_OK

    /// - Parameter isAtRest: whether nobody writes to it: then it is read without locks, and no file is made beside it.
    static func open(_ path: String, readOnly: Bool, isAtRest: Bool = false) throws(StoreError) -> Session {
        // Where something else in the process has opened SQLite before, it counts on: slower, and nothing else.
        _ = isConfigured
        // SQLite opens at once, but looks at the file only later, and says less.
        if unsafe access(path, F_OK) == 0, unsafe access(path, readOnly ? R_OK : R_OK | W_OK) != 0 {
            throw .notWritable(path: path, reason: systemReason(path))
        }
        var database: OpaquePointer?
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let flags = mode | SQLITE_OPEN_NOMUTEX | (isAtRest ? SQLITE_OPEN_URI : 0)
        errno = 0
        let code = unsafe sqlite3_open_v2(isAtRest ? uri(ofFileAtRest: path) : path, &database, flags, nil)
        guard code == SQLITE_OK, let database = unsafe database else {
            unsafe sqlite3_close_v2(database)
            throw .notWritable(path: path, reason: systemReason(path))
        }
        let session = unsafe Session(path: path, database: database)
        unsafe sqlite3_busy_timeout(database, patience)
        unsafe sqlite3_extended_result_codes(database, 1)
        try session.executeScript(
            """
            PRAGMA trusted_schema = OFF;
            PRAGMA cache_size = -16384;
            PRAGMA temp_store = MEMORY;
            """
        )
        return session
    }

    /// https://sqlite.org/uri.html
    private static func uri(ofFileAtRest path: String) -> String {
        let reserved: [(String, String)] = [("%", "%25"), ("?", "%3f"), ("#", "%23")]
        let escaped = reserved.reduce(path) { $0.replacing($1.0, with: $1.1) }
        // A path that begins with two slashes would name a host.
        return "file:\(escaped.hasPrefix("/") ? "//" : "")\(escaped)?immutable=1"
    }

    private static func migrate(
        _ session: Session,
        path: String,
        name: String,
        migrations: [Migration]
    ) throws(StoreError) {
        let version = try schema(of: session)
        guard version <= migrations.count else {
            throw .newer(path: path, found: version, known: migrations.count)
        }
        if version > 0 { try checkOwner(of: session, name: name) }
        // Persistent, and not to be changed inside a transaction. A store that was put back may have another mode.
        try session.executeScript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        guard version < migrations.count else { return }
        if version > 0 {
            try session.keepCopy(before: migrations.count)
            failpoint("migrate.copied")
        }
        try session.begin()
        do {
            for migration in migrations[version...] {
                try session.executeScript(migration.script)
                failpoint("migrate.between")
            }
            if version == 0 {
                try session.execute("INSERT INTO meta (key, value) VALUES ('service', $1)", .text(name))
            }
            try session.executeScript(
                "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count);"
            )
            try session.commit()
            failpoint("migrate.after")
        } catch {
            try session.rollback()
            throw error
        }
    }

    /// The version of a store's schema; 0 for an empty file.
    ///
    /// - Throws: `.notOurs` for everything else, and what reading throws.
    static func schema(of session: Session) throws(StoreError) -> Int {
        let application = try integer(session, "PRAGMA application_id")
        let tables = try integer(session, "SELECT count(*) FROM sqlite_schema")
        guard application == applicationID || application == 0 && tables == 0 else {
            throw .notOurs(path: session.path, reason: "application id \(application), expected \(applicationID)")
        }
        return try integer(session, "PRAGMA user_version")
    }

    /// - Throws: `.notOurs` for the store of another service, and what reading throws.
    static func checkOwner(of session: Session, name: String) throws(StoreError) {
        let owner = try session.first("SELECT value FROM meta WHERE key = 'service'") { $0.text(0) }
        guard owner == name else {
            throw .notOurs(path: session.path, reason: "it belongs to the service \(owner ?? "?"), not to \(name)")
        }
    }

    private static func integer(_ session: Session, _ sql: String) throws(StoreError) -> Int {
        try session.first(sql) { Int($0.integer(0)) } ?? 0
    }
}
