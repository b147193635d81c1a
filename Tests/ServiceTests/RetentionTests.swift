import CBOR
import Messages
import Store
import Testing

@testable import Service

extension Desk {
    /// Trims what is older than an hour, two hours from now: all but the last transaction.
    func trimAll() throws {
        let later = Instant.now().advanced(by: .seconds(7200))
        while try engine.trim(try RetentionPolicy("1h"), now: later) {}
    }

    func verify() throws -> VerifyLog.Reply { try send(VerifyLog(), key: nil) }

    /// Base and log folded, as a reader of the store would.
    func folded() throws -> Set<Note> {
        var folded: [Identifier: Note] = [:]
        var bodies: [EncodedCBOR] = []
        try engine.session.query("SELECT body FROM base WHERE body IS NOT NULL") {
            bodies.append(EncodedCBOR(trusted: $0.blob(0)))
        }
        for body in bodies {
            let note = try body.decode(Note.self)
            folded[note.id] = note
        }
        bodies = []
        try engine.session.query("SELECT body FROM event ORDER BY sequence") {
            bodies.append(EncodedCBOR(trusted: $0.blob(0)))
        }
        for body in bodies {
            let event = try body.decode(Event.self)
            folded[event.subject] = try event.data?.decode(Note.self)
        }
        return Set(folded.values)
    }

    func stored() throws -> Set<Note> {
        var bodies: [EncodedCBOR] = []
        try engine.session.query("SELECT body FROM notes") { bodies.append(EncodedCBOR(trusted: $0.blob(0))) }
        return Set(try bodies.map { try $0.decode(Note.self) })
    }

    var floor: Int64 { get throws { try Floor.load(engine.session).sequence } }
}

struct RetentionPolicyTests {
    @Test(
        arguments: [
            ("90d", 7_776_000_000_000, nil), ("12h", 43_200_000_000, nil), ("2w", 1_209_600_000_000, nil),
            ("500MB", nil, 500_000_000), ("1kB", nil, 1000), ("90d,2GB", 7_776_000_000_000, 2_000_000_000),
            ("1TB,1h", 3_600_000_000, 1_000_000_000_000),
        ] as [(String, Int64?, Int64?)]
    )
    func isReadFromAText(text: String, age: Int64?, bytes: Int64?) throws {
        let policy = try RetentionPolicy(text)
        #expect(policy.age == age && policy.bytes == bytes && !policy.keepsAll)
    }

    @Test(arguments: [
        "", " ", "90", "d", "0d", "-1d", "90 d", "90d ", "90D", "90d,", ",90d", "90d,12h", "1MB,2GB", "forever", "1.5d",
        "٣d", "9223372036854775807d", "5124095576030d", "1e3MB", "99999999999999999999h",
    ])
    func refusesWhatCantBeRight(text: String) {
        #expect { try RetentionPolicy(text) } throws: { "\($0)".contains("'\(text)', of which") }
    }
}

struct RetentionTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    @Test func everythingIsKeptWithoutAPolicy() throws {
        for title in ["a", "b"] { _ = try desk.put(desk.note(title)) }
        let later = Instant.now().advanced(by: .seconds(1 << 40))
        #expect(try !desk.engine.trim(RetentionPolicy(), now: later))
        #expect(try desk.floor == 0)
    }

    @Test func onlyWhatIsOlderThanTheLimitGoes() throws {
        for title in ["a", "b", "c"] { _ = try desk.put(desk.note(title)) }
        let policy = try RetentionPolicy("1h")
        let third = desk.told[2].time.advanced(by: .seconds(3600))
        #expect(try desk.engine.trim(policy, now: third))
        #expect(try !desk.engine.trim(policy, now: third))
        #expect(try desk.floor == (desk.told[1].time < desk.told[2].time ? 2 : 0))
        #expect(try desk.verify().differences == 0)
    }

    @Test func theOldestGoWhileThereAreTooManyBytes() throws {
        for index in 0..<100 { _ = try desk.put(desk.note("note \(index)")) }
        let size = try desk.count("SELECT sum(length(body)) FROM event")
        #expect(desk.engine.log.bytes == size)
        var policy = RetentionPolicy()
        policy.bytes = size / 2
        while try desk.engine.trim(policy) {}
        let rest = try desk.count("SELECT sum(length(body)) FROM event")
        #expect(rest <= size / 2 && rest > size / 2 - 500 && desk.engine.log.bytes == rest)
        try desk.reopen()
        #expect(desk.engine.log.bytes == rest)
    }

    @Test func transactionsGoWholeAndTheLastStays() throws {
        for index in 0..<300 { _ = try desk.put(desk.note("note \(index)")) }
        _ = try desk.send(Strike(fails: false))
        var policy = RetentionPolicy()
        policy.bytes = 1
        while try desk.engine.trim(policy) {}
        #expect(try desk.floor == 300)
        _ = try desk.put(desk.note("one more"))
        // The limit is met within the transaction, which goes all the same.
        policy.bytes = desk.engine.log.bytes - 1
        while try desk.engine.trim(policy) {}
        #expect(try desk.floor == 600 && desk.verify().differences == 0)
    }

    @Test func aStepIsSmall() throws {
        for index in 0..<600 { _ = try desk.put(desk.note("note \(index)")) }
        let later = Instant.now().advanced(by: .seconds(7200))
        let before = desk.engine.session.statementsRun
        #expect(try desk.engine.trim(try RetentionPolicy("1h"), now: later))
        #expect(desk.engine.session.statementsRun - before <= TrimStep.mostEvents + 10)
        #expect(try desk.floor == Int64(TrimStep.mostEvents))
        while try desk.engine.trim(try RetentionPolicy("1h"), now: later) {}
        for index in 0..<4 {
            let lines = (0..<200).map { Note.Line(id: .make(), text: String(repeating: "x", count: 1000) + String($0)) }
            _ = try desk.put(desk.note("large \(index)", lines: lines))
        }
        // Two of them fit into a step.
        for floor: Int64 in [602, 603] {
            #expect(try desk.engine.trim(try RetentionPolicy("1h"), now: later))
            #expect(try desk.floor == floor)
        }
        #expect(try !desk.engine.trim(try RetentionPolicy("1h"), now: later))
    }

    @Test func aPositionBelowTheFloorIsCompactedAndOneAtItGoesOn() throws {
        for title in ["a", "b", "c"] { _ = try desk.put(desk.note(title)) }
        let pages = try (0...3).map { try desk.send(ReadEvents(sequence: 0, limit: max($0, 1)), key: nil) }
        try desk.trimAll()
        #expect(try desk.floor == 2)
        let epoch = pages[0].epoch
        for sequence: Int64 in [0, 1] {
            let page = try desk.send(ReadEvents(epoch: epoch, sequence: sequence), key: nil)
            #expect(page.resync == .compacted && page.events.isEmpty)
        }
        #expect(try desk.send(ReadEvents(), key: nil).resync == .compacted)
        let page = try desk.send(ReadEvents(epoch: epoch, sequence: 2, chain: pages[2].chain), key: nil)
        #expect(page.resync == nil && page.through == 3 && page.chain == pages[3].chain)
        let other = try desk.send(ReadEvents(epoch: epoch, sequence: 2, chain: pages[2].chain &+ 1), key: nil)
        #expect(other.resync == .diverged)
        try desk.reopen()
        _ = try desk.put(desk.note("d"))
        #expect(desk.told.last?.sequence == 4)
        #expect(try desk.verify().differences == 0)
    }

    @Test func historyAndUndoSayHowFarBackTheyGo() throws {
        let key = Identifier.make()
        var note = try desk.send(Put(desk.note("a")), key: key)
        let other = try desk.put(desk.note("other"))
        note.title = "b"
        note = try desk.put(note)
        try desk.trimAll()
        let since = desk.told[1].time
        let page = try desk.send(ReadHistory(subject: note.id), key: nil)
        #expect(page.events.count == 1 && !page.more && page.since == since)
        #expect(try desk.send(ReadHistory(subject: other.id), key: nil).since == since)
        let new = try desk.put(desk.note("new"))
        #expect(try desk.send(ReadHistory(subject: new.id), key: nil).since == nil)
        let refusal = try desk.refusal(UndoCommand(key: key))
        #expect(refusal.status == .gone && refusal.body.code == "compacted")
        #expect(refusal.body.found == since.description && refusal.body.message.contains(since.description))
    }

    @Test func aTrimmedDeleteStaysGone() throws {
        let note = try desk.put(desk.note("a"))
        _ = try desk.send(Delete<Note>(id: note.id))
        _ = try desk.put(desk.note("b"))
        try desk.trimAll()
        #expect(try desk.refusal(Get<Note>(id: note.id)).status == .gone)
        var again = note
        again.version = 0
        #expect(try desk.refusal(Put(again)).status == .gone)
    }

    @Test func anEditMergesWithTheBaseAndNotWithWhatLiesBelow() throws {
        let first = try desk.put(desk.note("a", color: "red"))
        var second = first
        second.title = "b"
        second = try desk.put(second)
        _ = try desk.put(desk.note("other"))
        try desk.trimAll()
        var third = second
        third.color = "blue"
        _ = try desk.put(third)
        second.rank = 7
        #expect(try desk.put(second).color == "blue")
        var late = first
        late.rank = 9
        #expect(try desk.refusal(Put(late)).status == .conflict)
    }

    @Test func tenThousandEventsStayRightWhileTheyAreTrimmed() throws {
        var policy = RetentionPolicy()
        policy.bytes = 100_000
        var notes = try (0..<50).map { try desk.put(desk.note("note \($0)")) }
        for round in 0..<199 {
            var group: [Incoming] = []
            for index in notes.indices {
                notes[index].rank = Int64(round) + 1
                group.append(try desk.incoming(Put(notes[index])))
                notes[index].version += 1
            }
            _ = try desk.decide(group)
            _ = try desk.engine.trim(policy)
        }
        let check = try desk.verify()
        #expect(check.sequence == 10_000 && check.floor > 9000 && check.differences == 0)
        #expect(desk.told.map(\.sequence) == Array(1...10_000))
        #expect(try desk.folded() == Set(notes) && desk.stored() == Set(notes))
    }

    /// Whatever is written, trimmed and restarted: base and log give the table, and the check finds nothing.
    @Test(arguments: 0..<20) func everyScheduleOfTrimsKeepsTheFold(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var notes: [Note] = []
        for round in 0..<120 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where !notes.isEmpty:
                let note = notes.remove(at: Int.random(in: 0..<notes.count, using: &random))
                _ = try desk.send(Delete<Note>(id: note.id))
            case 1, 2, 3:
                guard !notes.isEmpty else { break }
                let index = Int.random(in: 0..<notes.count, using: &random)
                notes[index].rank = Int64(round)
                notes[index] = try desk.put(notes[index])
            case 4:
                if Int.random(in: 0..<4, using: &random) == 0 { try desk.reopen() }
            case 5:
                var policy = RetentionPolicy()
                policy.bytes = Int64.random(in: 1...8000, using: &random)
                for _ in 0..<Int.random(in: 1...3, using: &random) { _ = try desk.engine.trim(policy) }
            case 6 where notes.count < 20:
                _ = try desk.send(Strike(fails: false))
                for index in notes.indices { notes[index] = try desk.send(Get<Note>(id: notes[index].id)) }
            default:
                notes.append(try desk.put(desk.note("note \(round)")))
            }
        }
        let check = try desk.verify()
        #expect(check.differences == 0 && check.records == notes.count, "seed \(seed): \(check.examples)")
        #expect(try desk.folded() == Set(notes) && desk.stored() == Set(notes), "seed \(seed)")
    }
}
