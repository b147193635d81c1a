import CBOR
import LiveList
import Messages
import Testing

@testable import CLI

/// Lines that are made anew as a whole, and what is told of them.
struct LineMirrorTests {
    private struct Line: Codable, Hashable, Sendable {
        var name: String
        var amount: Int
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func theBatchLeadsFromTheOldLinesToTheNewAndNamesNoOther(
        seed: UInt64
    ) throws {
        var random = Seeded(state: seed)
        var lines: [Line] = []
        var mirror = try LineMirror(lines, key: \.name)
        for _ in 0..<300 {
            let before = lines
            switch Int.random(in: 0..<6, using: &random) {
            case 0 where !lines.isEmpty: lines.remove(at: Int.random(in: 0..<lines.count, using: &random))
            case 1 where !lines.isEmpty: lines[Int.random(in: 0..<lines.count, using: &random)].amount += 1
            case 2: lines.shuffle(using: &random)
            case 3: lines.sort { $0.amount > $1.amount }
            case 4: break
            // Several of one name are told apart by their order.
            default:
                let name = "\(Int.random(in: 0..<9, using: &random))"
                let line = Line(name: name, amount: Int.random(in: 0..<5, using: &random))
                lines.insert(line, at: Int.random(in: 0...lines.count, using: &random))
            }
            let batch = try mirror.change(to: lines)
            #expect(mirror.results.rows == lines)
            #expect((batch == nil) == (lines == before))
            guard let batch else { continue }
            let named = (batch.delete ?? []).count + (batch.move ?? []).count + (batch.update ?? []).count
            #expect(named <= before.count)
            let updated = try (batch.update ?? []).filter { change in
                try change.row.decode(Line.self) == before[change.from.item]
            }
            #expect(updated.isEmpty, "a line that did not change is told")
        }
    }

    @Test func oneLineThatRisesIsOneMove() throws {
        let lines = (0..<100).map { Line(name: "\($0)", amount: 0) }
        var mirror = try LineMirror(lines, key: \.name)
        let batch = try #require(try mirror.change(to: [lines[99]] + lines.prefix(99)))
        #expect(batch.move?.map(\.from) == [ListPath(0, 99)] && batch.move?.map(\.to) == [ListPath(0, 0)])
        #expect(batch.delete == nil && batch.insert == nil && batch.update == nil)
    }
}

/// Chance that a seed repeats (xorshift).
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
