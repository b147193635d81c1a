import CBOR
import Messages
import Testing

@testable import Service

struct SnapshotCopyTests {
    private let epoch = Identifier.make()

    private func reply(_ sequence: Int64, next: Identifier?) -> ReadSnapshot.Reply {
        ReadSnapshot.Reply(rows: [], next: next, epoch: epoch, sequence: sequence, chain: UInt64(sequence))
    }

    private func event(_ sequence: Int64, _ entity: String, _ subject: Identifier) -> Event {
        Event(
            sequence: sequence,
            previous: 0,
            transaction: sequence,
            last: true,
            type: "\(entity).updated",
            subject: subject,
            time: .now(),
            version: 2,
            data: nil,
            before: nil,
            principal: nil,
            cause: nil,
            traceparent: nil
        )
    }

    private func id(_ number: UInt64) -> Identifier { Identifier(high: 1, low: number) }

    @Test func readsThePagesOfEachEntityInTurn() {
        var copy = SnapshotCopy(epoch: epoch, entities: ["dog", "walk"])
        #expect(copy.next == ReadSnapshot(entity: "dog"))
        copy.add(reply(10, next: id(5)))
        #expect(copy.next == ReadSnapshot(entity: "dog", after: id(5)))
        copy.add(reply(12, next: nil))
        #expect(copy.next == ReadSnapshot(entity: "walk"))
        copy.add(reply(11, next: nil))
        #expect(copy.next == nil)
        #expect(copy.start == Cursor(epoch: epoch, sequence: 10, chain: 10) && copy.target == 12)
    }

    /// An event is passed over where the page of its record was read at it or later.
    @Test(
        arguments: [
            (11, "dog", 5, false), (10, "dog", 5, true), (11, "dog", 6, true), (12, "dog", 6, true),
            (13, "dog", 6, false),
            (14, "walk", 1, true), (15, "walk", 1, false), (11, "cat", 1, false),
        ] as [(Int64, String, UInt64, Bool)]
    )
    func holdsWhatItsPagesHold(sequence: Int64, entity: String, subject: UInt64, isHeld: Bool) {
        var copy = SnapshotCopy(epoch: epoch, entities: ["dog", "walk"])
        copy.add(reply(10, next: id(5)))
        copy.add(reply(12, next: nil))
        copy.add(reply(14, next: nil))
        #expect(copy.holds(event(sequence, entity, id(subject))) == isHeld)
    }

    @Test func rowsBecomeEventsOfTheirCreation() throws {
        let paint = Paint(id: .make(), version: 7, name: "red")
        let rows = CopiedRows(entity: "paint", rows: [try EncodedCBOR(encoding: paint)], sequence: 30)
        let event = try #require(try rows.events(.now()).first)
        #expect(event.type == "paint.created" && event.subject == paint.id)
        #expect(event.version == 7 && event.sequence == 30)
        #expect(try event.record(Paint.self) == paint)
    }

    @Test func aRefusedPageIsSaidAndAskedForAgain() {
        var follower = Follower(cursor: nil, entities: ["paint"])
        _ = follower.start(now: 0)
        let compacted = EventPage(epoch: epoch, events: [], through: 9, chain: 9, head: 9, resync: .compacted)
        let actions = follower.received(compacted, run: .make(), answering: 1, now: 1)
        #expect(actions == [.reset(.compacted), .readPage(ReadSnapshot(entity: "paint"), id: 2)])
        #expect(follower.isPage(2) && !follower.isPage(1))
        follower.refused("no such entity", answering: 2)
        #expect(follower.reason == "no such entity" && follower.state == .catchingUp)
        let again = follower.tick(now: 1 + Follower.patience)
        #expect(again == [.readPage(ReadSnapshot(entity: "paint"), id: 3)])
        // A late answer to a read of events means nothing between pages.
        let late = EventPage(epoch: epoch, events: [], through: 0, chain: 0, head: 0)
        #expect(follower.received(late, run: .make(), answering: 1, now: 700) == [])
        // Nor does a late page.
        #expect(follower.copied(reply(9, next: nil), run: .make(), answering: 2, now: 700) == [])
    }

    @Test func aLogThatWentBackIsNotWhole() {
        var follower = Follower(cursor: nil, entities: ["paint", "brush"])
        _ = follower.start(now: 0)
        let run = Identifier.make()
        let compacted = EventPage(epoch: epoch, events: [], through: 9, chain: 9, head: 9, resync: .compacted)
        _ = follower.received(compacted, run: run, answering: 1, now: 1)
        _ = follower.copied(reply(9, next: nil), run: run, answering: 2, now: 2)
        _ = follower.copied(reply(12, next: nil), run: run, answering: 3, now: 3)
        #expect(follower.cursor?.sequence == 9 && follower.state == .catchingUp)
        let page = EventPage(epoch: epoch, events: [], through: 9, chain: 9, head: 9)
        let actions = follower.received(page, run: run, answering: 4, now: 4)
        #expect(actions.first == .reset(.diverged) && follower.state == .catchingUp)
    }
}
