import CBOR
import Messages
import Store
import Testing

@testable import Service

/// Erasing where old events are no longer kept, and what the check makes of it.
struct TrimmedErasureTests {
    let desk: Desk
    private let secret = "Bj\u{F6}rk 0701234567"

    init() throws {
        desk = try Desk()
    }

    private func isInBase() throws -> Bool {
        var isThere = false
        try desk.engine.session.query("SELECT body FROM base WHERE body IS NOT NULL") { row in
            if row.blob(0).firstRange(of: Array(secret.utf8)) != nil { isThere = true }
        }
        return isThere
    }

    /// The log's last transaction is always kept: one of no interest.
    private func trim() throws {
        _ = try desk.put(desk.note("last"))
        try desk.trimAll()
    }

    @Test func theCheckStillFindsNothing() throws {
        var note = try desk.put(desk.note(secret, color: secret))
        note.color = nil
        note = try desk.put(note)
        let gone = try desk.put(desk.note(secret))
        _ = try desk.send(Delete<Note>(id: gone.id))
        for id in [note.id, gone.id] { _ = try desk.send(Erase<Note>(id: id)) }
        #expect(try desk.verify().differences == 0)
        #expect(try desk.folded() == desk.stored())
        try trim()
        #expect(try desk.verify().differences == 0)
        #expect(try desk.folded() == desk.stored())
    }

    @Test func blanksWhatTheBaseHolds() throws {
        let note = try desk.put(desk.note(secret, color: secret))
        try trim()
        #expect(try isInBase())
        let bytes = desk.engine.log.bytes
        #expect(try desk.send(Erase<Note>(id: note.id)).record?.version == 2)
        #expect(try !isInBase())
        #expect(try desk.count("SELECT sum(length(body)) FROM event") == desk.engine.log.bytes)
        #expect(desk.engine.log.bytes > bytes)
        #expect(try desk.verify().differences == 0)
        // What the base holds of it is no base for an edit.
        var edit = note
        edit.rank = 5
        #expect(try desk.refusal(Put(edit)).status == .conflict)
    }

    @Test func theCountOfBytesFollowsWhatWasErased() throws {
        let note = try desk.put(desk.note(secret, color: String(repeating: secret, count: 9)))
        _ = try desk.send(Erase<Note>(id: note.id))
        #expect(try desk.count("SELECT sum(length(body)) FROM event") == desk.engine.log.bytes)
        try desk.reopen()
        #expect(try desk.count("SELECT sum(length(body)) FROM event") == desk.engine.log.bytes)
    }

    @Test func aDeletedRecordIsToldThoughItsEventsAreGone() throws {
        let note = try desk.put(desk.note(secret))
        _ = try desk.send(Delete<Note>(id: note.id))
        try trim()
        #expect(try !desk.send(Erase<Note>(id: note.id)).wasErased)
        #expect(desk.told.last?.type == "note.erased" && desk.told.last?.version == 3)
        #expect(try desk.verify().differences == 0)
    }
}
