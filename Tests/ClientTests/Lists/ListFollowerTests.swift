import LiveList
import Messages
import Testing

@testable import Client

struct ListFollowerTests {
    private var service = FakeList()
    private var follower = ListFollower()

    private mutating func batch(_ number: UInt64, _ value: Int64) throws -> ListBatch {
        let batch = service.change(number, value)
        return try #require(batch)
    }

    private mutating func opened(_ id: UInt64, now: Int64 = 0) -> [ListFollower.Action] {
        follower.opened(service.reply, run: service.run, answering: id, now: now)
    }

    /// Follows a list of one row.
    private mutating func join() throws {
        _ = try batch(1, 10)
        #expect(follower.start(now: 0) == [.open(id: 1)])
        #expect(opened(1) == [.subscribe(FakeList.topic)])
        let state = service.list.state
        #expect(follower.told(state, now: 0) == [.give(.snapshot(service.reply))])
    }

    @Test mutating func givesTheSnapshotOnceTheTopicTellsTheSame() throws {
        try join()
        let next = try batch(2, 20)
        #expect(follower.published(next, bytes: 1, now: 1) == [.give(.batch(next))])
    }

    /// What came between the opening and the subscription was published to nobody.
    @Test mutating func opensOnceMoreIfBatchesWereMissed() throws {
        _ = try batch(1, 10)
        _ = follower.start(now: 0)
        let early = service.reply
        _ = try batch(2, 20)
        #expect(
            follower.opened(early, run: service.run, answering: 1, now: 0) == [.subscribe(FakeList.topic)]
        )
        #expect(follower.told(service.list.state, now: 0) == [.open(id: 2)])
        // Before the answer, one that it contains and one that it doesn't.
        let (third, reply) = (try batch(3, 30), service.reply)
        let fourth = try batch(4, 40)
        #expect(follower.published(third, bytes: 1, now: 0) == [])
        #expect(follower.published(fourth, bytes: 1, now: 0) == [])
        #expect(
            follower.opened(reply, run: service.run, answering: 2, now: 0) == [
                .give(.snapshot(reply)), .give(.batch(fourth)),
            ]
        )
    }

    /// The list was dropped and built anew between the opening and the subscription.
    @Test mutating func opensOnceMoreIfTheTopicIsAnotherLists() throws {
        _ = try batch(1, 10)
        _ = follower.start(now: 0)
        let early = service.reply
        #expect(follower.opened(early, run: service.run, answering: 1, now: 0) == [.subscribe(FakeList.topic)])
        service.rebuild()
        #expect(follower.told(service.list.state, now: 0) == [.open(id: 2)])
        let reply = service.reply
        #expect(reply.list != early.list)
        // The topic is known to be heard, and to be this list's.
        #expect(opened(2) == [.give(.snapshot(reply))])
    }

    /// The first state has the snapshot's number and other rows: neither is believed.
    @Test mutating func opensOnceMoreIfTheTopicTellsAnotherDigest() throws {
        _ = try batch(1, 10)
        _ = follower.start(now: 0)
        #expect(opened(1) == [.subscribe(FakeList.topic)])
        var wrong = service.list.state
        wrong.digest += 1
        #expect(follower.told(wrong, now: 0) == [.open(id: 2)])
        #expect(opened(2) == [.subscribe(FakeList.topic)])
        #expect(follower.told(service.list.state, now: 0) == [.give(.snapshot(service.reply))])
    }

    @Test mutating func opensAgainWithoutAnAnswerInTwoSeconds() throws {
        _ = follower.start(now: 0)
        _ = opened(1)
        #expect(follower.deadline == 2000)
        #expect(follower.tick(now: 1999) == [])
        #expect(follower.tick(now: 2000) == [.open(id: 2)])
        #expect(opened(2, now: 2001) == [.subscribe(FakeList.topic)])
    }

    @Test mutating func aHoleIsAResyncWithItsReason() throws {
        try join()
        _ = try batch(2, 20)
        let third = try batch(3, 30)
        #expect(follower.published(third, bytes: 1, now: 1) == [.open(id: 2)])
        #expect(opened(2) == [.give(.resync("hole")), .give(.snapshot(service.reply))])
    }

    @Test mutating func aResetIsAResyncWithItsReason() throws {
        try join()
        let reset = try batch(2, 20).asReset
        #expect(follower.published(reset, bytes: 1, now: 1) == [.open(id: 2)])
        #expect(opened(2) == [.give(.resync("reset")), .give(.snapshot(service.reply))])
    }

    /// The last batch is lost and nothing more is written: the state of the next second tells.
    @Test mutating func aLostTailIsNoticedByTheState() throws {
        try join()
        _ = try batch(2, 20)
        #expect(follower.told(service.list.state, now: 1000) == [.open(id: 2)])
        #expect(opened(2) == [.give(.resync("hole")), .give(.snapshot(service.reply))])
    }

    @Test mutating func anOlderStateAndARepeatedBatchAreNothing() throws {
        try join()
        let (old, next) = (service.list.state, try batch(2, 20))
        _ = follower.published(next, bytes: 1, now: 1)
        #expect(follower.told(old, now: 1) == [])
        #expect(follower.published(next, bytes: 1, now: 1) == [])
    }

    @Test mutating func anotherListIsJoinedAnew() throws {
        try join()
        service.restart()
        #expect(follower.heard(run: service.run, now: 500) == [.open(id: 2)])
        #expect(opened(2) == [.subscribe(FakeList.topic)])
        #expect(
            follower.told(service.list.state, now: 501) == [
                .give(.resync("restart")), .give(.snapshot(service.reply)),
            ]
        )
    }

    /// The connection was cut, and nothing changed meanwhile: nobody has to know.
    @Test mutating func silenceWithoutAChangeIsNoResync() throws {
        try join()
        #expect(follower.tick(now: ListFollower.silence) == [.open(id: 2)])
        #expect(opened(2) == [.subscribe(FakeList.topic)])
        #expect(follower.told(service.list.state, now: 2600) == [])
        let next = try batch(2, 20)
        #expect(follower.published(next, bytes: 1, now: 2601) == [.give(.batch(next))])
    }

    @Test mutating func aFailureIsTriedAgainAfterARest() {
        _ = follower.start(now: 0)
        #expect(follower.failed(1, now: 0) == [])
        #expect(follower.tick(now: 249) == [])
        #expect(follower.tick(now: 250) == [.open(id: 2)])
    }

    /// A peer whose answers never fit its states is asked four times a second, not without end.
    @Test mutating func aPeerThatContradictsItselfIsNotAskedInAHurry() {
        var openings = follower.start(now: 0).count
        for id in 1...100 as ClosedRange<UInt64> {
            _ = opened(id)
            openings += follower.told(ListState(list: .make(), number: 0, digest: 0), now: 0).count
        }
        #expect(openings == 2)
        #expect(follower.tick(now: ListFollower.pause).count == 1)
    }

    @Test mutating func whatWaitsForASnapshotIsBounded() throws {
        try join()
        _ = try batch(2, 20)
        let third = try batch(3, 30)
        _ = follower.published(third, bytes: 1, now: 0)
        let reply = service.reply
        let large = try batch(4, 40)
        _ = follower.published(large, bytes: ListFollower.waitingBytes, now: 0)
        // The dropped one is missed.
        #expect(follower.opened(reply, run: service.run, answering: 2, now: 0) == [.open(id: 3)])
        #expect(opened(3) == [.give(.resync("hole")), .give(.snapshot(service.reply))])
    }
}
