import CBOR
import Messages
import Store
import Testing

@testable import LiveList
@testable import Service

/// Live lists over the store: whatever is done, the mirror equals a fresh query after each batch.
struct ListHubTests {
    let desk: Desk

    init() throws {
        desk = try Desk()
        desk.engine.tracksChanges = true
    }

    /// A list and a mirror of it, which knows only what is told.
    private struct Watched {
        var plan: ListHub.Plan
        var mirror: FetchedResults<EncodedCBOR>
    }

    private func open(_ query: ListQuery, _ hub: inout ListHub) throws -> Watched {
        let plan = try hub.plan(query, service: Note.service)
        let snapshot: LiveList.Snapshot
        switch hub.open(plan, positions: desk.engine.positions, now: 0) {
        case .open(let there): snapshot = there
        case .build:
            let list = try plan.build(desk.engine.session, positions: desk.engine.positions)
            let built = try hub.built(plan, list, positions: desk.engine.positions, desk.engine.session, now: 0)
            snapshot = try #require(built)
        case .wait, .refused: throw Unexpected()
        }
        let reply = snapshot.reply(topic: plan.topic)
        return Watched(plan: plan, mirror: try FetchedResults<EncodedCBOR>(reply))
    }

    private struct Unexpected: Error {}

    /// What a list that is built now shows.
    private func fresh(_ plan: ListHub.Plan) throws -> [ListSection] {
        try plan.build(desk.engine.session, positions: [:]).sections
    }

    private func isEqual(_ watched: Watched) throws -> Bool {
        let mirrored = watched.mirror.sections.map { ListSection(key: $0.key, rows: $0.rows) }
        return try mirrored == fresh(watched.plan)
    }

    /// Hands what was committed to the lists, and the batches to the mirrors; returns how many there were.
    private func deliver(_ hub: inout ListHub, _ watched: inout [Watched]) throws -> Int {
        let messages = try hub.apply(
            desk.engine.takeTouched(),
            positions: desk.engine.positions,
            desk.engine.session
        )
        for message in messages {
            let batch = try CBORDecoder().decode(ListBatch.self, from: message.body)
            for index in watched.indices where watched[index].plan.topic == message.topic {
                #expect(try watched[index].mirror.apply(batch))
            }
        }
        return messages.count
    }

    private static let queries: [ListQuery] = [
        ListQuery(.entity("note")),
        ListQuery(.entity("note"), sort: [SortKey("rank", descending: true), SortKey("title")]),
        ListQuery(.entity("note"), section: ListQuery.Section("color")),
        ListQuery(.entity("note"), section: ListQuery.Section("title", by: .letter, descending: true)),
        ListQuery(.entity("note"), filter: .range("rank", from: .integer(3), through: .integer(7))),
        ListQuery(.entity("note"), filter: .contains("title", "a"), section: ListQuery.Section("color")),
        ListQuery(.entity("note"), sort: [SortKey("rank")], window: ListWindow(offset: 2, limit: 4)),
        ListQuery(.entity("line")),
        ListQuery(.entity("line"), filter: .contains("text", "a"), section: ListQuery.Section("note")),
        ListQuery(
            .entity("line"),
            filter: .not(.equal("position", .integer(0))),
            sort: [SortKey("text", descending: true)],
            section: ListQuery.Section("text", by: .letter),
            window: ListWindow(offset: 1, limit: 5)
        ),
    ]

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func mirrorsEqualAFreshQueryAfterEachGroup(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var hub = ListHub(desk.engine.definition.routes.listSources)
        var notes: [Note] = []
        var watched = try Self.queries.map { try open($0, &hub) }
        for round in 0..<120 {
            let titles = ["ada", "Äda", "bob", "Zoe", "éva", "ива"]
            let colors = ["red", "blue", nil]
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where !notes.isEmpty:
                let note = notes.remove(at: Int.random(in: 0..<notes.count, using: &random))
                _ = try desk.send(Delete<Note>(id: note.id))
            case 1 where !notes.isEmpty, 2 where !notes.isEmpty:
                let index = Int.random(in: 0..<notes.count, using: &random)
                notes[index].rank = Int64.random(in: 0..<10, using: &random)
                notes[index].color = colors.randomElement(using: &random) ?? nil
                try change(&notes[index].lines, titles, &random)
                notes[index] = try desk.put(notes[index])
            case 3 where round % 20 == 3:
                _ = try desk.send(Strike(fails: false))
                notes = try desk.send(List<Note>(limit: 1000)).rows
            default:
                let title = try #require(titles.randomElement(using: &random))
                let rank = Int64.random(in: 0..<10, using: &random)
                notes.append(
                    try desk.put(desk.note(title, color: colors.randomElement(using: &random) ?? nil, rank: rank))
                )
            }
            _ = try deliver(&hub, &watched)
            for list in watched { #expect(try isEqual(list), "seed \(seed), round \(round)") }
        }
    }

    /// One part comes, goes, or has another text; or all stand in another order.
    private func change(_ lines: inout [Note.Line], _ texts: [String], _ random: inout Seeded) throws {
        let text = try #require(texts.randomElement(using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where !lines.isEmpty: lines.remove(at: Int.random(in: 0..<lines.count, using: &random))
        case 1 where !lines.isEmpty: lines[Int.random(in: 0..<lines.count, using: &random)].text = text
        case 2: lines.shuffle(using: &random)
        default:
            let place = Int.random(in: 0...lines.count, using: &random)
            lines.insert(Note.Line(id: .make(), text: text), at: place)
        }
    }

    @Test func aRecordsPartsAreAListOfTheirOwn() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        let lines = ["b", "a", "c"].map { Note.Line(id: .make(), text: $0) }
        var note = try desk.put(desk.note("one", lines: lines))
        let other = try desk.put(desk.note("two", lines: [Note.Line(id: .make(), text: "z")]))
        let query = ListQuery(
            .entity("line"),
            filter: .equal("note", .id(note.id)),
            sort: [SortKey("text"), SortKey("position")]
        )
        var watched = [try open(query, &hub)]
        func shown() throws -> [ListedPart<Note.Line>] {
            try watched[0].mirror.sections.flatMap(\.rows).map { try $0.decode(ListedPart<Note.Line>.self) }
        }
        #expect(try shown().map(\.part.text) == ["a", "b", "c"] && shown().map(\.position) == [1, 0, 2])
        #expect(try shown().allSatisfy { $0.owner == note.id })

        // The record changed, its parts didn't; nor did this one's.
        note.rank = 4
        note = try desk.put(note)
        _ = try desk.send(Delete<Note>(id: other.id))
        #expect(try deliver(&hub, &watched) == 0)
        // The last goes, and one changes: the first is not named.
        note.lines.removeLast()
        note.lines[0].text = "d"
        note = try desk.put(note)
        #expect(try deliver(&hub, &watched) == 1)
        #expect(try shown().map(\.part.text) == ["a", "d"])
        _ = try desk.send(Delete<Note>(id: note.id))
        #expect(try deliver(&hub, &watched) == 1 && shown().isEmpty)
    }

    /// What pages give is what a list of the same query shows.
    @Test func partsAreReadInPagesToo() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        for title in ["a", "b"] {
            _ = try desk.put(desk.note(title, lines: ["y", "Ä", "x"].map { Note.Line(id: .make(), text: $0) }))
        }
        let sort = [SortKey("text"), SortKey("position", descending: true)]
        let filter = Filter.range("text", from: .text("a"), through: .text("x"))
        let page = try desk.send(List<ListedPart<Note.Line>>(filter: filter, sort: sort)).rows
        let list = try open(ListQuery(.entity("line"), filter: filter, sort: sort), &hub)
        let rows = try list.mirror.sections.flatMap(\.rows).map { try $0.decode(ListedPart<Note.Line>.self) }
        #expect(page.map(\.part.text) == ["Ä", "Ä", "x", "x"] && page == rows)
    }

    @Test func aPartsIdIsOfOneRecordAlone() throws {
        let line = Note.Line(id: .make(), text: "mine")
        var note = try desk.put(desk.note("one", lines: [line]))
        #expect(try desk.refusal(Put(desk.note("two", lines: [line]))).status == .invalid)
        #expect(try desk.send(List<ListedPart<Note.Line>>()).rows.map(\.owner) == [note.id])
        note.lines = []
        _ = try desk.put(note)
        let other = try desk.put(desk.note("two", lines: [line]))
        #expect(try desk.send(List<ListedPart<Note.Line>>()).rows.map(\.owner) == [other.id])
    }

    @Test func whatIsNotVisibleMakesNoBatch() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        var watched = [try open(ListQuery(.entity("note"), filter: .equal("color", .text("red"))), &hub)]
        var note = try desk.put(desk.note("a", color: "blue"))
        #expect(try deliver(&hub, &watched) == 0)
        note.rank = 9
        note = try desk.put(note)
        #expect(try deliver(&hub, &watched) == 0)
        note.color = "red"
        note = try desk.put(note)
        #expect(try deliver(&hub, &watched) == 1)
        // Equal values: nothing happened.
        _ = try desk.put(note)
        #expect(try deliver(&hub, &watched) == 0)
    }

    @Test func whatHappensWhileAListIsBuiltIsInIt() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        let first = try desk.put(desk.note("a"))
        let plan = try hub.plan(ListQuery(.entity("note")), service: Note.service)
        guard case .build = hub.open(plan, now: 0) else { throw Unexpected() }
        let list = try plan.build(desk.engine.session, positions: [:])
        _ = try desk.send(Delete<Note>(id: first.id))
        _ = try desk.put(desk.note("b"))
        _ = try hub.apply(desk.engine.takeTouched(), positions: desk.engine.positions, desk.engine.session)
        guard case .wait = hub.open(plan, now: 0) else { throw Unexpected() }
        let snapshot = try hub.built(plan, list, positions: desk.engine.positions, desk.engine.session, now: 0)
        #expect(try #require(snapshot).sections == fresh(plan))
    }

    /// Whoever gives the positions on, or asked for them, is not told older ones because the list itself had no news.
    @Test func aListThatIsOpenedOnceMoreTellsHowFarTheServiceHasCome() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        let red = ListQuery(.entity("note"), filter: .equal("color", .text("red")))
        var watched = [try open(red, &hub)]
        _ = try desk.put(desk.note("a"))
        #expect(try deliver(&hub, &watched) == 0)
        #expect(try open(red, &hub).mirror.positions == desk.engine.positions)
    }

    @Test func equalQueriesShareOneListAndItIsDroppedAfterTheLastWatcher() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        let plain = try open(ListQuery(.entity("note")), &hub)
        let spelled = try open(ListQuery(.entity("note"), sort: [], window: .all), &hub)
        #expect(plain.plan.topic == spelled.plan.topic && hub.size.lists == 1)
        #expect(try hub.subscribed(plain.plan.topic, now: 0) != nil)
        #expect(try hub.beat(now: 100_000).count == 1)
        hub.unsubscribed(plain.plan.topic, now: 100_000)
        #expect(try hub.beat(now: 100_000 + ListHub.kept - 1).isEmpty && hub.size.lists == 1)
        _ = try hub.beat(now: 100_000 + ListHub.kept)
        #expect(hub.size.lists == 0)
    }

    @Test func aWatcherMayComeBeforeTheList() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        let plan = try hub.plan(ListQuery(.entity("note")), service: Note.service)
        #expect(try hub.subscribed(plan.topic, now: 0) == nil)
        _ = try open(plan.query, &hub)
        #expect(try hub.beat(now: 10 * ListHub.kept).map(\.topic) == [plan.topic])
    }

    @Test func aRowIsReadOnceForAllLists() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        var watched = try Self.queries.map { try open($0, &hub) }
        let note = try desk.put(desk.note("a"))
        let before = desk.engine.session.statementsRun
        _ = try deliver(&hub, &watched)
        #expect(desk.engine.session.statementsRun - before == 1)
        _ = note
    }

    /// A copy of a list costs as much as the list is long: with many lists a commit would cost all their rows.
    @Test func aChangeReachesEachListInItsPlace() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        var note = try desk.put(desk.note("a"))
        var watched = try Self.queries.dropLast().map { try open($0, &hub) }
        func storages() -> [Int] {
            watched.compactMap { hub.lists[$0.plan.key].map { unsafeBitCast($0.list.index, to: Int.self) } }
        }
        let before = storages()
        note.color = "blue"
        note = try desk.put(note)
        #expect(try deliver(&hub, &watched) > 1)
        #expect(storages() == before && before.count == watched.count)
    }

    /// However many watch, a change is worked out and encoded once: the socket copies it.
    @Test func aThousandWatchersCostOneDiffAndOneEncoding() throws {
        var hub = ListHub(desk.engine.definition.routes.listSources)
        var watched = [try open(ListQuery(.entity("note")), &hub)]
        for _ in 0..<1000 { #expect(try hub.subscribed(watched[0].plan.topic, now: 0) != nil) }
        _ = try desk.put(desk.note("a"))
        let before = desk.engine.session.statementsRun
        #expect(try deliver(&hub, &watched) == 1)
        #expect(desk.engine.session.statementsRun - before == 1)
        #expect(try hub.beat(now: 1000).count == 1)
    }

    @Test func whatCantBeAskedIsRefused() throws {
        let hub = ListHub(desk.engine.definition.routes.listSources)
        for query in [
            ListQuery(.entity("elephant")), ListQuery(.report("unpaid")),
            ListQuery(.entity("note"), sort: [SortKey("x")]),
            ListQuery(.entity("note"), filter: .equal("nothing", .integer(1))),
            ListQuery(.entity("note"), section: ListQuery.Section("rank", by: .month)),
        ] {
            #expect {
                try hub.plan(query, service: Note.service)
            } throws: { error in
                guard case .refused(.invalid, _)? = error as? ServiceError else { return false }
                return true
            }
        }
    }
}
