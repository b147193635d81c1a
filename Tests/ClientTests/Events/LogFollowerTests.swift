import CBOR
import Messages
import Testing

@testable import Client

struct LogFollowerTests {
    @Test func readsToTheHeadAndThenLives() {
        let log = log(of: 5)
        var follower = LogFollower(restart: .first)
        #expect(follower.start(now: 0) == [.read(ReadEvents(), id: 1)])
        let first = follower.received(log.page(ReadEvents(), limit: 3), run: log.run, answering: 1, now: 1)
        #expect(follower.state == .catchingUp)
        let next = ReadEvents(epoch: log.epoch, sequence: 3, chain: log.chain(3))
        #expect(first == [apply(log, 1, 3), .read(next, id: 2)])
        let second = follower.received(log.page(next), run: log.run, answering: 2, now: 2)
        #expect(second == [apply(log, 4, 5)])
        #expect(follower.state == .live)
        #expect(follower.heard(log.heartbeat, now: 3) == [])
    }

    @Test func appliesWhatContinuesAndIgnoresWhatItHas() {
        var log = log(of: 1)
        var follower = live(log)
        log.append("order")
        let message = log.message(2, 2)
        #expect(follower.published(message.header, message.events, now: 2) == [apply(log, 2, 2)])
        #expect(follower.published(message.header, message.events, now: 3) == [])
    }

    @Test func readsWhereSomethingIsMissing() {
        var log = FakeLog()
        var follower = live(log)
        for _ in 1...3 { log.append("order") }
        let message = log.message(3, 3)
        let actions = follower.published(message.header, message.events, now: 2)
        #expect(actions == [.read(ReadEvents(epoch: log.epoch, sequence: 0, chain: 0), id: 2)])
    }

    /// What was read from is no longer kept, but what was published came further meanwhile: nothing is begun anew.
    @Test func isNotSentBackByTheAnswerToAnEarlierPosition() {
        var log = log(of: 1)
        var follower = live(log)
        let first = ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1))
        #expect(follower.awaitHead(now: 2).actions == [.read(first, id: 2)])
        log.append("order")
        let message = log.message(2, 2)
        #expect(follower.published(message.header, message.events, now: 3) == [apply(log, 2, 2)])
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
    @Test func numbersThatNoLogHasAreNoAnswer() {
        let log = log(of: 1)
        var follower = LogFollower(restart: .head, patience: 500)
        _ = follower.start(now: 0)
        for (through, head) in [(Int64.min, 1), (-1, 1), (0, 1), (1, .min)] as [(Int64, Int64)] {
            for resync in [nil, ResyncReason.diverged] {
                let page = EventPage(
                    epoch: log.epoch,
                    events: log.page(ReadEvents()).events,
                    through: through,
                    chain: 0,
                    head: head,
                    resync: resync
                )
                #expect(follower.received(page, run: log.run, answering: 1, now: 1) == [])
            }
        }
        #expect(follower.position == .start)
        #expect(follower.tick(now: 500) == [.read(ReadEvents(), id: 2)])
    }

    @Test(arguments: [(Int64.min, Int64.max), (0, .max), (.max, .max), (.max, .min)])
    func aRunOfNumbersThatNoLogHasIsReadInstead(first: Int64, through: Int64) {
        let log = FakeLog()
        let end = EventPosition(epoch: log.epoch, sequence: .max - 1, chain: 0)
        var follower = LogFollower(from: end, restart: .head)
        _ = follower.start(now: 0)
        let page = EventPage(epoch: log.epoch, events: [], through: .max - 1, chain: 0, head: .max - 1)
        _ = follower.received(page, run: log.run, answering: 1, now: 1)
        let header = EventsHeader(epoch: log.epoch, run: log.run, first: first, through: through, chain: 0)
        let actions = follower.published(header, [], now: 2)
        #expect(
            actions
                == (through < end.sequence
                    ? [] : [.read(ReadEvents(epoch: log.epoch, sequence: .max - 1, chain: 0), id: 2)])
        )
        #expect(follower.position == end)
    }

    @Test func aLostTailIsNoticedByTheHeartbeat() {
        var log = FakeLog()
        var follower = live(log)
        log.append("order")
        #expect(follower.heard(log.heartbeat, now: 2).count == 1)
    }

    @Test func aNewRunIsReadBeforeAnythingIsApplied() {
        var log = log(of: 1)
        var follower = live(log)
        log.run = .make()
        log.append("order")
        let message = log.message(2, 2)
        let actions = follower.published(message.header, message.events, now: 2)
        #expect(actions == [.read(ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1)), id: 2)])
    }

    @Test func anotherEpochStartsAnew() {
        let old = log(of: 1)
        let new = log(of: 2)
        var follower = live(old)
        #expect(follower.heard(new.heartbeat, now: 2).count == 1)
        let page = new.page(ReadEvents(epoch: old.epoch, sequence: 1))
        #expect(
            follower.received(page, run: new.run, answering: 2, now: 3)
                == [.resync(.epoch, .start), .read(ReadEvents(), id: 3)]
        )
    }

    @Test func goesOnBehindTheHeadWhereThatIsWanted() {
        let log = log(of: 4)
        var follower = LogFollower(from: EventPosition(epoch: .make(), sequence: 2), restart: .head)
        guard case .read(let request, let id)? = follower.start(now: 0).first else { return #expect(Bool(false)) }
        let next = ReadEvents(epoch: log.epoch, sequence: 4, chain: log.chain(4))
        #expect(
            follower.received(log.page(request), run: log.run, answering: id, now: 1)
                == [.resync(.epoch, log.position), .read(next, id: 2)]
        )
        #expect(follower.received(log.page(next), run: log.run, answering: 2, now: 2) == [])
        #expect(follower.state == .live)
    }

    @Test func aStorePutBackByHandIsNoticedByRunAndChain() {
        var log = log(of: 3)
        var follower = live(log)
        log.restore(to: 2)
        log.append("order")
        // As many events, the same epoch, another past.
        #expect(log.heartbeat.sequence == follower.position.sequence)
        guard case .read(let request, let id)? = follower.heard(log.heartbeat, now: 2).first else {
            return #expect(Bool(false))
        }
        let actions = follower.received(log.page(request), run: log.run, answering: id, now: 3)
        #expect(actions.first == .resync(.diverged, .start))
    }

    @Test func aLateAnswerFromBeforeARestoreIsNotMixedWithOneFromAfterIt() {
        var log = log(of: 1)
        var follower = LogFollower(from: log.position, restart: .first)
        let request = ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1))
        #expect(follower.start(now: 0) == [.read(request, id: 1)])
        #expect(follower.tick(now: 500) == [.read(request, id: 2)])
        log.append("order")
        let (before, run) = (log.page(request), log.run)
        log.restore(to: 1)
        for _ in 1...2 { log.append("order") }
        #expect(follower.received(before, run: run, answering: 1, now: 501).count == 1)
        let position = follower.position
        let next = ReadEvents(epoch: log.epoch, sequence: 2, chain: position.chain)
        let after = follower.received(log.page(request), run: log.run, answering: 2, now: 502)
        #expect(after == [.read(next, id: 3)])
        #expect(
            follower.received(log.page(next), run: log.run, answering: 3, now: 503).first == .resync(.diverged, .start)
        )
    }

    @Test func repeatsAReadThatIsNotAnswered() {
        var follower = LogFollower(restart: .first, patience: 500)
        _ = follower.start(now: 0)
        #expect(follower.deadline == 500)
        #expect(follower.tick(now: 499) == [])
        #expect(follower.tick(now: 500) == [.read(ReadEvents(), id: 2)])
        // The late answer to the first is used, and does not end the wait for the second's.
        let log = FakeLog()
        #expect(
            follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 700)
                == [.apply([], chains: [], reaching: log.position)]
        )
        #expect(follower.tick(now: 1000).count == 1)
    }

    @Test func asksAfterASilence() {
        let log = log(of: 1)
        var follower = live(log)
        #expect(follower.deadline == 1 + LogFollower.silence)
        #expect(follower.tick(now: LogFollower.silence) == [])
        #expect(follower.tick(now: 1 + LogFollower.silence).count == 1)
        #expect(follower.state == .unreachable)
    }

    @Test func whoWaitsForTheHeadIsServedByAReadThatBeganLater() {
        var log = FakeLog()
        var follower = LogFollower(restart: .first)
        _ = follower.start(now: 0)
        let (ticket, actions) = follower.awaitHead(now: 1)
        #expect(actions == [])
        // The read that was under way does not count.
        let first = follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 2)
        #expect(!first.contains(.settled(through: ticket, reached: true)))
        log.append("order")
        let next = ReadEvents(epoch: log.epoch, sequence: 0, chain: 0)
        #expect(first.last == .read(next, id: 2))
        let second = follower.received(log.page(next), run: log.run, answering: 2, now: 3)
        #expect(second.last == .settled(through: ticket, reached: true))
    }

    @Test func whoWaitsForAnUnreachableSourceIsLetGo() {
        var follower = LogFollower(restart: .first)
        _ = follower.start(now: 0)
        let (ticket, _) = follower.awaitHead(now: 0)
        #expect(!follower.tick(now: 1000).contains(.settled(through: ticket, reached: false)))
        #expect(follower.tick(now: LogFollower.silence).contains(.settled(through: ticket, reached: false)))
    }

    @Test func stopsAtWhatCantBeApplied() {
        var log = log(of: 1)
        var follower = live(log)
        let before = follower.position
        log.append("order")
        let message = log.message(2, 2)
        _ = follower.published(message.header, message.events, now: 2)
        _ = follower.stop("can't", at: before)
        #expect(follower.state == .stopped && follower.position == before && follower.reason == "can't")
        #expect(follower.heard(log.heartbeat, now: 3) == [] && follower.tick(now: 100_000) == [])
    }

    @Test func readsAgainWhatCouldNotBeKept() {
        var log = log(of: 1)
        var follower = live(log)
        let before = follower.position
        log.append("order")
        let message = log.message(2, 2)
        _ = follower.published(message.header, message.events, now: 2)
        follower.postpone(at: before, now: 2)
        #expect(follower.tick(now: 400) == [])
        #expect(
            follower.tick(now: 502) == [.read(ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1)), id: 2)]
        )
    }

    @Test func asksForNothingWhileItsReaderIsSlow() {
        var log = log(of: 1)
        var follower = live(log)
        log.append("order")
        guard case .read(let request, let id)? = follower.heard(log.heartbeat, now: 2).first else {
            return #expect(Bool(false))
        }
        follower.fill()
        #expect(follower.received(log.page(request), run: log.run, answering: id, now: 2) == [])
        let message = log.message(2, 2)
        #expect(follower.published(message.header, message.events, now: 2) == [])
        #expect(follower.heard(log.heartbeat, now: 3) == [])
        #expect(follower.tick(now: 100_000) == [])
        #expect(follower.deadline == .max)
        let next = ReadEvents(epoch: log.epoch, sequence: 1, chain: log.chain(1))
        #expect(follower.drain(now: 100_001) == [.read(next, id: 3)])
        #expect(follower.received(log.page(next), run: log.run, answering: 3, now: 100_002) == [apply(log, 2, 2)])
    }

    /// An answer that leaves a hole, or is of another log without saying so, is not applied, and not asked for in a hurry.
    @Test func aPageOutsideTheProtocolIsNotApplied() {
        let log = log(of: 3)
        var follower = LogFollower(restart: .first)
        _ = follower.start(now: 0)
        let page = log.page(ReadEvents(sequence: 2))
        #expect(follower.received(page, run: log.run, answering: 1, now: 1) == [])
        #expect(follower.deadline == 501)
    }

    private func log(of count: Int) -> FakeLog {
        var log = FakeLog()
        for _ in 0..<count { log.append("order") }
        return log
    }

    /// A follower that has read this log to its head; its last read was number 1.
    private func live(_ log: FakeLog) -> LogFollower {
        var follower = LogFollower(restart: .first)
        _ = follower.start(now: 0)
        _ = follower.received(log.page(ReadEvents()), run: log.run, answering: 1, now: 1)
        return follower
    }

    private func apply(_ log: FakeLog, _ first: Int64, _ through: Int64) -> LogFollower.Action {
        .apply(
            log.encoded(first, through),
            chains: (first...through).map { log.chain($0) },
            reaching: log.position(at: through)
        )
    }
}
