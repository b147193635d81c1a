import CBOR
import Messages
import Store
import Testing

@testable import Service

struct CommandTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    @Test func aCreateIsStoredAndToldOnce() throws {
        let note = try desk.put(desk.note(" Milk ", color: "red"))
        #expect(note.version == 1 && note.title == "Milk")
        #expect(desk.told.map(\.type) == ["note.created"])
        #expect(desk.told[0].subject == note.id && desk.told[0].last == true && desk.told[0].before == nil)
        #expect(try desk.send(Get<Note>(id: note.id)) == note)
    }

    @Test func equalValuesMakeNoEventAndNoVersion() throws {
        let note = try desk.put(desk.note("Milk"))
        #expect(try desk.put(note) == note)
        #expect(desk.told.count == 1)
    }

    @Test func anUpdateTellsWhatTheChangedFieldsWere() throws {
        var note = try desk.put(desk.note("Milk", color: "red"))
        note.title = "Bread"
        note.rank = 3
        note = try desk.put(note)
        let before = try #require(desk.told.last?.before)
        #expect(try CBORValue(decoding: before.bytes, profile: .wire).description == #"{"title": "Milk", "rank": 0}"#)
        #expect(note.version == 2)
    }

    @Test func aDeleteTellsTheWholeRecordAndLeavesItGone() throws {
        let note = try desk.put(desk.note("Milk"))
        #expect(try desk.send(Delete<Note>(id: note.id)) == note)
        let event = try #require(desk.told.last)
        #expect(event.type == "note.deleted" && event.data == nil)
        #expect(try event.before?.decode(Note.self) == note)
        #expect(try desk.refusal(Get<Note>(id: note.id)).status == .gone)
        #expect(try desk.refusal(Put(note)).status == .gone)
        #expect(try desk.refusal(Get<Note>(id: .make())).status == .notFound)
    }

    @Test func aRepeatHasTheFirstReplyAndNoSecondEffect() throws {
        let request = Put(desk.note("Milk"))
        let key = Identifier.make()
        let first = try desk.answer(request, key: key)
        let second = try desk.answer(request, key: key)
        #expect(second.body == first.body && second.replayed == true && first.replayed == nil)
        #expect(second.positions == first.positions)
        #expect(desk.told.count == 1)
    }

    @Test func aRepeatInTheSameGroupHasNoSecondEffect() throws {
        let request = try desk.incoming(Put(desk.note("Milk")))
        let outcomes = try desk.decide([request, request])
        let answers = outcomes.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
        #expect(answers.map(\.status) == [.ok, .ok] && answers[0].body == answers[1].body)
        #expect(desk.told.count == 1)
    }

    @Test func aRepeatAfterARestartHasTheFirstReply() throws {
        let request = Put(desk.note("Milk"))
        let key = Identifier.make()
        let first = try desk.answer(request, key: key)
        try desk.reopen()
        let second = try desk.answer(request, key: key)
        #expect(second.body == first.body && second.replayed == true)
        #expect(try desk.count("SELECT count(*) FROM event") == 1)
    }

    @Test func aKeyIsNotTakenForOtherContent() throws {
        let key = Identifier.make()
        _ = try desk.answer(Put(desk.note("Milk")), key: key)
        #expect(try desk.refusal(Put(desk.note("Bread")), key: key).status == .keyReused)
        #expect(desk.told.count == 1)
    }

    @Test func aRefusedCommandKeepsNoReplyAndMayBeRepeatedCorrected() throws {
        let key = Identifier.make()
        var note = desk.note("  ")
        #expect(try desk.refusal(Put(note), key: key).body.field == "title")
        note.title = "Milk"
        _ = try desk.send(Put(note), key: key)
    }

    @Test func anOldKeyIsExpiredAndOneFromTheFutureInvalid() throws {
        let week = Duration.seconds(8 * 24 * 3600)
        let generator = Identifier.Generator()
        let old = generator.make(now: Instant.now().advanced(by: .zero - week))
        #expect(try desk.refusal(Put(desk.note("Milk")), key: old).status == .keyExpired)
        let early = generator.make(now: Instant.now().advanced(by: week))
        #expect(try desk.refusal(Put(desk.note("Milk")), key: early).status == .invalid)
        #expect(desk.told.isEmpty)
    }

    @Test func theReplyUnderAKeyCanBeAskedFor() throws {
        let key = Identifier.make()
        let note = try desk.send(Put(desk.note("Milk")), key: key)
        let reply = try desk.send(GetReply(key: key), key: nil)
        #expect(reply.operation == "note.put")
        #expect(try reply.reply.decode(Note.self) == note)
        #expect(try desk.refusal(GetReply(key: .make()), key: nil).status == .notFound)
    }

    @Test func aRecordThatCouldNotBeToldWithItsPastIsRefused() throws {
        let lines = (0..<500).map { Note.Line(id: .make(), text: String(repeating: "x", count: 1000) + String($0)) }
        #expect(try desk.refusal(Put(desk.note("big", lines: lines))).status == .tooLarge)
        #expect(desk.told.isEmpty)
    }

    @Test func aCommandNeedsAKey() throws {
        #expect(try desk.refusal(Put(desk.note("Milk")), key: nil).body.field == "key")
    }

    @Test func aFailingCommandOfAGroupFailsAlone() throws {
        let outcomes = try desk.decide([
            try desk.incoming(Put(desk.note("One"))),
            try desk.incoming(Strike(fails: true)),
            try desk.incoming(Put(desk.note("Two"))),
        ])
        let statuses = outcomes.compactMap { if case .answer(let answer) = $0 { answer.status } else { nil } }
        #expect(statuses == [.ok, .invalid, .ok])
        #expect(desk.told.map(\.sequence) == [1, 2])
        #expect(desk.told.map(\.transaction) == [1, 2])
        let page = try desk.send(List<Note>())
        #expect(page.rows.map(\.title) == ["One", "Two"])
    }

    @Test func aCommandOfManyEventsIsOneTransaction() throws {
        for title in ["a", "b", "c"] { _ = try desk.put(desk.note(title)) }
        _ = try desk.send(Strike(fails: false))
        let events = desk.told.suffix(3)
        #expect(Set(events.map(\.transaction)) == [4])
        #expect(events.map { $0.last ?? false } == [false, false, true])
    }

    @Test func aGroupCostsOneCommitHoweverManyCommandsItHolds() throws {
        let group = try (0..<50).map { try desk.incoming(Put(desk.note("note \($0)"))) }
        let before = desk.engine.session.statementsRun
        _ = try desk.decide(group)
        let each = Double(desk.engine.session.statementsRun - before) / 50
        // Key, savepoint, record, earlier events, upsert, full-text index (twice), event, reply, release.
        #expect(each < 12)
    }

    @Test func anUnknownOperationIsNamedWithTheKnownOnes() throws {
        struct Nothing: Request {
            typealias Reply = Empty
            static let operation = "note.nothing"
            static let kind = RequestKind.query
            static let service: ServiceName? = nil
        }
        let refusal = try desk.refusal(Nothing())
        #expect(refusal.status == .unknownOperation && refusal.body.message.contains("note.put"))
    }

    @Test(arguments: ["", "  ", "\u{200B}", "\u{2060}\u{FEFF}", "a\u{0}b", String(repeating: "x", count: 201)])
    func refusesABlankOrImpossibleName(_ title: String) throws {
        let refusal = try desk.refusal(Put(desk.note(title)))
        #expect(refusal.status == .invalid && refusal.body.field == "title")
        #expect(desk.told.isEmpty)
        #expect(try desk.count("SELECT count(*) FROM reply") == 0)
    }

    @Test func aFullDiskLeavesNothingAndIsSaid() throws {
        _ = try desk.put(desk.note("kept"))
        let pages = try desk.count("PRAGMA page_count")
        try desk.engine.session.executeScript("PRAGMA max_page_count = \(pages + 1)")
        var big = desk.note("big")
        big.lines = (0..<200).map { Note.Line(id: .make(), text: String(repeating: "x", count: 500) + String($0)) }
        #expect(try desk.refusal(Put(big)).status == .storageFull)
        #expect(desk.told.count == 1)
        #expect(try desk.send(List<Note>()).rows.map(\.title) == ["kept"])
        try desk.engine.session.executeScript("PRAGMA max_page_count = 100000")
        #expect(try desk.put(big).version == 1)
        #expect(desk.told.map(\.sequence) == [1, 2])
    }
}
