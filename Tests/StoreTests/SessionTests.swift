import Messages
import Testing

@testable import Store

struct SessionTests {
    let scratch: Scratch
    let store: Store
    let session: Session

    init() throws {
        scratch = try Scratch()
        store = try scratch.store()
        session = try store.writer()
    }

    private func names() throws -> [String] {
        var names: [String] = []
        try session.query("SELECT name FROM item ORDER BY name") { names.append($0.text(0)) }
        return names
    }

    @Test func bindsEveryKindOfValueAndReadsItBack() throws {
        let id = Identifier.make()
        try session.execute("INSERT INTO item VALUES ($1, $2, $3)", .id(id), .text("Wäsche"), .integer(.min))
        let row = try session.first("SELECT id, name, amount, NULL, x'', '' FROM item") { row in
            (row.id(0), row.text(1), row.integer(2), row.isNull(3), row.blob(4), row.optionalText(5))
        }
        let found = try #require(row)
        #expect(found == (id, "Wäsche", Int64.min, true, [], ""))
    }

    @Test func emptyTextAndBytesAreNotNull() throws {
        try session.execute("INSERT INTO item VALUES ($1, $2, NULL)", .blob([]), .text(""))
        let found = try session.first("SELECT id IS NULL, name IS NULL FROM item") { ($0.boolean(0), $0.boolean(1)) }
        #expect(try #require(found) == (false, false))
    }

    @Test func parametersGoByNumberNotByPlace() throws {
        let found = try session.first("SELECT $2 - $1, $2", .integer(1), .integer(10)) {
            ($0.integer(0), $0.integer(1))
        }
        #expect(try #require(found) == (9, 10))
    }

    @Test func refusesAWrongNumberOfValues() {
        #expect(throws: StoreError.self) { try session.execute("DELETE FROM item WHERE name = $1") }
    }

    @Test func aFailedSavepointLeavesNothingAndTheRestStays() throws {
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
        try session.commit()
        #expect(try names() == ["kept"])
    }

    @Test func namesAConstraint() {
        #expect {
            try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
            try session.execute("INSERT INTO item VALUES (x'02', 'a', 1)")
        } throws: { error in
            if case .constraint? = error as? StoreError { true } else { false }
        }
    }

    @Test func aQueryInsideItselfHasItsOwnStatement() throws {
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

    @Test func readersSeeOneStateThroughout() throws {
        let reader = try Store.reader(path: store.path)
        try reader.beginReading()
        let sql = "SELECT count(*) FROM item"
        #expect(try reader.first(sql) { $0.integer(0) } == 0)
        try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        #expect(try reader.first(sql) { $0.integer(0) } == 0)
        try reader.rollback()
        #expect(try reader.first(sql) { $0.integer(0) } == 1)
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
