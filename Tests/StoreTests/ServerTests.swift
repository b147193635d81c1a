import Glibc
import Messages
import Support
import Testing

@testable import Store

/// What is a server's alone: the lock, what is lost with a connection, who may open what.
@Suite(.onServers)
struct ServerTests {
    private let later = Migration("ALTER TABLE item ADD COLUMN later TEXT")

    @Test func keepsWhatWasCommittedOverReopening() async throws {
        let place = try await Place(.postgreSQL)
        do { try place.store().writer().execute("INSERT INTO item VALUES (x'01', 'a', 1)") }
        let session = try place.store().writer()
        #expect(try session.first("SELECT name FROM item") { $0.text(0) } == "a")
    }

    @Test func refusesASecondWriter() async throws {
        let place = try await Place(.postgreSQL)
        let first = try place.store()
        #expect(throws: StoreError.inUse(path: "the schema shop")) { try place.store() }
        _ = try place.store(name: "walks")
        try first.writer().execute("INSERT INTO item VALUES (x'01', 'a', 1)")
    }

    @Test func migratesOnceAndRefusesANewerStore() async throws {
        let place = try await Place(.postgreSQL)
        do { try place.store().writer().execute("INSERT INTO item VALUES (x'01', 'a', 1)") }
        do {
            let session = try place.store(migrations: [Scratch.schema, later]).writer()
            #expect(
                try session.first("SELECT name, later FROM item") { ($0.text(0), $0.isNull(1)) } ?? ("", false) == (
                    "a", true
                )
            )
        }
        #expect(throws: StoreError.newer(path: "the schema shop", found: 2, known: 1)) { try place.store() }
        _ = try place.store(migrations: [Scratch.schema, later])
    }

    @Test func aFailedMigrationChangesNothing() async throws {
        let place = try await Place(.postgreSQL)
        do { _ = try place.store() }
        let broken = [Scratch.schema, Migration("CREATE TABLE more (id INTEGER); CREATE TABLE item (id INTEGER);")]
        #expect(throws: StoreError.self) { try place.store(migrations: broken) }
        let session = try place.store().writer()
        #expect(throws: StoreError.self) { try session.query("SELECT count(*) FROM more") { _ in } }
        #expect(try session.first("SELECT count(*) FROM item") { $0.integer(0) } == 0)
    }

    @Test func refusesWhatIsNotThisServices() async throws {
        let place = try await Place(.postgreSQL)
        let server = try #require(place.server)
        do {
            let other = try PostgreSQLConnection(server, schema: "shop", application: "test", writes: true)
            try other.command("CREATE SCHEMA shop; CREATE TABLE shop.theirs (id INTEGER)")
        }
        #expect(throws: StoreError.notOurs(path: "the schema shop", reason: "it has tables, and no store's among them"))
        {
            try place.store()
        }
    }

    @Test func saysWhyAServerCantBeReached() {
        #expect {
            try Store(
                onServer: "host=/tmp/daybook-nowhere dbname=x password=secret",
                filesBeside: "/tmp/x.db",
                name: "shop",
                migrations: []
            )
        } throws: { error in
            guard case .unavailable(let reason)? = error as? StoreError else { return false }
            return reason.contains("/tmp/daybook-nowhere") && !reason.contains("secret")
        }
    }

    /// Nobody is told that something is stored when all that is known is that it was asked for.
    @Test(arguments: [false, true])
    func aCommitWhoseAnswerIsLostIsAmbiguous(isCommitted: Bool) async throws {
        let place = try await Place(.postgreSQL)
        let running = try await PostgreSQLServer.shared.value
        let scratch = try Scratch()
        let relay = try StreamRelay(
            at: "\(scratch.path)/.s.PGSQL.5432",
            before: "\(running.socketFolder)/.s.PGSQL.5432"
        )
        let server = "host=\(scratch.path) user=daybook dbname=\(place.database)"
        // At the commit a trigger waits for a lock that the test holds.
        let slow = """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION wait();
            """
        let other = try PostgreSQLConnection(
            running.database(place.database),
            schema: "shop",
            application: "test",
            writes: true
        )
        let store = try Store(
            onServer: server,
            filesBeside: "\(scratch.path)/x.db",
            name: "shop",
            migrations: [Scratch.schema]
        )
        let session = try store.writer()
        try other.command("\(slow); SELECT pg_advisory_lock(7)")
        try session.begin()
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        let database = running.database(place.database)
        // A thread, because this one waits.
        DedicatedThread.start {
            do {
                let watching = try PostgreSQLConnection(database, schema: "shop", application: "test", writes: true)
                let waiting = """
                    SELECT pid::bigint FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
                    """
                var process: Int64 = 0
                while process == 0 {
                    process = try watching.integer(waiting)
                    usleep(5000)
                }
                if !isCommitted { try watching.command("SELECT pg_terminate_backend(\(process))") }
            } catch {
                Issue.record(error)
            }
            relay.cut()
        }
        #expect {
            try session.commit()
        } throws: {
            if case .ambiguous? = $0 as? StoreError { true } else { false }
        }
        #expect(session.isLost && !session.transactionSurvives)
        try other.command("SELECT pg_advisory_unlock(7)")
        await relay.stop()
        // Whoever opens the store anew finds out: it is whole, or not there.
        let again = try place.store().writer()
        let count = try again.first("SELECT count(*) FROM item") { $0.integer(0) }
        #expect(count == (isCommitted ? 1 : 0))
    }

    @Test func anEndedConnectionSaysSoAndTakesTheTransactionAlong() async throws {
        let place = try await Place(.postgreSQL)
        let store = try place.store()
        let session = try store.writer()
        try session.begin()
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        let other = try PostgreSQLConnection(place.server ?? "", schema: "shop", application: "test", writes: true)
        try other.command(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'daybook-shop' "
                + "AND datname = current_database()"
        )
        #expect {
            try session.execute("INSERT INTO item VALUES (x'02', 'b', 1)")
        } throws: {
            if case .unavailable? = $0 as? StoreError { true } else { false }
        }
        #expect(session.isLost && !session.transactionSurvives)
        try session.rollback()
        let again = try place.store().writer()
        #expect(try again.first("SELECT count(*) FROM item") { $0.integer(0) } == 0)
    }

    /// A statement that failed has ended the transaction for all but its undoing, and its commit is no commit.
    @Test func aTransactionInWhichSomethingFailedIsNotCommitted() async throws {
        let place = try await Place(.postgreSQL)
        let session = try place.store().writer()
        try session.begin()
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        #expect(throws: StoreError.self) { try session.execute("INSERT INTO item VALUES (x'01', 'b', 1)") }
        #expect(session.hasFailed && session.transactionSurvives)
        #expect(throws: StoreError.self) { try session.commit() }
        try session.rollback()
        #expect(try session.first("SELECT count(*) FROM item") { $0.integer(0) } == 0)
    }
}

struct PostgreSQLDialectTests {
    @Test(arguments: [
        (
            "CREATE TABLE t (id BLOB PRIMARY KEY, n INTEGER) STRICT, WITHOUT ROWID",
            "CREATE TABLE t (id BYTEA PRIMARY KEY, n BIGINT)"
        ),
        (
            "CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT; SELECT 1",
            "CREATE TABLE t (n BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY); SELECT 1"
        ),
        (
            "CREATE TABLE t (\"INTEGER\" TEXT DEFAULT 'INTEGER; TEXT') -- BLOB",
            "CREATE TABLE t (\"INTEGER\" TEXT COLLATE \"C\" DEFAULT 'INTEGER; TEXT')"
        ),
        ("ALTER TABLE t ADD COLUMN b BLOB", "ALTER TABLE t ADD COLUMN b BYTEA"),
        (
            "SELECT cast(n AS TEXT), x'00ff', 'x''1' FROM main.t JOIN temp.\"u\"",
            "SELECT cast(n AS TEXT), '\\x00ff'::bytea, 'x''1' FROM \"shop\".t JOIN pg_temp.\"u\""
        ),
        ("SELECT coalesce(n, -9223372036854775808)", "SELECT coalesce(n, '-9223372036854775808'::bigint)"),
        ("CREATE INDEX temp.\"a\" ON \"t\" (b DESC)", "CREATE INDEX \"a\" ON pg_temp.\"t\" (b DESC)"),
        ("CREATE INDEX a ON t (b)", "CREATE INDEX a ON t (b)"),
        (
            "CREATE VIRTUAL TABLE temp.\"t_search\" USING fts5(searched, content=\"t\", detail=none)",
            "CREATE INDEX \"t_search\" ON pg_temp.\"t\" USING gin (array_to_tsvector(string_to_array(searched, ' ')))"
        ),
    ])
    func saysTheSameInPostgreSQLsWords(_ shared: String, _ other: String) {
        #expect(PostgreSQLDialect(schema: "shop").translate(shared) == other)
    }

    @Test func tokensAreTheWholeText() {
        let sql = "SELECT \"a\"\"b\", 'it''s', x'0A', $1, 12.5, a.b -- end\n FROM t; -- é\n"
        #expect(SQLToken.tokens(of: sql).map(\.text).joined() == sql)
    }
}
