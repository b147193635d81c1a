import Messages
import Support
import Synchronization
import Testing

@testable import Store

/// What a session does, on whatever engine.
struct SessionTests {
    private func names(_ session: Session) throws -> [String] {
        var names: [String] = []
        try session.query("SELECT name FROM item ORDER BY name") { names.append($0.text(0)) }
        return names
    }

    @Test(arguments: Engine.available)
    func bindsEveryKindOfValueAndReadsItBack(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        let id = Identifier.make()
        try session.execute("INSERT INTO item VALUES ($1, $2, $3)", .id(id), .text("Wäsche"), .integer(.min))
        let row = try session.first("SELECT id, name, amount, NULL, x'', '' FROM item") { row in
            (row.id(0), row.text(1), row.integer(2), row.isNull(3), row.blob(4), row.optionalText(5))
        }
        let found = try #require(row)
        #expect(found == (id, "Wäsche", Int64.min, true, [], ""))
        let values = try session.first("SELECT id, name, amount, NULL FROM item") { row in
            (0..<4).map { row.value($0) }
        }
        #expect(values == [.blob(id.bytes), .text("Wäsche"), .integer(.min), .null])
    }

    @Test(arguments: Engine.available)
    func numbersOfEveryMagnitudeComeBack(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        for number: Int64 in [.min, .min + 1, -65536, -256, -255, -1, 0, 1, 127, 128, 255, 256, 1 << 32, .max] {
            #expect(try session.first("SELECT $1", .integer(number)) { $0.integer(0) } == number)
            try session.execute("INSERT INTO item VALUES (x'01', 'n', $1)", .integer(number))
            #expect(try session.first("SELECT amount FROM item") { $0.integer(0) } == number)
            try session.execute("DELETE FROM item")
        }
        // Literals are of smaller types to one of them, and conditions of another one still.
        let found = try session.first("SELECT 7, -7, 2 > 1, count(*), -9223372036854775808 FROM item") { row in
            (0..<5).map { row.integer($0) }
        }
        #expect(found == [7, -7, 1, 0, .min])
    }

    @Test(arguments: Engine.available)
    func emptyTextAndBytesAreNotNull(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        try session.execute("INSERT INTO item VALUES ($1, $2, NULL)", .blob([]), .text(""))
        let found = try session.first("SELECT id IS NULL, name IS NULL FROM item") { ($0.boolean(0), $0.boolean(1)) }
        #expect(try #require(found) == (false, false))
    }

    @Test(arguments: Engine.available)
    func nullIsOfWhateverTypeItStandsFor(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        let sql = "INSERT INTO item VALUES ($1, $2, $3)"
        try session.execute(sql, .blob([1]), .null, .null)
        try session.execute(sql, .blob([2]), .text("b"), .null)
        try session.execute(sql, .blob([3]), .null, .integer(3))
        try session.execute(sql, .blob([4]), .text("d"), .integer(4))
        let same = "SELECT count(*) FROM item WHERE name IS NOT DISTINCT FROM $1"
        #expect(try session.first(same, .null) { $0.integer(0) } == 2)
        #expect(try session.first(same, .text("b")) { $0.integer(0) } == 1)
    }

    @Test(arguments: Engine.available)
    func parametersGoByNumberNotByPlace(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        let found = try session.first("SELECT $2 - $1, $2", .integer(1), .integer(10)) {
            ($0.integer(0), $0.integer(1))
        }
        #expect(try #require(found) == (9, 10))
    }

    @Test(arguments: Engine.available)
    func refusesAWrongNumberOfValues(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        #expect(throws: StoreError.self) { try session.execute("DELETE FROM item WHERE name = $1") }
    }

    @Test(arguments: Engine.available)
    func ordersTextsAndBytesByTheirBytes(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        for (number, name) in ["b", "B", "ä", "a", "", "a b", "ab", "-a", "é", "日"].enumerated() {
            try session.execute("INSERT INTO item VALUES ($1, $2, 0)", .blob([UInt8(9 - number), 0xFF]), .text(name))
        }
        #expect(try names(session) == ["", "-a", "B", "a", "a b", "ab", "b", "ä", "é", "日"])
        var ids: [[UInt8]] = []
        try session.query("SELECT id FROM item WHERE id > $1 ORDER BY id", .blob([5])) { ids.append($0.blob(0)) }
        #expect(ids == (5...9).map { [$0, 0xFF] })
    }

    @Test(arguments: Engine.available)
    func writesWhatIsThereAlreadyAnew(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        let sql = """
            INSERT INTO item (id, name, amount) VALUES ($1, $2, $3)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, amount = excluded.amount
            """
        #expect(try session.execute(sql, .blob([1]), .text("a"), .integer(1)) == 1)
        #expect(try session.execute(sql, .blob([1]), .text("b"), .integer(2)) == 1)
        #expect(try session.execute("INSERT INTO item VALUES (x'01', 'c', 3) ON CONFLICT DO NOTHING") == 0)
        #expect(try session.execute("UPDATE item SET amount = 5 WHERE amount > 9") == 0)
        #expect(try names(session) == ["b"])
        #expect(session.changes >= 2)
    }

    @Test(arguments: Engine.available)
    func aFailedSavepointLeavesNothingAndTheRestStays(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        try session.begin()
        try session.execute("INSERT INTO item VALUES (x'01', 'kept', 1)")
        #expect(throws: StoreError.self) {
            try session.savepoint(
                { () throws(StoreError) in
                    try session.execute("INSERT INTO item VALUES (x'02', 'dropped', 1)")
                    try session.execute("INSERT INTO item VALUES (x'03', 'kept', 1)")
                },
                failure: { $0 }
            )
        }
        #expect(!session.hasFailed && session.transactionSurvives)
        try session.commit()
        #expect(try names(session) == ["kept"])
    }

    @Test(arguments: Engine.available)
    func whatIsUndoneLeavesNothing(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        try session.begin()
        try session.execute("INSERT INTO item VALUES (x'01', 'dropped', 1)")
        try session.rollback()
        #expect(!session.transactionSurvives)
        #expect(try names(session) == [])
        try session.rollback()
    }

    @Test(arguments: Engine.available)
    func namesAConstraint(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        #expect {
            try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
            try session.execute("INSERT INTO item VALUES (x'02', 'a', 1)")
        } throws: { error in
            if case .constraint? = error as? StoreError { true } else { false }
        }
        #expect(try names(session) == ["a"])
    }

    @Test(arguments: Engine.available)
    func sumsThatAreTooLargeAreSaid(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        for id in ["01", "02"] {
            try session.execute("INSERT INTO item VALUES (x'\(id)', '\(id)', \(Int64.max))")
        }
        #expect(throws: StoreError.overflow) {
            try session.query("SELECT cast(sum(amount) AS BIGINT) FROM item") { _ in }
        }
    }

    @Test(arguments: Engine.available)
    func aQueryInsideItselfHasItsOwnStatement(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        for number in 1...3 {
            try session.execute(
                "INSERT INTO item VALUES ($1, NULL, $2)",
                .blob([UInt8(number)]),
                .integer(Int64(number))
            )
        }
        var pairs = 0
        let sql = "SELECT amount FROM item"
        try session.query(sql) { (_) throws(StoreError) in try session.query(sql) { _ in pairs += 1 } }
        #expect(pairs == 9)
    }

    /// Each list with a filter of its own is a statement: not all are kept for good.
    @Test(arguments: Engine.available)
    func manyDifferentStatementsAreServed(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let session = try place.store().writer()
        for number in 0..<1000 {
            let sql = "SELECT \(number) + $1"
            #expect(try session.first(sql, .integer(1)) { $0.integer(0) } == Int64(number) + 1)
            #expect(try session.first("SELECT 2 + $1 -- a longer text", .integer(1)) { $0.integer(0) } == 3)
        }
    }

    @Test(arguments: Engine.available)
    func readersSeeOneStateThroughout(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let store = try place.store()
        let session = try store.writer()
        let reader = try store.location.reader()
        try reader.beginReading()
        let sql = "SELECT count(*) FROM item"
        #expect(try reader.first(sql) { $0.integer(0) } == 0)
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        #expect(try reader.first(sql) { $0.integer(0) } == 0)
        try reader.rollback()
        #expect(try reader.first(sql) { $0.integer(0) } == 1)
    }

    @Test(arguments: Engine.available)
    func temporaryTablesHideTheOthersFromTheirSessionAlone(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let store = try place.store()
        let session = try store.writer()
        try session.execute("INSERT INTO item VALUES (x'01', 'now', 1)")
        let reader = try store.location.reader()
        for name in ["then", "once more"] {
            try reader.beginReading()
            try reader.executeScript(
                """
                DROP TABLE IF EXISTS temp."item";
                CREATE TABLE temp."item" (id BLOB PRIMARY KEY, name TEXT, amount INTEGER) STRICT, WITHOUT ROWID;
                CREATE INDEX temp."item_name" ON "item" (name);
                """
            )
            try reader.execute("INSERT INTO item VALUES (x'02', $1, 2)", .text(name))
            try reader.commit()
            #expect(try names(reader) == [name])
            let both =
                "SELECT name, amount FROM main.\"item\" UNION ALL SELECT name, amount FROM temp.\"item\" ORDER BY 2"
            var found: [String] = []
            try reader.query(both) { found.append($0.text(0)) }
            #expect(found == ["now", name])
        }
        #expect(try names(session) == ["now"])
    }

    /// The full-text index of a table is made by the same script; how it is asked is the engine's own.
    @Test(arguments: Engine.available)
    func indexesOfWordsAreMade(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let script = """
            CREATE TABLE "text" (search_id INTEGER PRIMARY KEY, searched TEXT NOT NULL, id BLOB NOT NULL UNIQUE) STRICT;
            CREATE VIRTUAL TABLE "text_search" USING fts5(
                searched, content="text", content_rowid="search_id", tokenize="ascii", detail=none, columnsize=0
            );
            """
        let session = try place.store(migrations: [Scratch.schema, Migration(script)]).writer()
        for (id, words) in [("01", "bjorn kase"), ("02", ""), ("03", "kas")] {
            try session.execute("INSERT INTO \"text\" (id, searched) VALUES (x'\(id)', $1)", .text(words))
        }
        var numbers: [Int64] = []
        try session.query("SELECT search_id FROM \"text\" ORDER BY id") { numbers.append($0.integer(0)) }
        #expect(numbers == [1, 2, 3])
    }

    /// What is read and then written is decided by one at a time.
    @Test(arguments: Engine.available)
    func nobodySellsWhatAnotherHasSold(_ engine: Engine) async throws {
        let place = try await Place(engine)
        let sold = Count()
        let location: StoreLocation
        do {
            // It goes: others would wait for its lock.
            let store = try place.store()
            try store.writer().execute("INSERT INTO item VALUES (x'01', 'left', 40)")
            location = store.location
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await DedicatedThread.run {
                        let session = try location.secondWriter()
                        for _ in 0..<20 {
                            try session.begin()
                            let left = try session.first("SELECT amount FROM item") { $0.integer(0) } ?? 0
                            if left > 0 {
                                try session.execute("UPDATE item SET amount = $1", .integer(left - 1))
                                sold.value.withLock { $0 += 1 }
                            }
                            try session.commit()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(sold.value.withLock { $0 } == 40)
        #expect(try location.reader().first("SELECT amount FROM item") { $0.integer(0) } == 0)
    }
}

private final class Count: Sendable {
    let value = Mutex(0)
}

/// What is SQLite's alone.
struct FileSessionTests {
    let scratch: Scratch
    let store: Store
    let session: Session

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        session = try store.writer()
    }

    @Test func readersCannotWrite() throws {
        let reader = try Store.reader(path: store.path)
        #expect(throws: StoreError.self) { try reader.execute("DELETE FROM item") }
    }

    @Test func aFullStoreIsSaidAndGoesOnWhenThereIsRoom() throws {
        try session.executeScript("PRAGMA max_page_count = 12")
        #expect {
            for number in 0..<1000 {
                try session.execute(
                    "INSERT INTO item VALUES ($1, $2, 1)",
                    .id(.make()),
                    .text(String(repeating: "x", count: 500) + String(number))
                )
            }
        } throws: {
            $0 as? StoreError == .full
        }
        #expect(try session.first("SELECT count(*) FROM item") { $0.integer(0) } ?? 0 > 0)
        try session.executeScript("PRAGMA max_page_count = 10000")
        try session.execute("INSERT INTO item VALUES ($1, 'room', 1)", .id(.make()))
    }
}
