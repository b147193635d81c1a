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
/// Beside `<path>` lie SQLite's `-wal` and `-shm`, and `<path>.lock`, which the process that has the store open
/// keeps locked: a second one is refused.
public final class Store {
    /// In the file's header: tells a store of this project from any other SQLite file.
    static let applicationID = 0x4461_7962
    /// How long a connection waits for another's lock, in milliseconds.
    private static let patience: Int32 = 5000

    public let path: String
    /// nil in memory.
    private let lock: Int32?
    /// The one connection to a store in memory.
    let memory: Session?
    var isMemoryRestored = false

    /// Opens the store, makes it where there is none, and brings its schema up to date.
    ///
    /// Before an older schema is changed a copy is kept as `<path>.before-<new version>`.
    ///
    /// - Parameter name: the service's name; a store of another service is refused.
    /// - Throws: `StoreError`, with nothing changed.
    public init(path: String, name: String, migrations: [Migration]) throws(StoreError) {
        self.path = path
        memory = nil
        let lock = try Store.acquireLock(path)
        self.lock = lock
        do {
            let session = try Store.open(path, readOnly: false)
            try Store.migrate(session, path: path, name: name, migrations: migrations)
        } catch {
            close(lock)
            throw error
        }
    }

    /// Makes a store in memory, which goes with the value. It has one connection, and survives whoever uses that: for
    /// simulations of a process that ends and starts again.
    ///
    /// - Throws: as the other one.
    public init(inMemoryNamed name: String, migrations: [Migration]) throws(StoreError) {
        path = ":memory:"
        lock = nil
        let session = try Store.open(path, readOnly: false)
        memory = session
        try Store.migrate(session, path: path, name: name, migrations: migrations)
        try session.executeScript("PRAGMA foreign_keys = ON")
    }

    deinit {
        if let lock { close(lock) }
    }

    /// Whether no file belongs to it.
    public var isInMemory: Bool { memory != nil }

    /// A connection that may write. One is enough for a service. In memory it is the store's own, an open transaction rolled
    /// back.
    public func writer() throws(StoreError) -> Session {
        if let memory {
            try memory.rollback()
            return memory
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

    private static func acquireLock(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = unsafe Glibc.open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .notWritable(path: path, reason: systemReason(path)) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse(path: path)
        }
        return descriptor
    }

    /// What the system says, with the own user: "permission denied" alone does not help.
    private static func systemReason(_ path: String) -> String {
        let reason = unsafe String(cString: strerror(errno))
        return "\(reason.lowercased()) for user \(geteuid()); check the owner and mode of its folder"
    }

    /// What holds for all connections, set before the first.
    private static let isConfigured = daybook_sqlite_count_no_memory() == SQLITE_OK

    static func open(_ path: String, readOnly: Bool) throws(StoreError) -> Session {
        // Where something else in the process has opened SQLite before, it counts on: slower, and nothing else.
        _ = isConfigured
        // SQLite opens at once, but looks at the file only later, and says less.
        if unsafe access(path, F_OK) == 0, unsafe access(path, readOnly ? R_OK : R_OK | W_OK) != 0 {
            throw .notWritable(path: path, reason: systemReason(path))
        }
        var database: OpaquePointer?
        let mode = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        errno = 0
        let code = unsafe sqlite3_open_v2(path, &database, mode | SQLITE_OPEN_NOMUTEX, nil)
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

    private static func migrate(
        _ session: Session,
        path: String,
        name: String,
        migrations: [Migration]
    ) throws(StoreError) {
        let application = try integer(session, "PRAGMA application_id")
        let version = try integer(session, "PRAGMA user_version")
        let tables = try integer(session, "SELECT count(*) FROM sqlite_schema")
        if application != applicationID && (application != 0 || tables != 0) {
            throw .notOurs(path: path, reason: "application id \(application), expected \(applicationID)")
        }
        guard version <= migrations.count else {
            throw .newer(path: path, found: version, known: migrations.count)
        }
        if application == applicationID {
            let owner = try session.first("SELECT value FROM meta WHERE key = 'service'") { $0.text(0) }
            guard owner == name else {
                throw .notOurs(path: path, reason: "it belongs to the service \(owner ?? "?"), not to \(name)")
            }
        }
        guard version < migrations.count else { return }
        if version > 0 {
            let copy = "\(path).before-\(migrations.count)"
            unsafe unlink(copy)
            try session.execute("VACUUM INTO $1", .text(copy))
            // SQLite leaves that to whoever wants the copy to outlive a power cut.
            try sync(copy)
            failpoint("migrate.copied")
        }
        // Persistent, and not to be changed inside a transaction.
        try session.executeScript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
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

    /// Has a new file on the disk, with its name.
    private static func sync(_ path: String) throws(StoreError) {
        for (path, flags) in [(path, O_RDWR), (Session.parted(path).folder, O_RDONLY | O_DIRECTORY)] {
            let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC)
            defer { close(descriptor) }
            guard descriptor >= 0, fsync(descriptor) == 0 else {
                throw .inputOutput("\(path) can't be synced: \(unsafe String(cString: strerror(errno)).lowercased())")
            }
        }
    }

    private static func integer(_ session: Session, _ sql: String) throws(StoreError) -> Int {
        try session.first(sql) { Int($0.integer(0)) } ?? 0
    }
}
