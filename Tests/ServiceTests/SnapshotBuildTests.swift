import CBOR
import Messages
import Store
import Testing

@testable import Service

/// The paints' service and one that keeps what it knows of them, joined by messages that can be lost.
private final class Town {
    let paints: Desk
    let notes: Desk
    private(set) var follower: Follower
    private(set) var settled: UInt64 = 0
    private(set) var copies = 0
    private var requests: [(request: Read, id: UInt64)] = []
    private var published: [(EventsHeader, [EncodedCBOR])] = []
    /// The paints' names as they were after each event.
    private var states: [Int64: [Identifier: String]] = [0: [:]]
    private var now: Int64 = 0

    private enum Read {
        case events(ReadEvents)
        case page(ReadSnapshot)
    }

    init() throws {
        paints = try Desk(Paints.definition)
        notes = try Desk()
        follower = Follower(cursor: nil, entities: [Paint.entity])
        try perform(follower.start(now: now))
    }

    var known: [Identifier: String] {
        get throws {
            var known: [Identifier: String] = [:]
            try notes.engine.session.query("SELECT id, name FROM paints") { row in
                if let id = row.id(0) { known[id] = row.text(1) }
            }
            return known
        }
    }

    var actual: [Identifier: String] { states[paints.engine.log.sequence] ?? [:] }

    /// Sends a change to the paints' service.
    func change(_ request: some Request) throws {
        let before = paints.engine.log.sequence
        _ = try paints.send(request)
        let log = paints.engine.log
        guard log.sequence > before, let event = paints.told.last else { return }
        var state = states[before] ?? [:]
        state[event.subject] = try event.data?.decode(Paint.self).name
        states[log.sequence] = state
        let header = EventsHeader(
            epoch: log.epoch,
            run: paints.engine.run,
            first: log.sequence,
            through: log.sequence,
            chain: log.chain
        )
        published.append((header, [try EncodedCBOR(encoding: event)]))
    }

    /// Answers the oldest request, or loses it.
    func answer(isLost: Bool = false) throws {
        guard !requests.isEmpty else { return }
        let (request, id) = requests.removeFirst()
        if isLost { return }
        let run = paints.engine.run
        switch request {
        case .events(var read):
            read.limit = 4
            try perform(follower.received(try paints.send(read, key: nil), run: run, answering: id, now: now))
        case .page(var read):
            read.limit = 3
            try perform(follower.copied(try paints.send(read, key: nil), run: run, answering: id, now: now))
        }
        try check()
    }

    func deliver(isLost: Bool) throws {
        guard !published.isEmpty else { return }
        let (header, events) = published.removeFirst()
        if !isLost { try perform(follower.published(header, events, now: now)) }
        try check()
    }

    func beat() throws {
        let log = paints.engine.log
        let heartbeat = Heartbeat(
            epoch: log.epoch,
            run: paints.engine.run,
            sequence: log.sequence,
            entities: log.entities
        )
        try perform(follower.heard(heartbeat, now: now))
    }

    func wait(_ milliseconds: Int64) throws {
        now += milliseconds
        try perform(follower.tick(now: now))
    }

    /// The follower's process ends and starts again.
    func crash() throws {
        try notes.reopen()
        requests = []
        follower = Follower(cursor: notes.engine.cursors[Paint.service], entities: [Paint.entity])
        try check()
        try perform(follower.start(now: now))
    }

    func restartSource() throws {
        try paints.reopen()
        published = []
    }

    func rebuild() throws {
        _ = try notes.send(RebuildProjection(source: Paint.service))
        #expect(notes.engine.takeRebuilt() == [Paint.service])
        #expect(try known.isEmpty)
        try perform(follower.rebuild(now: now))
    }

    /// Writing what was told fails for want of room.
    func postpone() throws {
        follower.postpone(cursor: notes.engine.cursors[Paint.service], now: now)
    }

    func awaitHead() throws -> UInt64 {
        let (ticket, actions) = follower.awaitHead(now: now)
        try perform(actions)
        return ticket
    }

    /// Goes on without faults until all is told.
    func finish() throws {
        published = []
        for _ in 0..<400 where follower.state != .live || follower.cursor?.sequence != paints.engine.log.sequence {
            try answer()
            try beat()
            try wait(100)
        }
    }

    private func perform(_ actions: [Follower.Action]) throws {
        for action in actions {
            switch action {
            case .read(let request, let id): requests.append((.events(request), id))
            case .readPage(let request, let id): requests.append((.page(request), id))
            case .apply(let events, let cursor):
                notes.told += try decoded(notes.engine.apply(events, of: Paint.service, reaching: cursor).get())
            case .catchUp(let events, let cursor, let copy):
                notes.told += try decoded(
                    notes.engine.apply(events, of: Paint.service, reaching: cursor, catchingUp: copy).get()
                )
            case .copy(let rows):
                copies += 1
                try notes.engine.copy(rows, of: Paint.service).get()
            case .reset(let reason):
                let isCopied = reason == .compacted
                try notes.engine.reset(Paint.service, isOtherLog: !isCopied, isCopied: isCopied).get()
            case .settled(let ticket, let reached):
                if reached { settled = ticket }
            }
        }
    }

    private func decoded(_ events: [LoggedEvent]) throws -> [Event] {
        try events.map { try CBORDecoder().decode(Event.self, from: $0.body) }
    }

    /// Where a position is told, the projection is what the paints were there; and only then it is live.
    private func check() throws {
        guard let cursor = notes.engine.cursors[Paint.service] else {
            #expect(follower.state != .live)
            return
        }
        #expect(try known == states[cursor.sequence])
        #expect(follower.cursor == cursor || follower.cursor == nil)
    }
}

struct SnapshotBuildTests {
    private let town: Town

    init() throws {
        town = try Town()
    }

    private func paints(_ count: Int) throws -> [Paint] {
        let paints = (0..<count).map { Paint(id: .make(), name: "paint \($0)") }
        for paint in paints { try town.change(Put(paint)) }
        return paints
    }

    @Test func aLogWithoutItsBeginningIsCopiedFromSnapshots() throws {
        _ = try paints(10)
        try town.paints.trimAll()
        let ticket = try town.awaitHead()
        try town.finish()
        #expect(town.copies == 4 && town.follower.state == .live)
        #expect(try town.known == town.actual)
        #expect(town.settled == ticket)
    }

    @Test func aWholeLogIsReadFromItsBeginning() throws {
        _ = try paints(10)
        try town.finish()
        #expect(try town.copies == 0 && town.known == town.actual)
    }

    @Test func writersGoOnBetweenThePages() throws {
        var all = try paints(10).sorted { $0.id < $1.id }
        try town.paints.trimAll()
        try town.answer()
        for round in 0..<4 {
            // Before and behind the page: changed, deleted, made.
            for index in [0, all.count - 1] {
                var paint = all[index]
                paint.version = try town.paints.send(Get<Paint>(id: paint.id)).version
                paint.name += " \(round)"
                try town.change(Put(paint))
            }
            try town.change(Delete<Paint>(id: all.remove(at: all.count / 2).id))
            _ = try paints(1)
            try town.answer()
            #expect(town.notes.engine.cursors[Paint.service] == nil && town.follower.state != .live)
        }
        let ticket = try town.awaitHead()
        #expect(town.settled < ticket)
        try town.finish()
        #expect(try town.known == town.actual)
        #expect(town.settled == ticket)
    }

    @Test func aCrashBetweenThePagesStartsAgain() throws {
        _ = try paints(10)
        try town.paints.trimAll()
        for _ in 0..<3 { try town.answer() }
        #expect(try !town.known.isEmpty)
        #expect(try town.notes.refusal(HashProjection(source: Paint.service), key: nil).status == .unavailable)
        try town.crash()
        #expect(try town.known.isEmpty && town.notes.engine.cursors.isEmpty)
        try town.finish()
        #expect(try town.known == town.actual)
    }

    @Test func aSourceWithAnotherLogBetweenThePagesStartsAgain() throws {
        _ = try paints(10)
        try town.paints.trimAll()
        for _ in 0..<3 { try town.answer() }
        try town.paints.engine.session.execute(
            "UPDATE meta SET value = $1 WHERE key = 'epoch'",
            .text("\(Identifier.make())")
        )
        try town.restartSource()
        try town.finish()
        #expect(try town.known == town.actual)
        #expect(town.follower.cursor?.epoch == town.paints.engine.log.epoch)
    }

    @Test func whatCantBeWrittenBetweenThePagesStartsAgain() throws {
        _ = try paints(10)
        try town.paints.trimAll()
        for _ in 0..<3 { try town.answer() }
        try town.postpone()
        try town.finish()
        #expect(try town.known == town.actual)
    }

    @Test func aBuildRunsNoReactionsButMends() throws {
        let all = try paints(3)
        try town.finish()
        let kept = try town.notes.put(town.notes.note("kept", color: "paint:paint 0"))
        let lost = try town.notes.put(town.notes.note("lost", color: "paint:paint 1"))
        let gone = try town.notes.put(town.notes.note("gone", color: "gone"))
        // The delete is trimmed before it is told.
        try town.change(Delete<Paint>(id: all[1].id))
        _ = try paints(1)
        try town.paints.trimAll()
        try town.crash()
        try town.finish()
        #expect(town.copies > 0)
        #expect(try town.notes.send(Get<Note>(id: kept.id)).color == "paint:paint 0")
        #expect(try town.notes.send(Get<Note>(id: lost.id)).color == nil)
        #expect(try town.notes.send(Get<Note>(id: gone.id)).color == "gone")
        #expect(town.notes.told.last?.cause?.hasPrefix("paints:") == true)
        // What is told from here on is reacted to again.
        try town.change(Delete<Paint>(id: all[0].id))
        try town.finish()
        #expect(try town.notes.send(Get<Note>(id: gone.id)).color == nil)
    }

    @Test func aRebuildGivesTheSameHash() throws {
        let all = try paints(10)
        try town.change(Delete<Paint>(id: all[4].id))
        try town.finish()
        let request = HashProjection(source: Paint.service)
        let before = try town.notes.send(request, key: nil)
        #expect(before.rows == 9)
        let position = try town.notes.send(RebuildProjection(source: Paint.service)).position
        #expect(position?.sequence == 11)
        try town.rebuild()
        try town.finish()
        #expect(try town.notes.send(request, key: nil) == before)
        try town.paints.trimAll()
        try town.rebuild()
        try town.finish()
        #expect(town.copies > 0)
        #expect(try town.notes.send(request, key: nil) == before)
        try town.change(Delete<Paint>(id: all[5].id))
        try town.finish()
        #expect(try town.notes.send(request, key: nil).hash != before.hash)
    }

    @Test func onlyWhatIsFollowedIsRebuilt() throws {
        let refusal = try town.notes.refusal(RebuildProjection(source: .orders))
        #expect(refusal.status == .invalid && refusal.body.message.contains("paints"))
        #expect(try town.notes.refusal(HashProjection(source: .orders), key: nil).status == .invalid)
        #expect(try town.paints.refusal(RebuildProjection(source: .orders)).status == .unknownOperation)
    }

    @Test func aRebuildThatIsRepeatedEmptiesOnce() throws {
        let key = Identifier.make()
        _ = try town.notes.send(RebuildProjection(source: Paint.service), key: key)
        #expect(town.notes.engine.takeRebuilt() == [Paint.service])
        _ = try town.notes.send(RebuildProjection(source: Paint.service), key: key)
        #expect(town.notes.engine.takeRebuilt().isEmpty)
    }

    /// Writes, trims, losses, restarts of either side and rebuilds in any order: what is told as whole is so at each
    /// moment, and in the end the projection has the content of one that saw every event as it came.
    @Test(arguments: 0..<60) func everyScheduleEndsEqual(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var all: [Paint] = []
        for round in 0..<150 {
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1:
                let paint = Paint(id: .make(), name: "paint \(round)")
                all.append(paint)
                try town.change(Put(paint))
            case 2 where !all.isEmpty:
                let index = Int.random(in: 0..<all.count, using: &random)
                var paint = try town.paints.send(Get<Paint>(id: all[index].id))
                paint.name = "paint \(round)"
                try town.change(Put(paint))
            case 3 where all.count > 4:
                try town.change(Delete<Paint>(id: all.remove(at: Int.random(in: 0..<all.count, using: &random)).id))
            case 4:
                var policy = RetentionPolicy()
                policy.bytes = Int64.random(in: 1...1000, using: &random)
                _ = try town.paints.engine.trim(policy)
            case 5:
                if Int.random(in: 0..<3, using: &random) == 0 { try town.crash() }
            case 6:
                if Int.random(in: 0..<3, using: &random) == 0 { try town.restartSource() }
            case 7:
                if Int.random(in: 0..<3, using: &random) == 0 { try town.rebuild() }
            case 8:
                try town.beat()
            case 9:
                try town.deliver(isLost: Bool.random(using: &random))
            case 10:
                try town.wait(Int64.random(in: 0...600, using: &random))
            default:
                try town.answer(isLost: Int.random(in: 0..<5, using: &random) == 0)
            }
        }
        try town.finish()
        #expect(town.follower.state == .live, "seed \(seed)")
        #expect(try town.known == town.actual, "seed \(seed)")
        #expect(try town.paints.verify().differences == 0, "seed \(seed)")
        let steady = try Town()
        let hash = try town.notes.send(HashProjection(source: Paint.service), key: nil)
        for (id, name) in town.actual.shuffled(using: &random) {
            try steady.change(Put(Paint(id: id, name: name)))
            try steady.finish()
        }
        #expect(try steady.notes.send(HashProjection(source: Paint.service), key: nil) == hash, "seed \(seed)")
    }
}
