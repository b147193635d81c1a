import CBOR
import Messages
import Testing

@testable import Service

/// A log of numbers that can be read and published, lost, restarted and made anew.
private struct FakeLog {
    var epoch = Identifier.make()
    var run = Identifier.make()
    var events: [EncodedCBOR] = []

    var head: Int64 { Int64(events.count) }

    func chain(_ sequence: Int64) -> UInt64 { UInt64(sequence) &* 1_000_003 }

    mutating func append(_ value: Int) throws {
        events.append(try EncodedCBOR(encoding: value))
    }

    func page(_ read: ReadEvents, limit: Int = 3) -> EventPage {
        if let known = read.epoch, known != epoch {
            return EventPage(epoch: epoch, events: [], through: head, chain: chain(head), head: head, resync: .epoch)
        }
        if read.sequence > head {
            return EventPage(epoch: epoch, events: [], through: head, chain: chain(head), head: head, resync: .future)
        }
        let rest = Array(events[Int(read.sequence)...].prefix(limit))
        let through = read.sequence + Int64(rest.count)
        return EventPage(epoch: epoch, events: rest, through: through, chain: chain(through), head: head)
    }

    func header(_ first: Int64, _ through: Int64) -> EventsHeader {
        EventsHeader(epoch: epoch, run: run, first: first, through: through, chain: chain(through))
    }

    var heartbeat: Heartbeat { Heartbeat(epoch: epoch, run: run, sequence: head, entities: [:]) }
}

struct FollowerTests {
    @Test func readsToTheHeadAndThenLives() throws {
        var log = FakeLog()
        for value in 1...5 { try log.append(value) }
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        #expect(follower.start(now: 0) == [.read(ReadEvents(), id: 1)])
        let first = follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 1)
        #expect(first.count == 2 && follower.state == .catchingUp)
        let next = ReadEvents(epoch: log.epoch, sequence: 3, chain: log.chain(3))
        #expect(first[1] == .read(next, id: 2))
        let second = follower.received(log.page(next), run: log.run, answering: 2, now: 2)
        #expect(second == [.apply(Array(log.events[3...]), Cursor(epoch: log.epoch, sequence: 5, chain: log.chain(5)))])
        #expect(follower.state == .live)
        #expect(follower.heard(log.heartbeat, now: 3) == [])
    }

    /// What was read from is no longer kept, but what was published came further meanwhile: nothing is made anew.
    @Test func isNotSentBackByTheAnswerToAnEarlierPosition() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = live(log)
        let first = ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1))
        #expect(follower.awaitHead(now: 2).actions == [.read(first, id: 2)])
        try log.append(2)
        let reached = Cursor(epoch: log.epoch, sequence: 2, chain: log.chain(2))
        #expect(
            follower.published(log.header(2, 2), [log.events[1]], now: 3) == [.apply([log.events[1]], reached)]
        )
        let page = EventPage(
            epoch: log.epoch,
            events: [],
            through: 2,
            chain: log.chain(2),
            head: 2,
            resync: .compacted
        )
        let second = ReadEvents(epoch: log.epoch, sequence: 2, chain: log.chain(2))
        #expect(follower.received(page, run: log.run, answering: 2, now: 4) == [.read(second, id: 3)])
    }

    /// As only a faulty service tells them.
    @Test func numbersThatNoLogHasAreNoAnswer() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        for (through, head) in [(Int64.min, 1), (-1, 1), (0, 1), (1, .min)] as [(Int64, Int64)] {
            let page = EventPage(epoch: log.epoch, events: log.events, through: through, chain: 0, head: head)
            #expect(follower.received(page, run: log.run, answering: 1, now: 1) == [])
        }
        #expect(follower.cursor == nil)
        #expect(follower.tick(now: Follower.patience) == [.read(ReadEvents(), id: 2)])
        follower = live(log)
        let message = EventsHeader(epoch: log.epoch, run: log.run, first: .min, through: .max, chain: 0)
        #expect(follower.published(message, log.events, now: 2).count == 1)
        #expect(follower.cursor?.sequence == 1)
    }

    @Test func aPageOfASnapshotHasAPosition() throws {
        let log = FakeLog()
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        var page = log.page(ReadEvents())
        page.resync = .compacted
        #expect(follower.received(page, run: log.run, answering: 1, now: 1).count == 2)
        let rows = ReadSnapshot.Reply(rows: [], next: nil, epoch: log.epoch, sequence: -1, chain: 0)
        #expect(follower.copied(rows, run: log.run, answering: 2, now: 2) == [])
    }

    @Test func appliesWhatContinuesAndIgnoresWhatItHas() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = live(log)
        try log.append(2)
        let events = [log.events[1]]
        let cursor = Cursor(epoch: log.epoch, sequence: 2, chain: log.chain(2))
        #expect(follower.published(log.header(2, 2), events, now: 2) == [.apply(events, cursor)])
        #expect(follower.published(log.header(2, 2), events, now: 3) == [])
    }

    @Test func readsWhereSomethingIsMissing() throws {
        var log = FakeLog()
        var follower = live(log)
        for value in 1...3 { try log.append(value) }
        let actions = follower.published(log.header(3, 3), [log.events[2]], now: 2)
        #expect(actions == [.read(ReadEvents(epoch: log.epoch, sequence: 0, chain: log.chain(0)), id: 2)])
    }

    @Test func aLostTailIsNoticedByTheHeartbeat() throws {
        var log = FakeLog()
        var follower = live(log)
        try log.append(1)
        #expect(follower.heard(log.heartbeat, now: 2).count == 1)
    }

    @Test func aNewRunIsReadBeforeAnythingIsApplied() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = live(log)
        log.run = .make()
        try log.append(2)
        let actions = follower.published(log.header(2, 2), [log.events[1]], now: 2)
        #expect(actions == [.read(ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1)), id: 2)])
    }

    @Test func anotherEpochStartsAnew() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = live(log)
        log = FakeLog()
        try log.append(7)
        #expect(follower.heard(log.heartbeat, now: 2).count == 1)
        let old = ReadEvents(epoch: .make(), sequence: 1)
        let actions = follower.received(log.page(old), run: log.run, answering: 2, now: 3)
        #expect(actions == [.reset(.epoch), .read(ReadEvents(), id: 3)])
    }

    @Test func repeatsAReadThatIsNotAnswered() {
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        #expect(follower.tick(now: Follower.patience - 1) == [])
        #expect(follower.tick(now: Follower.patience) == [.read(ReadEvents(), id: 2)])
        // The late answer to the first is used, and does not end the wait for the second's.
        let log = FakeLog()
        let cursor = Cursor(epoch: log.epoch, sequence: 0, chain: 0)
        #expect(follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 700) == [.apply([], cursor)])
        #expect(follower.tick(now: 2 * Follower.patience).count == 1)
    }

    @Test func aLateAnswerOfAnotherPastIsNotMixedIn() throws {
        var log = FakeLog()
        for value in 1...2 { try log.append(value) }
        var follower = live(log)
        // The same epoch and numbers, but not what was applied: the source was put back meanwhile.
        try log.append(3)
        let page = EventPage(
            epoch: log.epoch,
            events: log.events,
            through: 3,
            chain: 99,
            head: 3,
            chains: [7, 8, 99]
        )
        #expect(follower.received(page, run: log.run, answering: 1, now: 2) == [])
        let chains = (Int64(1)...3).map { log.chain($0) }
        let right = EventPage(
            epoch: log.epoch,
            events: log.events,
            through: 3,
            chain: log.chain(3),
            head: 3,
            chains: chains
        )
        let cursor = Cursor(epoch: log.epoch, sequence: 3, chain: log.chain(3))
        #expect(follower.received(right, run: log.run, answering: 1, now: 3) == [.apply([log.events[2]], cursor)])
    }

    @Test func anAnswerThatLeavesAHoleIsAskedForAgainLater() throws {
        var log = FakeLog()
        for value in 1...9 { try log.append(value) }
        var follower = Follower(cursor: nil, entities: [])
        _ = follower.start(now: 0)
        let page = EventPage(epoch: log.epoch, events: [log.events[8]], through: 9, chain: log.chain(9), head: 9)
        #expect(follower.received(page, run: log.run, answering: 1, now: 1) == [])
        #expect(follower.tick(now: Follower.patience) == [])
        #expect(follower.tick(now: Follower.patience + 1) == [.read(ReadEvents(), id: 2)])
    }

    @Test func whoWaitsForTheHeadIsServedByAReadThatBeganLater() throws {
        var log = FakeLog()
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        let (ticket, actions) = follower.awaitHead(now: 1)
        #expect(actions == [])
        // The read that was under way does not count.
        let first = follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 2)
        #expect(!first.contains(.settled(through: ticket, reached: true)))
        try log.append(1)
        let next = ReadEvents(epoch: log.epoch, sequence: 0, chain: 0)
        #expect(first.last == .read(next, id: 2))
        let second = follower.received(log.page(next), run: log.run, answering: 2, now: 3)
        #expect(second.last == .settled(through: ticket, reached: true))
    }

    @Test func whoWaitsForAnUnreachableSourceIsLetGo() {
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        let (ticket, _) = follower.awaitHead(now: 0)
        #expect(!follower.tick(now: 1000).contains(.settled(through: ticket, reached: false)))
        #expect(follower.tick(now: Follower.silence).contains(.settled(through: ticket, reached: false)))
    }

    @Test func whoWaitsForASourceThatIsHeardOfIsNotLetGo() throws {
        let log = FakeLog()
        var follower = live(log)
        let (ticket, _) = follower.awaitHead(now: 10)
        // What was told can't be written, again and again.
        for step in 1...20 as ClosedRange<Int64> {
            follower.postpone(cursor: nil, now: step * 500)
            _ = follower.heard(log.heartbeat, now: step * 500)
            let actions = follower.tick(now: step * 500 + 499)
            #expect(!actions.contains(.settled(through: ticket, reached: false)))
        }
        let last = 10_000 + Follower.silence
        #expect(follower.tick(now: last).contains(.settled(through: ticket, reached: false)))
    }

    @Test func stopsAtWhatCantBeApplied() throws {
        var log = FakeLog()
        try log.append(1)
        var follower = live(log)
        let before = follower.cursor
        try log.append(2)
        _ = follower.published(log.header(2, 2), [log.events[1]], now: 2)
        _ = follower.stop("can't", cursor: before)
        #expect(follower.state == .stopped && follower.cursor == before)
        #expect(follower.heard(log.heartbeat, now: 3) == [] && follower.tick(now: 100_000) == [])
    }

    /// Whatever is lost, repeated, reordered or restarted: what was applied is the log, in order, without a hole.
    @Test(arguments: 0..<200) func everyScheduleEndsEqual(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        var log = FakeLog()
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        var applied: [EncodedCBOR] = []
        var requests: [(ReadEvents, UInt64)] = []
        var mail: [(EventsHeader, [EncodedCBOR])] = []
        var now: Int64 = 0

        func perform(_ actions: [Follower.Action]) {
            for action in actions {
                switch action {
                case .read(let request, let id): requests.append((request, id))
                case .apply(let events, let cursor):
                    applied += events
                    #expect(Int64(applied.count) == cursor.sequence, "seed \(seed)")
                case .reset: applied = []
                case .settled, .readPage, .copy, .catchUp: break
                }
            }
        }

        func step(isFaulty: Bool) throws {
            now += Int64.random(in: 0...300, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where isFaulty, 1 where isFaulty:
                let first = log.head + 1
                for _ in 0..<Int.random(in: 1...3, using: &random) { try log.append(Int(log.head) + seed) }
                mail.append((log.header(first, log.head), Array(log.events[Int(first - 1)...])))
            case 2 where !mail.isEmpty:
                let index = isFaulty ? Int.random(in: 0..<mail.count, using: &random) : 0
                let (header, events) = mail[index]
                // Lost, repeated, or in another order.
                if !isFaulty || Bool.random(using: &random) { perform(follower.published(header, events, now: now)) }
                if Bool.random(using: &random) { mail.remove(at: index) }
            case 3, 4:
                guard !requests.isEmpty else { break }
                let (request, id) = requests.removeFirst()
                if isFaulty && Int.random(in: 0..<3, using: &random) == 0 { break }
                perform(follower.received(log.page(request), run: log.run, answering: id, now: now))
            case 5 where isFaulty:
                if Int.random(in: 0..<5, using: &random) == 0 { log.run = .make() }
                if Int.random(in: 0..<40, using: &random) == 0 { log = FakeLog() }
            case 6:
                perform(follower.heard(log.heartbeat, now: now))
            default:
                perform(follower.tick(now: now))
            }
        }

        perform(follower.start(now: now))
        for _ in 0..<300 { try step(isFaulty: true) }
        mail = []
        for _ in 0..<2000 where follower.state != .live || Int64(applied.count) != log.head {
            try step(isFaulty: false)
        }
        let isEqual = applied == log.events
        #expect(isEqual, "seed \(seed): \(applied.count) of \(log.head) applied, \(follower.state)")
    }

    /// A follower that has read this log to its head; its last read was number 1.
    private func live(_ log: FakeLog) -> Follower {
        var follower = Follower(cursor: nil, entities: [Paint.entity])
        _ = follower.start(now: 0)
        _ = follower.received(log.page(ReadEvents(), limit: 100), run: log.run, answering: 1, now: 1)
        return follower
    }
}
