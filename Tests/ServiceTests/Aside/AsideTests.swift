import CBOR
import Messages
import Store
import Testing
import ZeroMQ

@testable import Service

/// By the engine alone: what becomes of a command that has something computed.
struct AsideTests {
    let gate = Gate()
    let desk: Desk

    init() throws {
        desk = try Desk(gate.definition)
    }

    @Test func theFirstAttemptLeavesNoTrace() throws {
        let request = try desk.incoming(Ponder(note: .make(), title: "Milk"))
        _ = try work(desk.decide([request])[0])
        #expect(desk.told.isEmpty && gate.passed == 0)
        #expect(try desk.count("SELECT count(*) FROM attempts") == 0)
        #expect(try desk.count("SELECT count(*) FROM notes") == 0)
        #expect(try desk.refusal(GetReply(key: #require(request.header.key)), key: nil).status == .notFound)
    }

    @Test func withTheResultItIsDoneOnceAndRepeated() throws {
        _ = try desk.put(desk.note("Bread"))
        let note = Identifier.make()
        var request = try desk.incoming(Ponder(note: note, title: "Milk"))
        let work = try work(desk.decide([request])[0])
        // Others write in between: it computes from the snapshot that it read.
        let computed = try compute(work)
        _ = try desk.put(desk.note("Cheese"))
        request.aside = computed
        let answers = try desk.decide([request, request]).map(answer)
        #expect(answers.map(\.status) == [.ok, .ok])
        #expect(answers[0].body == answers[1].body && answers[1].replayed == true)
        #expect(try desk.send(Get<Note>(id: note)).rank == 1)
        #expect(try desk.count("SELECT count(*) FROM attempts") == 1)
        // Once it had its effect, nothing is computed for it again.
        request.aside = nil
        #expect(try answer(desk.decide([request])[0]).replayed == true)
        #expect(gate.passed == 1)
    }

    @Test func aFailedComputationRefusesTheCommandAndFreesItsKey() throws {
        let note = Identifier.make()
        let key = Identifier.make()
        var request = try desk.incoming(Ponder(note: note, title: "Milk", fails: true), key: key)
        request.aside = try compute(work(desk.decide([request])[0]))
        let refusal = try answer(desk.decide([request])[0])
        #expect(refusal.status == .invalid)
        #expect(try desk.error(refusal).message == "there is nothing to be thought of it")
        #expect(try desk.count("SELECT count(*) FROM attempts") == 0)
        var other = try desk.incoming(Ponder(note: note, title: "Milk"), key: key)
        other.aside = try compute(work(desk.decide([other])[0]))
        #expect(try answer(desk.decide([other])[0]).status == .ok)
    }

    /// The others of its group are decided as if it were not there.
    @Test func itsGroupGoesOnWithoutIt() throws {
        let group = [
            try desk.incoming(Put(desk.note("Bread"))), try desk.incoming(Ponder(note: .make(), title: "Milk")),
            try desk.incoming(Put(desk.note("Cheese"))),
        ]
        let outcomes = try desk.decide(group)
        #expect(try [outcomes[0], outcomes[2]].map(answer).map(\.status) == [.ok, .ok])
        _ = try work(outcomes[1])
        #expect(desk.told.map(\.sequence) == [1, 2])
    }

    private func work(_ outcome: Outcome) throws -> AsideWork {
        guard case .aside(let work) = outcome else { throw Unanswered(outcome: outcome) }
        return work
    }

    private func answer(_ outcome: Outcome) throws -> Answer {
        guard case .answer(let answer) = outcome else { throw Unanswered(outcome: outcome) }
        return answer
    }

    /// As the thread does that computes.
    private func compute(_ work: AsideWork) throws -> AsideQueue.Result {
        let session = try Store.reader(path: desk.engine.store.path)
        let reading = Reading(
            session: session,
            registry: desk.engine.definition.routes.registry,
            epoch: desk.engine.log.epoch,
            principal: nil
        )
        let allowance = Allowance(deadline: ServiceLoop.now + 60_000, stopping: try WakeUp())
        gate.open()
        return Result { () throws(ServiceError) in try work.read(reading)(allowance) }
    }
}
