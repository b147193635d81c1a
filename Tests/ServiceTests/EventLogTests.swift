import CBOR
import Messages
import Store
import Testing

@testable import Service

struct EventLogTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private func read(_ request: ReadEvents) throws -> EventPage {
        try desk.send(request, key: nil)
    }

    private func events(_ page: EventPage) throws -> [Event] {
        try page.events.map { try $0.decode(Event.self) }
    }

    @Test func replayIsWhatWasTold() throws {
        var note = try desk.put(desk.note("Milk"))
        note.title = "Bread"
        note = try desk.put(note)
        _ = try desk.send(Delete<Note>(id: note.id))
        let page = try read(ReadEvents())
        #expect(try events(page) == desk.told)
        #expect(page.through == 3 && page.head == 3 && page.resync == nil)
        #expect(try events(page).map(\.previous) == [0, 1, 2])
    }

    /// A store that something else has written to is refused at the start, before it is counted on from there.
    @Test(arguments: [
        "UPDATE event SET sequence = 9223372036854775807", "UPDATE event SET sequence = -1",
        "UPDATE counter SET value = 9223372036854775807 WHERE name = 'transaction'",
        "UPDATE counter SET value = -1 WHERE name = 'transaction'",
    ])
    func aLogThatCannotGoOnIsRefused(sql: String) throws {
        _ = try desk.put(desk.note("Milk"))
        try desk.engine.session.execute(sql)
        #expect(throws: (any Error).self) { try desk.reopen() }
    }

    @Test func continuesFromAPositionAndSaysWhenUpToDate() throws {
        for index in 0..<5 { _ = try desk.put(desk.note("note \(index)")) }
        let first = try read(ReadEvents(limit: 2))
        #expect(first.events.count == 2 && first.through == 2 && first.head == 5)
        let rest = try read(ReadEvents(epoch: first.epoch, sequence: first.through, chain: first.chain))
        #expect(try events(rest).map(\.sequence) == [3, 4, 5])
        let none = try read(ReadEvents(epoch: rest.epoch, sequence: rest.through, chain: rest.chain))
        #expect(none.events.isEmpty && none.through == 5 && none.chain == rest.chain)
    }

    @Test func saysWhyAPositionCantBeContinuedFrom() throws {
        _ = try desk.put(desk.note("Milk"))
        let page = try read(ReadEvents())
        #expect(try read(ReadEvents(epoch: .make(), sequence: 1)).resync == .epoch)
        #expect(try read(ReadEvents(epoch: page.epoch, sequence: 2)).resync == .future)
        #expect(try read(ReadEvents(epoch: page.epoch, sequence: 1, chain: page.chain &+ 1)).resync == .diverged)
        #expect(try desk.refusal(ReadEvents(sequence: -1), key: nil).status == .invalid)
    }

    @Test func aPageEndsWithATransaction() throws {
        for title in ["a", "b", "c"] { _ = try desk.put(desk.note(title)) }
        _ = try desk.send(Strike(fails: false))
        #expect(try read(ReadEvents(sequence: 1, limit: 4)).through == 3)
        // A transaction that is larger than the page is cut.
        #expect(try read(ReadEvents(sequence: 3, limit: 2)).through == 5)
    }

    @Test func theChainIsTheSameAfterARestart() throws {
        _ = try desk.put(desk.note("Milk"))
        let before = try read(ReadEvents())
        try desk.reopen()
        _ = try desk.put(desk.note("Bread"))
        let after = try read(ReadEvents(epoch: before.epoch, sequence: before.through, chain: before.chain))
        #expect(try events(after).map(\.sequence) == [2])
    }

    @Test func aRefusedCommandTakesNoNumber() throws {
        _ = try desk.put(desk.note("Milk"))
        _ = try desk.refusal(Strike(fails: true))
        _ = try desk.put(desk.note("Bread"))
        #expect(desk.told.map(\.sequence) == [1, 2])
        #expect(try desk.count("SELECT max(sequence) FROM event") == 2)
    }

    @Test func foldingTheLogGivesTheTable() throws {
        var random = Seeded(state: 11)
        var notes: [Note] = []
        for round in 0..<200 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !notes.isEmpty:
                let note = notes.remove(at: Int.random(in: 0..<notes.count, using: &random))
                _ = try desk.send(Delete<Note>(id: note.id))
            case 1 where !notes.isEmpty:
                let index = Int.random(in: 0..<notes.count, using: &random)
                notes[index].rank = Int64(round)
                notes[index] = try desk.put(notes[index])
            default:
                notes.append(try desk.put(desk.note("note \(round)")))
            }
        }
        var folded: [Identifier: Note] = [:]
        var position = ReadEvents(limit: 17)
        while true {
            let page = try read(position)
            for event in try events(page) { folded[event.subject] = try event.data?.decode(Note.self) }
            if page.through == page.head { break }
            position = ReadEvents(epoch: page.epoch, sequence: page.through, chain: page.chain, limit: 17)
        }
        #expect(Set(folded.values) == Set(try desk.send(List<Note>(limit: 1000)).rows))
    }
}
