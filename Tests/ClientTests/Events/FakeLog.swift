import CBOR
import Client
import Messages

/// A log that can be read and published, lost, restarted, restored and made anew.
struct FakeLog: Sendable {
    var epoch = Identifier.make()
    var run = Identifier.make()
    var events: [Event] = []
    private var chains: [UInt64] = []
    private var transaction: Int64 = 0

    var head: Int64 { Int64(events.count) }
    var heartbeat: Heartbeat { Heartbeat(epoch: epoch, run: run, sequence: head, entities: [:]) }
    var position: EventPosition { position(at: head) }

    func position(at sequence: Int64) -> EventPosition {
        EventPosition(epoch: epoch, sequence: sequence, chain: chain(sequence))
    }

    func chain(_ sequence: Int64) -> UInt64 { sequence == 0 ? 0 : chains[Int(sequence) - 1] }

    /// Appends a transaction; the entities of its events, in their order.
    mutating func append(_ entities: String..., text: String = "") {
        append(entities, text: text)
    }

    mutating func append(_ entities: [String], text: String = "") {
        transaction += 1
        for (index, entity) in entities.enumerated() {
            let event = Event(
                sequence: head + 1,
                previous: events.last { $0.entity == entity }?.sequence ?? 0,
                transaction: transaction,
                last: index == entities.count - 1 ? true : nil,
                type: "\(entity).created",
                subject: .make(),
                time: Instant(microseconds: head),
                version: 1,
                data: try? EncodedCBOR(encoding: text),
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
            chains.append((chain(head) &+ UInt64(head) &+ 1) &* 1_000_003 &+ event.subject.low)
            events.append(event)
        }
    }

    /// Back to an earlier state, as by a store file that was copied: the last end of a transaction up to there.
    mutating func restore(to sequence: Int64) {
        let sequence = events.prefix(Int(sequence)).last { $0.last == true }?.sequence ?? 0
        events.removeSubrange(Int(sequence)...)
        chains.removeSubrange(Int(sequence)...)
        run = .make()
    }

    func page(_ read: ReadEvents, limit: Int = 1000) -> EventPage {
        func resync(_ reason: ResyncReason) -> EventPage {
            EventPage(epoch: epoch, events: [], through: head, chain: chain(head), head: head, resync: reason)
        }
        if let known = read.epoch, known != epoch { return resync(.epoch) }
        guard read.sequence <= head else { return resync(.future) }
        if let known = read.chain, known != chain(read.sequence) { return resync(.diverged) }
        let through = min(head, read.sequence + Int64(limit))
        return EventPage(
            epoch: epoch,
            events: encoded(read.sequence + 1, through),
            through: through,
            chain: chain(through),
            head: head,
            chains: Array(chains[Int(read.sequence)..<Int(through)])
        )
    }

    func message(_ first: Int64, _ through: Int64) -> (header: EventsHeader, events: [EncodedCBOR]) {
        let header = EventsHeader(
            epoch: epoch,
            run: run,
            first: first,
            through: through,
            chain: chain(through),
            chains: Array(chains[(Int(first) - 1)..<Int(through)])
        )
        return (header, encoded(first, through))
    }

    func encoded(_ first: Int64, _ through: Int64) -> [EncodedCBOR] {
        guard first <= through else { return [] }
        return events[(Int(first) - 1)..<Int(through)].map {
            EncodedCBOR(trusted: (try? CBOREncoder().encode($0)) ?? [])
        }
    }
}

/// A generator with a seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
