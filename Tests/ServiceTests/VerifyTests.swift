import Messages
import Store
import Testing

@testable import Service

struct VerifyTests {
    @Test func findsNothingInAnHonestStore() throws {
        let desk = try shop()
        let check = try desk.verify()
        #expect(check.floor == 4 && check.sequence == 8 && check.events == 4 && check.records == 3)
        #expect(check.differences == 0 && check.examples == [])
    }

    /// Each change by hand is found.
    @Test(arguments: [
        "UPDATE event SET body = CAST(body || x'00' AS BLOB) WHERE sequence = 5",
        "UPDATE event SET body = CAST(replace(body, 'title', 'titel') AS BLOB) WHERE sequence = 7",
        "DELETE FROM event WHERE sequence = 6",
        "DELETE FROM event WHERE sequence = 8",
        "UPDATE event SET chain = chain + 1 WHERE sequence = 7",
        "UPDATE event SET digest = digest + 1 WHERE sequence = 7",
        "UPDATE event SET version = 9 WHERE sequence = 7",
        "UPDATE event SET last = 0 WHERE sequence = 8",
        "UPDATE floor SET sequence = 3",
        "UPDATE floor SET chain = 1",
        "UPDATE counter SET value = 7 WHERE name = 'event/note'",
        "UPDATE counter SET value = 7 WHERE name = 'transaction'",
        "UPDATE base SET version = version + 1",
        "UPDATE base SET version = 9223372036854775807",
        "UPDATE event SET sequence = 9223372036854775807 WHERE sequence = 8",
        "UPDATE event SET version = 9223372036854775807 WHERE sequence = 7",
        "DELETE FROM base",
        "DELETE FROM notes",
        "UPDATE notes SET body = (SELECT body FROM notes ORDER BY title LIMIT 1)",
        "INSERT INTO notes (id, version, title, title_key, title_folded, color_key, color_folded, searched, body) "
            + "SELECT x'000102030405060708090A0B0C0D0E0F', 1, title, title_key, title_folded, color_key, color_folded, "
            + "searched, body FROM notes LIMIT 1",
    ])
    func findsWhatWasChangedByHand(sql: String) throws {
        let desk = try shop()
        try desk.engine.session.executeScript("PRAGMA foreign_keys = OFF; \(sql)")
        let check = try desk.verify()
        #expect(check.differences > 0 && !check.examples.isEmpty)
    }

    @Test func whatTheServiceDerivesMayDiffer() throws {
        let desk = try shop()
        var note = try #require(try desk.send(List<Note>()).rows.first)
        note.count = 77
        let table = try desk.engine.definition.routes.registry.table(Note.self)
        try desk.engine.session.begin()
        _ = try table.write(note, body: try encoded(note), replacing: nil, desk.engine.session)
        try desk.engine.session.commit()
        #expect(try desk.verify().differences == 0)
    }

    /// Four events below the floor, four above, three notes.
    private func shop() throws -> Desk {
        let desk = try Desk()
        var notes = try ["a", "b", "c", "d"].map { try desk.put(desk.note($0, lines: [.init(id: .make(), text: $0)])) }
        notes[0].rank = 1
        let first = try desk.put(notes[0])
        try desk.trimAll()
        _ = try desk.send(Delete<Note>(id: notes[1].id))
        notes[2].title = "e"
        _ = try desk.put(notes[2])
        var last = first
        last.rank = 2
        _ = try desk.put(last)
        return desk
    }
}
