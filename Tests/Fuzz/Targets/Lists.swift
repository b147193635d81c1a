import CBOR
import LiveList
import Messages
import Support

@testable import Client

extension FuzzTarget {
    /// What comes on a live list's topic: openings, states, batches and heartbeats in any order. What is given out can be
    /// applied or is refused, and what was applied has the digest that was told.
    static let lists = FuzzTarget(name: "lists", seeds: seeds) { (bytes) throws(Finding) in
        var list = ListUnderTest()
        var now: Int64 = 0
        try list.take(list.follower.start(now: 0))
        for frame in Frames.split(bytes).prefix(64) {
            now += 100
            guard let kind = frame.first else { continue }
            let body = Array(frame.dropFirst())
            switch kind % 6 {
            case 0:
                guard let reply = try? CBORDecoder().decode(OpenList.Reply.self, from: body) else { continue }
                try list.take(list.follower.opened(reply, run: run, answering: list.opening, now: now))
            case 1:
                guard let state = try? CBORDecoder().decode(ListState.self, from: body) else { continue }
                try list.take(list.follower.told(state, now: now))
            case 2:
                guard let batch = try? CBORDecoder().decode(ListBatch.self, from: body) else { continue }
                try list.take(list.follower.published(batch, bytes: body.count, now: now))
            case 3: try list.take(list.follower.heard(run: body.isEmpty ? run : .make(), now: now))
            case 4:
                now += Int64(body.first ?? 0) * 50
                try list.take(list.follower.tick(now: now))
            default:
                list.follower.fill()
                try list.take(list.follower.drain(now: now))
            }
        }
    }

    private struct ListUnderTest {
        var follower = ListFollower()
        var opening: UInt64 = 1
        var results = FetchedResults<EncodedCBOR>()

        mutating func take(_ actions: [ListFollower.Action]) throws(Finding) {
            for action in actions {
                switch action {
                case .open(let id): opening = id
                case .subscribe: continue
                case .give(let update):
                    let before = results
                    do {
                        try results.apply(update)
                    } catch {
                        try require(
                            results.digest == before.digest && results.number == before.number
                                && results.sections.map(\.rows) == before.sections.map(\.rows),
                            "a refused update left something: \(error)"
                        )
                        continue
                    }
                    try require(results.sections.allSatisfy { !$0.rows.isEmpty }, "a section without rows is shown")
                    guard case .batch(let batch) = update else { continue }
                    try require(results.digest == batch.digest, "what was applied has another digest")
                }
            }
        }
    }

    // MARK: Seeds

    private static let run = Identifier(high: 0x018E_95C2_4F00_7000, low: 0x8000_0000_0000_0003)

    private static func frame(_ kind: UInt8, _ value: some Encodable) -> [UInt8] {
        [kind] + ((try? CBOREncoder().encode(value)) ?? [])
    }

    /// A list of two sections that lives on, by the side that knows the data.
    private static let seeds: [[UInt8]] = {
        func row(_ number: UInt64, _ text: String, _ section: String) -> ListRow {
            var (order, key) = (OrderKey(), OrderKey())
            order.add(text: text)
            key.add(text: section)
            let encoded = EncodedCBOR(trusted: (try? CBOREncoder().encode(text)) ?? [])
            let value = EncodedCBOR(trusted: (try? CBOREncoder().encode(section)) ?? [])
            return ListRow(
                id: Identifier(high: 0, low: number),
                section: SectionKey(order: key, value: value),
                order: order,
                row: encoded
            )
        }
        var list = LiveList(id: run, rows: [row(1, "Ann", "A"), row(2, "Bo", "B"), row(3, "Ben", "B")])
        var frames = [frame(1, list.state), frame(0, list.snapshot.reply(topic: "=walks/1"))]
        let changes: [[ListChange]] = [
            [.put(row(4, "Cid", "C"))], [.put(row(2, "Al", "A")), .remove(Identifier(high: 0, low: 3))],
            [.put(row(4, "Cia", "C")), .put(row(5, "Abe", "A"))], [.remove(Identifier(high: 0, low: 4))],
        ]
        for change in changes {
            if let batch = list.apply(change) { frames.append(frame(2, batch)) }
        }
        let hole = [frames[1], frames[0], frames[2], frames[4], frame(1, list.state), [4, 60], [5], frames[3]]
        return [Frames.joined(frames), Frames.joined(hole), Frames.joined([frames[0], frames[1], [3, 1], [3]])]
    }()
}
