import CBOR
import Messages
import Testing

@testable import Client

struct EventAssemblyTests {
    @Test func aTransactionIsToldWhenItsLastEventIsThere() throws {
        var log = FakeLog()
        log.append("order", "dog", "order")
        var assembly = EventAssembly(of: .orders)
        #expect(try add(log, 1, 1, to: &assembly) == [])
        #expect(try add(log, 2, 2, to: &assembly) == [])
        let pieces = try add(log, 3, 3, to: &assembly)
        let whole = EventTransaction(service: .orders, events: log.events, position: log.position)
        #expect(pieces.map(\.update) == [.transaction(whole)])
    }

    @Test func everyTransactionOfAPageHasItsOwnPosition() throws {
        var log = FakeLog()
        for _ in 1...3 { log.append("order") }
        var assembly = EventAssembly(of: .orders)
        let positions = try add(log, 1, 3, to: &assembly).map(\.update.position)
        #expect(positions == (1...3).map { log.position(at: $0) })
    }

    @Test func leavesOutOtherEntitiesAndKeepsTheirPositions() throws {
        var log = FakeLog()
        log.append("dog")
        log.append("dog")
        log.append("dog", "order")
        log.append("dog")
        log.append("dog")
        var assembly = EventAssembly(of: .orders, entities: ["order"])
        let pieces = try add(log, 1, 6, to: &assembly).map(\.update)
        // Of several without events the last.
        #expect(
            pieces == [
                .transaction(EventTransaction(service: .orders, events: [], position: log.position(at: 2))),
                .transaction(
                    EventTransaction(service: .orders, events: [log.events[3]], position: log.position(at: 4))
                ),
                .transaction(EventTransaction(service: .orders, events: [], position: log.position(at: 6))),
            ]
        )
    }

    @Test func aTransactionThatIsTooLargeToHoldIsToldInParts() throws {
        var log = FakeLog()
        log.append(Array(repeating: "order", count: 5), text: String(repeating: "x", count: 400_000))
        var assembly = EventAssembly(of: .orders)
        let pieces = try add(log, 1, 5, to: &assembly)
        let parts = pieces.compactMap { piece -> EventTransaction? in
            guard case .transaction(let transaction) = piece.update else { return nil }
            return transaction
        }
        #expect(parts.map(\.events.count) == [3, 2])
        #expect(parts.map(\.continues) == [true, false])
        #expect(parts.map(\.position) == [log.position(at: 3), log.position(at: 5)])
    }

    @Test func afterAResyncNothingOfTheOldLogIsLeft() throws {
        var log = FakeLog()
        log.append("order", "order")
        var assembly = EventAssembly(of: .orders)
        _ = try add(log, 1, 1, to: &assembly)
        assembly.reset()
        var other = FakeLog()
        other.append("dog")
        let pieces = try add(other, 1, 1, to: &assembly).map(\.update)
        #expect(
            pieces == [.transaction(EventTransaction(service: .orders, events: other.events, position: other.position))]
        )
    }

    @Test func refusesWhatIsNoEvent() throws {
        var assembly = EventAssembly(of: .orders)
        let events = [try EncodedCBOR(encoding: "no event")]
        #expect(throws: ClientError.self) {
            try assembly.add(events, chains: nil, reaching: EventPosition(epoch: .make(), sequence: 1))
        }
    }

    private func add(
        _ log: FakeLog,
        _ first: Int64,
        _ through: Int64,
        to assembly: inout EventAssembly
    ) throws -> [EventAssembly.Piece] {
        let message = log.message(first, through)
        let end = log.position(at: through)
        return try assembly.add(message.events, chains: message.header.chains, reaching: end)
    }
}
