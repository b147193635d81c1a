import Glibc
import Messages
import Testing

@testable import Store

struct StoreTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    @Test func isWriteAheadLoggedAndSyncedAtEachCommit() throws {
        let store = try scratch.store()
        let session = try store.writer()
        #expect(try session.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try session.first("PRAGMA synchronous") { $0.integer(0) } == 2)
        #expect(try session.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
    }

    @Test func keepsWhatWasCommittedOverReopening() throws {
        do {
            let session = try scratch.store().writer()
            try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        }
        let session = try scratch.store().writer()
        #expect(try session.first("SELECT name FROM item") { $0.text(0) } == "a")
    }

    @Test func refusesASecondProcess() throws {
        let first = try scratch.store()
        #expect(throws: StoreError.inUse(path: first.path)) { try scratch.store() }
    }

    /// The files that hold the locks are only files: one was deleted, or the store has another name.
    @Test func refusesASecondProcessUnderWhateverName() throws {
        let first = try scratch.store()
        try #require(unlink("\(first.path).lock") == 0)
        #expect(throws: StoreError.inUse(path: first.path)) { try scratch.store() }
        for (call, name) in [(symlink, "shop-symlink"), (link, "shop-link")] {
            let path = "\(scratch.path)/\(name).db"
            try #require(call(first.path, path) == 0)
            #expect(throws: StoreError.inUse(path: path)) {
                try Store(path: path, name: "shop", migrations: [Scratch.schema])
            }
        }
        let session = try first.writer()
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
    }

    @Test func refusesTheStoreOfAnotherService() throws {
        do { _ = try scratch.store(name: "shop") }
        #expect {
            try Store(path: "\(scratch.path)/shop.db", name: "walks", migrations: [Scratch.schema])
        } throws: {
            if case .notOurs? = $0 as? StoreError { true } else { false }
        }
    }

    @Test func refusesANewerStoreUntouched() throws {
        do { _ = try scratch.store(migrations: [Scratch.schema, Migration("CREATE TABLE later (id INTEGER)")]) }
        let path = "\(scratch.path)/shop.db"
        #expect(throws: StoreError.newer(path: path, found: 2, known: 1)) { try scratch.store() }
        _ = try scratch.store(migrations: [Scratch.schema, Migration("CREATE TABLE later (id INTEGER)")])
    }

    @Test func refusesAFileThatIsNoStore() throws {
        let path = "\(scratch.path)/shop.db"
        let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
        let text = Array(String(repeating: "not a database. ", count: 100).utf8)
        #expect(write(descriptor, text, text.count) == text.count)
        close(descriptor)
        #expect {
            try scratch.store()
        } throws: {
            if case .notOurs? = $0 as? StoreError { true } else { false }
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == text.count)
    }

    @Test func keepsACopyBeforeItMigrates() throws {
        do {
            let session = try scratch.store().writer()
            try session.execute("INSERT INTO item VALUES (x'01', 'old', 1)")
        }
        let migrations = [Scratch.schema, Migration("ALTER TABLE item ADD COLUMN note TEXT")]
        let session = try scratch.store(migrations: migrations).writer()
        #expect(try session.first("SELECT note FROM item") { $0.isNull(0) } == true)
        #expect(try names() == ["shop.db", "shop.db-shm", "shop.db-wal", "shop.db.before-2", "shop.db.lock"])
        let copy = try Store.reader(path: "\(scratch.path)/shop.db.before-2")
        #expect(try copy.first("SELECT name FROM item") { $0.text(0) } == "old")
        #expect(throws: StoreError.self) { try copy.query("SELECT note FROM item") { _ in } }
    }

    /// A copy that takes the store's place is as good as the store.
    @Test func aKeptCopyServesAsTheStore() throws {
        do {
            let session = try scratch.store().writer()
            try session.execute("INSERT INTO item VALUES (x'01', 'old', 1)")
        }
        let path = "\(scratch.path)/shop.db"
        do { _ = try scratch.store(migrations: [Scratch.schema, Migration("DROP TABLE item")]) }
        try #require(rename("\(path).before-2", path) == 0)
        let store = try scratch.store()
        let session = try store.writer()
        #expect(try session.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try session.first("SELECT name FROM item") { $0.text(0) } == "old")
        // One that somebody made in another way, too.
        try session.execute("VACUUM INTO $1", .text("\(scratch.path)/vacuumed.db"))
        let other = try Store(path: "\(scratch.path)/vacuumed.db", name: "shop", migrations: [Scratch.schema])
        #expect(try other.writer().first("PRAGMA journal_mode") { $0.text(0) } == "wal")
    }

    @Test func withoutRoomForTheCopyNothingIsMigrated() throws {
        do { _ = try scratch.store() }
        let path = "\(scratch.path)/shop.db"
        // Where the copy would be written there is a folder.
        try #require(mkdir("\(path).copy-before-2", 0o700) == 0)
        let migrations = [Scratch.schema, Migration("CREATE TABLE more (id INTEGER)")]
        #expect(throws: StoreError.self) { try scratch.store(migrations: migrations) }
        #expect(try names().allSatisfy { !$0.contains(".before-") })
        rmdir("\(path).copy-before-2")
        _ = try scratch.store()
        let session = try scratch.store(migrations: migrations).writer()
        #expect(try session.first("SELECT count(*) FROM more") { $0.integer(0) } == 0)
    }

    private func names() throws -> [String] {
        try Session.names(in: scratch.path).filter { $0 != "." && $0 != ".." }.sorted()
    }

    @Test func aFailedMigrationChangesNothing() throws {
        do { _ = try scratch.store() }
        let broken = [Scratch.schema, Migration("CREATE TABLE more (id INTEGER); CREATE TABLE item (id INTEGER);")]
        #expect(throws: StoreError.self) { try scratch.store(migrations: broken) }
        let session = try scratch.store().writer()
        #expect(try session.first("SELECT count(*) FROM sqlite_schema WHERE name = 'more'") { $0.integer(0) } == 0)
    }

    @Test func theWriteAheadLogIsCutWhenAsked() throws {
        let store = try scratch.store()
        let session = try store.writer()
        for number in 0..<500 {
            try session.execute("INSERT INTO item VALUES ($1, NULL, $2)", .id(.make()), .integer(Int64(number)))
        }
        #expect(store.walBytes > 0)
        try store.checkpoint(session)
        #expect(store.walBytes == 0)
    }

    @Test func saysWhichFolderCantBeWritten() {
        let path = "\(scratch.path)/missing/shop.db"
        #expect {
            try Store(path: path, name: "shop", migrations: [Scratch.schema])
        } throws: {
            if case .notWritable(path, _)? = $0 as? StoreError { true } else { false }
        }
    }
}
