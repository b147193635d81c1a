import CBOR
import Messages
import Store
import Testing
import ZeroMQ

@testable import Service

/// Lists as of a moment.
struct PastTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
    }

    private static let words = ["ada", "\u{C5}ke", "Bread", "brown", "sugar", "rye", "йод"]

    /// Ways to ask for a list, each other in filter, sort and size of its pages.
    private static let requests: [List<Note>] = [
        List(limit: 1000), List(sort: [SortKey("rank", descending: true), SortKey("title")], limit: 2),
        List(sort: [SortKey("color"), SortKey("rank", descending: true)], limit: 3),
        List(filter: .contains("title", "a"), limit: 1), List(filter: .search(nil, "br su"), limit: 2),
        List(filter: .or([.search("lines", "sugar"), .equal("color", nil)]), sort: [SortKey("id")], limit: 3),
        List(filter: .not(.range("rank", from: .integer(2), through: nil)), sort: [SortKey("rank")], limit: 2),
    ]

    /// All rows, by walking pages.
    private func walk<R: Listed>(_ request: List<R>, _ asOf: AsOf?) throws -> [R] {
        var (request, rows) = (request, [R]())
        request.asOf = asOf
        for _ in 1...1000 {
            let page = try desk.send(request, key: nil)
            #expect((page.asOf == nil) == (asOf == nil))
            rows += page.rows
            guard let next = page.next else { return rows }
            request.after = next
        }
        Issue.record("the pages never end")
        return rows
    }

    /// What lists show.
    private struct Seen: Equatable {
        var notes: [[Note]]
        var lines: [ListedPart<Note.Line>]
    }

    private func seen(_ asOf: AsOf? = nil) throws -> Seen {
        Seen(
            notes: try Self.requests.map { try walk($0, asOf) },
            lines: try walk(List(filter: .contains("text", "r"), sort: [SortKey("text")], limit: 4), asOf)
        )
    }

    /// A moment, and what lists showed then.
    private struct Moment {
        var sequence: Int64
        var time: Instant
        var seen: Seen
    }

    private func moment() throws -> Moment {
        let moment = Moment(sequence: desk.engine.log.sequence, time: .now(), seen: try seen())
        // What comes next has a later time.
        while Instant.now() <= moment.time {}
        return moment
    }

    /// Something that happens to notes at random.
    private func step(_ notes: inout [Note], _ keys: inout [Identifier], _ random: inout Seeded) throws {
        func text() -> String {
            (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in Self.words.randomElement(using: &random) }
                .joined(separator: " ")
        }
        func lines() -> [Note.Line] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in Note.Line(id: .make(), text: text()) }
        }
        let key = Identifier.make()
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2:
            let note = desk.note(text(), color: Bool.random(using: &random) ? text() : nil, rank: 1, lines: lines())
            notes.append(try desk.send(Put(note), key: key))
        case 3, 4, 5:
            guard let index = notes.indices.randomElement(using: &random) else { return }
            notes[index].title = text()
            notes[index].rank = Int64.random(in: 0...4, using: &random)
            notes[index].color = [nil, "red", text()].randomElement(using: &random) ?? nil
            if Bool.random(using: &random) { notes[index].lines += lines() }
            if Bool.random(using: &random), !notes[index].lines.isEmpty { notes[index].lines.removeFirst() }
            notes[index] = try desk.send(Put(notes[index]), key: key)
        case 6:
            guard let index = notes.indices.randomElement(using: &random) else { return }
            _ = try desk.send(Delete<Note>(id: notes.remove(at: index).id), key: key)
        case 7: _ = try desk.send(Strike(fails: false), key: key)
        default:
            // Whatever can't be undone any more leaves all as it is.
            if let undone = keys.randomElement(using: &random) {
                _ = try desk.answer(UndoCommand(key: undone), key: key)
            }
        }
        keys.append(key)
        notes = try desk.send(List<Note>(limit: 10_000), key: nil).rows
    }

    @Test(arguments: [1, 42] as [UInt64]) func aListAsOfAMomentIsTheListOfThen(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var (notes, keys) = ([Note](), [Identifier]())
        var moments = [try moment()]
        for _ in 0..<40 {
            try step(&notes, &keys, &random)
            moments.append(try moment())
            // Also in between, so that what is kept of the past is brought up to date.
            if let past = moments.randomElement(using: &random) {
                #expect(try seen(AsOf(time: past.time)) == past.seen, "seed \(seed), event \(past.sequence)")
                #expect(try seen(AsOf(time: past.time)) == past.seen)
            }
        }
        for past in moments {
            #expect(try seen(AsOf(sequence: past.sequence)) == past.seen, "seed \(seed), event \(past.sequence)")
            #expect(try seen(AsOf(time: past.time)) == past.seen, "seed \(seed), until \(past.time)")
        }
        // What is now is not touched by all that.
        #expect(try seen() == moments.last?.seen)
    }

    @Test(arguments: [3, 99] as [UInt64]) func belowTheFloorItIsRefusedAndAboveItIsAsBefore(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var (notes, keys) = ([Note](), [Identifier]())
        var moments: [Moment] = []
        for _ in 0..<30 {
            try step(&notes, &keys, &random)
            moments.append(try moment())
        }
        for index in [10, 25] {
            let hourLater = moments[index].time.advanced(by: .seconds(3600))
            while try desk.engine.trim(try RetentionPolicy("1h"), now: hourLater) {}
            let floor = try Floor.load(desk.engine.session)
            #expect(floor.sequence > 0)
            for past in moments {
                if past.sequence < floor.sequence {
                    for asOf in [AsOf(sequence: past.sequence), AsOf(time: past.time)] {
                        let refusal = try desk.refusal(List<Note>(asOf: asOf), key: nil)
                        #expect(refusal.status == .gone && refusal.body.field == "asOf")
                        #expect(refusal.body.message.contains("known from \(floor.time), event \(floor.sequence) on"))
                    }
                } else {
                    #expect(try seen(AsOf(sequence: past.sequence)) == past.seen, "seed \(seed)")
                    #expect(try seen(AsOf(time: past.time)) == past.seen, "seed \(seed)")
                }
            }
        }
    }

    @Test func ofWhatWasErasedNothingComesBack() throws {
        let secret = "Qvistzon"
        var note = try desk.put(desk.note(secret, color: secret, lines: [Note.Line(id: .make(), text: secret)]))
        let other = try desk.put(desk.note("rye"))
        note.rank = 2
        note = try desk.put(note)
        note.title = "\(secret) again"
        note = try desk.put(note)
        let head = desk.engine.log.sequence
        let gone = try desk.put(desk.note("\(secret) too"))
        _ = try desk.send(Delete<Note>(id: gone.id))
        // What is kept of the past is forgotten, too.
        #expect(try walk(List<Note>(), AsOf(sequence: 3)).contains { $0.title == secret })
        _ = try desk.send(Erase<Note>(id: note.id))
        _ = try desk.send(Erase<Note>(id: gone.id))
        for sequence in 0...desk.engine.log.sequence {
            let answer = try desk.answer(List<Note>(asOf: AsOf(sequence: sequence)), key: nil)
            #expect(answer.body.firstRange(of: Array(secret.utf8)) == nil, "event \(sequence)")
            #expect(try walk(List<Note>(filter: .search(nil, secret)), AsOf(sequence: sequence)).isEmpty)
            #expect(try walk(List<ListedPart<Note.Line>>(), AsOf(sequence: sequence)).isEmpty)
        }
        let then = try walk(List<Note>(), AsOf(sequence: head))
        #expect(then.map(\.title) == [Erased.name, "rye"] && then.map(\.rank) == [2, 0])
        #expect(then.first?.version == 3 && then.last == other)
        #expect(try walk(List<Note>(), AsOf(sequence: 0)).isEmpty)
    }

    @Test func whatIsNoMomentIsRefused() throws {
        _ = try desk.put(desk.note("a"))
        let beyond = try desk.refusal(List<Note>(asOf: AsOf(sequence: 2)), key: nil)
        #expect(beyond.status == .invalid && beyond.body.message == "there is no event 2 of notes: they go from 1 to 1")
        #expect(try desk.refusal(List<Note>(asOf: AsOf(sequence: -1)), key: nil).status == .invalid)
        var both = AsOf(sequence: 1)
        both.time = .now()
        #expect(try desk.refusal(List<Note>(asOf: both), key: nil).status == .invalid)
        // A refusal leaves nothing behind.
        #expect(
            try desk.refusal(List<Note>(filter: .equal("x", nil), asOf: AsOf(sequence: 0)), key: nil).status == .invalid
        )
        #expect(try walk(List<Note>(), AsOf(sequence: 1)).map(\.title) == ["a"])
        #expect(try walk(List<Note>(), AsOf(time: .now().advanced(by: .seconds(3600)))).map(\.title) == ["a"])
    }

    /// An event that a clock put back wrote with an earlier time counts as happened with the one before it.
    @Test func aClockThatIsPutBackKeepsTheOrder() throws {
        var log = desk.engine.log
        let session = desk.engine.session
        let note = desk.note("a")
        func event(_ version: Int) throws -> PendingEvent {
            PendingEvent(entity: "note", action: "updated", subject: note.id, version: version, data: try encoded(note))
        }
        let times: [Int64] = [100, 50, 60, 100, 101]
        for (index, time) in times.enumerated() {
            _ = try log.append([try event(index + 1)], session, time: Instant(microseconds: time))
        }
        func sequence(_ time: Int64) throws -> Int64 {
            try PastMoment.reached(AsOf(time: Instant(microseconds: time)), of: Note.service, session).sequence
        }
        #expect(try sequence(99) == 0 && sequence(100) == 4 && sequence(101) == 5 && sequence(.max) == 5)
    }

    @Test func pagesShowTheListOfThenWhileOthersWrite() throws {
        for number in 0..<30 { _ = try desk.put(desk.note("note \(number)", rank: Int64(number % 4))) }
        var request = List<Note>(sort: [SortKey("rank", descending: true), SortKey("title")], limit: 4)
        let then = try walk(request, nil)
        var random = Seeded(state: 11)
        var (notes, keys) = (then, [Identifier]())
        request.asOf = AsOf(sequence: desk.engine.log.sequence)
        var seen: [Note] = []
        repeat {
            let page = try desk.send(request, key: nil)
            seen += page.rows
            request.after = page.next
            for _ in 0..<3 { try step(&notes, &keys, &random) }
        } while request.after != nil
        #expect(seen == then)
    }

    /// The filter is asked for twice; its limit is that of any list.
    @Test func aFilterHasAsManyValuesAsInAnyList() throws {
        for rank in [3, 1999, 2001] as [Int64] { _ = try desk.put(desk.note("note \(rank)", rank: rank)) }
        func request(_ count: Int64) -> List<Note> {
            List(filter: .or((0..<count).map { .equal("rank", .integer($0)) }), sort: [SortKey("rank")])
        }
        let sequence = desk.engine.log.sequence
        _ = try desk.send(Strike(fails: false))
        #expect(try walk(request(2000), AsOf(sequence: sequence)).map(\.title) == ["note 3", "note 1999"])
        var tooMany = request(2001)
        #expect(try desk.refusal(tooMany, key: nil).status == .invalid)
        tooMany.asOf = AsOf(sequence: sequence)
        #expect(try desk.refusal(tooMany, key: nil).status == .invalid)
    }

    @Test func whatIsKeptOfThePastIsForgottenWhenNobodyAsks() async throws {
        _ = try desk.put(desk.note("a"))
        let wakeUp = try WakeUp()
        let readers = ReaderPool(desk.engine, wakeUp: wakeUp)
        func ask(_ ticket: UInt64) throws {
            let outcome = try desk.decide([try desk.incoming(List<Note>(asOf: AsOf(sequence: 1)), key: nil)])[0]
            guard case .past(let scan) = outcome else { throw Unanswered(outcome: outcome) }
            let accepted = readers.submit(
                ticket: ticket,
                isPast: true,
                failure: { _ in .failure(.internal, "no") },
                scan
            )
            #expect(accepted)
        }
        #expect(!readers.keepsPast)
        let before = ServiceLoop.now
        try ask(1)
        #expect(readers.keepsPast)
        readers.forgetPast(unlessAskedSince: before)
        #expect(readers.keepsPast)
        readers.forgetPast(unlessAskedSince: .max)
        #expect(!readers.keepsPast)
        // It is made anew.
        try ask(2)
        readers.stop()
        #expect(readers.takeDone().map(\.answer.status) == [.ok, .ok])
    }

    /// Pages are read from what was made once, and what happens between them is added.
    @Test func pagesOfTheSameMomentAreMadeOnce() throws {
        var notes: [Note] = []
        for number in 0..<50 { notes.append(try desk.put(desk.note("note \(number)"))) }
        let asOf = AsOf(sequence: desk.engine.log.sequence)
        for note in notes {
            var changed = note
            changed.title = "changed"
            _ = try desk.put(changed)
        }
        func statements(_ request: List<Note>) throws -> Int {
            var count = 0
            guard case .past(let scan) = try desk.decide([try desk.incoming(request, key: nil)])[0] else { return 0 }
            _ = try desk.past.read { (session) throws(ServiceError) in
                let before = session.statementsRun
                _ = try scan(session)
                count = session.statementsRun - before
            }
            return count
        }
        let first = try statements(List(limit: 10, asOf: asOf))
        #expect(first > 100)
        #expect(try statements(List(limit: 10, asOf: asOf)) < 15)
        _ = try desk.put(desk.note("one more"))
        #expect(try statements(List(limit: 10, asOf: asOf)) < 20)
        #expect(try walk(List<Note>(limit: 7), asOf).count == 50)
    }
}
