import CBOR
import Messages
import Store
import Testing

@testable import Service

struct HistoryTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    @Test func aSnapshotPagesByIdWithThePositionOfEachPage() throws {
        let notes = try (0..<7).map { try desk.put(desk.note("note \($0)")) }
        var rows: [Note] = []
        var request = ReadSnapshot(entity: "note", limit: 3)
        while true {
            let page = try desk.send(request, key: nil)
            rows += try page.rows.map { try $0.decode(Note.self) }
            #expect(page.sequence == desk.engine.log.sequence && page.chain == desk.engine.log.chain)
            guard let next = page.next else { break }
            request.after = next
            // Writers go on: the copy needs the events from the first page's position.
            _ = try desk.put(desk.note("later"))
        }
        #expect(Array(rows.prefix(7)) == notes)
    }

    @Test func aSnapshotOfNothingIsRefusedByName() throws {
        #expect(try desk.refusal(ReadSnapshot(entity: "elephant"), key: nil).status == .invalid)
    }

    @Test func historyIsTheNewestFirst() throws {
        var note = try desk.put(desk.note("a"))
        _ = try desk.put(desk.note("other"))
        for title in ["b", "c"] {
            note.title = title
            note = try desk.put(note)
        }
        let page = try desk.send(ReadHistory(subject: note.id, limit: 2), key: nil)
        let events = try page.events.map { try $0.decode(Event.self) }
        #expect(events.map(\.version) == [3, 2] && page.more)
        #expect(page.keys?.count == 2 && page.keys?.contains(nil) == false)
        let rest = try desk.send(ReadHistory(subject: note.id, before: events[1].sequence), key: nil)
        #expect(try rest.events.map { try $0.decode(Event.self).version } == [1] && !rest.more)
    }

    @Test func undoReversesACreateAnEditAndADelete() throws {
        let keys = (0..<4).map { _ in Identifier.make() }
        var note = try desk.send(Put(desk.note("a", color: "red")), key: keys[0])
        note.title = "b"
        note.color = nil
        note = try desk.send(Put(note), key: keys[1])
        _ = try desk.send(UndoCommand(key: keys[1]))
        note = try desk.send(Get<Note>(id: note.id))
        #expect(note.title == "a" && note.color == "red" && note.version == 3)
        _ = try desk.send(Delete<Note>(id: note.id), key: keys[2])
        #expect(try desk.send(UndoCommand(key: keys[2])).events == ["note.deleted"])
        note = try desk.send(Get<Note>(id: note.id))
        #expect(note.title == "a" && note.version == 5)
        #expect(desk.told.map(\.version) == [1, 2, 3, 4, 5])
        let other = try desk.send(Put(desk.note("x")), key: keys[3])
        _ = try desk.send(UndoCommand(key: keys[3]))
        #expect(try desk.refusal(Get<Note>(id: other.id)).status == .gone)
    }

    @Test func whatWasChangedSinceIsAConflict() throws {
        let key = Identifier.make()
        var note = try desk.send(Put(desk.note("a")), key: key)
        note.title = "b"
        _ = try desk.put(note)
        #expect(try desk.refusal(UndoCommand(key: key)).status == .conflict)
        #expect(try desk.send(Get<Note>(id: note.id)).title == "b")
    }

    @Test func aCommandOfManyRecordsIsUndoneWhole() throws {
        let before = try ["a", "b", "c"].map { try desk.put(desk.note($0)) }.map(\.title)
        let key = Identifier.make()
        _ = try desk.send(Strike(fails: false), key: key)
        #expect(try desk.send(UndoCommand(key: key)).events.count == 3)
        #expect(try desk.send(List<Note>()).rows.map(\.title) == before)
    }

    @Test func undoingAnUndoDoesItAgain() throws {
        let (first, second) = (Identifier.make(), Identifier.make())
        var note = try desk.put(desk.note("a"))
        note.title = "b"
        _ = try desk.send(Put(note), key: first)
        _ = try desk.send(UndoCommand(key: first), key: second)
        _ = try desk.send(UndoCommand(key: second))
        #expect(try desk.send(Get<Note>(id: note.id)).title == "b")
    }

    @Test func whatChangedNothingOrIsUnknownCantBeUndone() throws {
        let key = Identifier.make()
        let note = try desk.put(desk.note("a"))
        _ = try desk.send(Put(note), key: key)
        #expect(try desk.refusal(UndoCommand(key: key)).status == .notFound)
        #expect(try desk.refusal(UndoCommand(key: .make())).status == .notFound)
    }

    @Test func theOrderOfCommandsIsTheLogsNotTheKeys() throws {
        let early = Identifier.make()
        let late = Identifier.make()
        _ = try desk.send(Put(desk.note("first")), key: late)
        _ = try desk.send(Put(desk.note("second")), key: early)
        #expect(try desk.send(ListCommands(limit: 1), key: nil).commands.map(\.key) == [early])
    }

    @Test func listsTheLastCommandsFirst() throws {
        let keys = try ["a", "b", "c"].map { title in
            let key = Identifier.make()
            _ = try desk.send(Put(desk.note(title)), key: key)
            return key
        }
        let listed = try desk.send(ListCommands(limit: 2), key: nil).commands
        #expect(listed.map(\.key) == [keys[2], keys[1]] && listed[0].operation == "note.put")
    }
}
