import CBOR
import Messages
import Store
import Testing

@testable import Service

struct ProjectionTests {
    let desk: Desk
    private let epoch = Identifier.make()

    init() throws {
        desk = try Desk()
    }

    private func event(_ sequence: Int64, _ paint: Paint?, subject: Identifier? = nil) throws -> EncodedCBOR {
        try EncodedCBOR(
            encoding: Event(
                sequence: sequence,
                previous: sequence - 1,
                transaction: sequence,
                last: true,
                type: paint == nil ? "paint.deleted" : "paint.created",
                subject: paint?.id ?? subject ?? .make(),
                time: .now(),
                version: 1,
                data: try paint.map { try EncodedCBOR(encoding: $0) },
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
        )
    }

    private func apply(_ events: [EncodedCBOR], through sequence: Int64) throws -> Result<[LoggedEvent], any Error> {
        let cursor = Cursor(epoch: epoch, sequence: sequence, chain: 0)
        return try desk.engine.apply(events, of: Paint.service, reaching: cursor).mapError { $0 }
    }

    @Test func effectAndCursorAreWrittenTogether() throws {
        _ = try apply([event(1, Paint(id: .make(), name: "red"))], through: 1).get()
        #expect(desk.engine.cursors[Paint.service]?.sequence == 1)
        try desk.reopen()
        #expect(desk.engine.cursors[Paint.service]?.sequence == 1)
        #expect(try desk.count("SELECT count(*) FROM paints") == 1)
    }

    @Test func anEventThatCantBeAppliedLeavesNothingOfItsBatch() throws {
        let good = try event(1, Paint(id: .make(), name: "red"))
        let bad = try event(2, Paint(id: .make(), name: "poison"))
        #expect(throws: (any Error).self) { try apply([good, bad], through: 2).get() }
        #expect(desk.engine.cursors[Paint.service] == nil)
        #expect(try desk.count("SELECT count(*) FROM paints") == 0)
    }

    @Test func whatRefersToTheUnknownWaitsForTheSourcesHead() throws {
        var request = try desk.incoming(Put(desk.note("Wall", color: "paint:red")))
        guard case .awaiting(Paint.service) = try desk.decide([request])[0] else {
            Issue.record("it was decided without asking")
            return
        }
        #expect(desk.told.isEmpty)
        _ = try apply([event(1, Paint(id: .make(), name: "red"))], through: 1).get()
        request.followed = [Paint.service: true]
        guard case .answer(let answer) = try desk.decide([request])[0] else {
            throw Unanswered(outcome: .awaiting(Paint.service))
        }
        #expect(answer.status == .ok)
    }

    @Test(arguments: [(true, Status.invalid), (false, .unavailable)])
    func theUnknownIsRefusedOnceTheHeadIsReachedOrOutOfReach(reached: Bool, status: Status) throws {
        var request = try desk.incoming(Put(desk.note("Wall", color: "paint:red")))
        request.followed = [Paint.service: reached]
        guard case .answer(let answer) = try desk.decide([request])[0] else {
            throw Unanswered(outcome: .awaiting(Paint.service))
        }
        #expect(answer.status == status)
        #expect(try desk.count("SELECT count(*) FROM reply") == 0)
    }

    @Test func aReactionTellsItsCauseAndIsNotRunByARebuild() throws {
        let note = try desk.put(desk.note("Wall", color: "gone"))
        let deleted = try event(1, nil)
        let told = try apply([deleted], through: 1).get()
        let event = try CBORDecoder().decode(Event.self, from: try #require(told.first).body)
        #expect(event.type == "note.updated" && event.cause == "paints:1" && event.subject == note.id)
        var again = try desk.send(Get<Note>(id: note.id))
        #expect(again.color == nil)
        again.color = "gone"
        _ = try desk.put(again)
        _ = try desk.engine.reset(Paint.service, isOtherLog: false).get()
        #expect(try apply([deleted], through: 1).get().isEmpty)
        #expect(try desk.send(Get<Note>(id: note.id)).color == "gone")
    }

    @Test func reactionsStartOverWithAnotherLog() throws {
        let note = try desk.put(desk.note("Wall", color: "gone"))
        _ = try apply([event(1, nil)], through: 1).get()
        var again = try desk.send(Get<Note>(id: note.id))
        again.color = "gone"
        _ = try desk.put(again)
        _ = try desk.engine.reset(Paint.service, isOtherLog: true).get()
        #expect(try apply([event(1, nil)], through: 1).get().count == 1)
        #expect(try desk.send(Get<Note>(id: note.id)).color == nil)
    }

    @Test func aRebuildGivesTheSameContent() throws {
        var events: [EncodedCBOR] = []
        var paints: [Identifier] = []
        var random = Seeded(state: 5)
        for sequence in Int64(1)...60 {
            if sequence % 5 == 0, let paint = paints.randomElement(using: &random) {
                events.append(try event(sequence, nil, subject: paint))
            } else {
                let paint = Paint(id: .make(), name: "paint \(sequence)")
                paints.append(paint.id)
                events.append(try event(sequence, paint))
            }
        }
        for (index, event) in events.enumerated() { _ = try apply([event], through: Int64(index + 1)).get() }
        let incremental = try names()
        _ = try desk.engine.reset(Paint.service, isOtherLog: false).get()
        #expect(try names().isEmpty)
        _ = try apply(events, through: 60).get()
        #expect(try names() == incremental)
    }

    private func names() throws -> [String] {
        var names: [String] = []
        try desk.engine.session.query("SELECT name FROM paints ORDER BY id") { names.append($0.text(0)) }
        return names
    }
}
