import CBOR
import Messages
import Testing

@testable import Simulation

/// The judge of the simulation notices what it is there for.
struct LineageTests {
    private let lineage = Lineage(epoch: .make())

    private func event(
        _ sequence: Int64,
        _ transaction: Int64,
        _ paint: Paint,
        isDelete: Bool = false
    ) throws -> Lineage.Known {
        let event = Event(
            sequence: sequence,
            previous: sequence - 1,
            transaction: transaction,
            last: true,
            type: isDelete ? "paint.deleted" : "paint.updated",
            subject: paint.id,
            time: .now(),
            version: paint.version,
            data: isDelete ? nil : try EncodedCBOR(encoding: paint),
            before: nil,
            principal: nil,
            cause: nil,
            traceparent: nil
        )
        return Lineage.Known(event: event, body: [], chain: UInt64(sequence))
    }

    private let paint = Paint(id: .make(), version: 1, title: "red", rank: 1, mark: 1)

    @Test func aHoleIsNoticed() throws {
        try lineage.append(try event(1, 1, paint), key: .make())
        #expect(throws: Violation.self) { try lineage.append(try event(3, 2, paint), key: .make()) }
    }

    @Test func anEffectTwiceIsNoticedByItsKeyAndByItsMark() throws {
        let key = Identifier.make()
        try lineage.append(try event(1, 1, paint), key: key)
        var other = paint
        (other.version, other.mark) = (2, 2)
        #expect(throws: Violation.self) { try lineage.append(try event(2, 2, other), key: key) }
        other.mark = 1
        #expect(throws: Violation.self) { try lineage.append(try event(2, 2, other), key: .make()) }
    }

    @Test func aVersionOutOfTurnIsNoticed() throws {
        try lineage.append(try event(1, 1, paint), key: .make())
        var other = paint
        (other.version, other.mark) = (3, 2)
        #expect(throws: Violation.self) { try lineage.append(try event(2, 2, other), key: .make()) }
    }

    @Test func deletingWhatIsNotThereIsNoticed() throws {
        #expect(throws: Violation.self) { try lineage.append(try event(1, 1, paint, isDelete: true), key: .make()) }
    }

    @Test func aLogThatGoesBackHasThePastInCommon() throws {
        var paint = paint
        for number in Int64(1)...4 {
            (paint.version, paint.mark) = (Int(number), number)
            try lineage.append(try event(number, number, paint), key: .make())
        }
        let other = Lineage(epoch: .make(), after: lineage, through: 2, floor: 0)
        #expect(other.head == 2)
        #expect(other.state[paint.id]?.mark == 2)
        #expect(other.chain(at: 2) == lineage.chain(at: 2))
        // What was lost with the old end may be done again.
        (paint.version, paint.mark) = (3, 4)
        try other.append(try event(3, 3, paint), key: .make())
    }
}
