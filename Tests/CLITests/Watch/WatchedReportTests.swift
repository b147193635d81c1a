import CBOR
import LiveList
import Messages
import Synchronization
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

/// Lines that depend on the day.
struct WatchedReportTests {
    private struct Line: Codable, Sendable {
        var text: String
    }

    /// What is shown, one after the other.
    private final class Shown: Sendable {
        let stream: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(of: String.self) }

        func show(_ step: WatchedList<Line>.Step, _ frame: WatchFrame?) {
            switch step {
            case .snapshot(let results), .batch(_, let results):
                continuation.yield("\(results.number): \(results.rows.map(\.text)) \(frame?.footer ?? "-")")
            case .same: continuation.yield("same \(frame?.footer ?? "-")")
            case .resync(let reason): continuation.yield(reason)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func aNewDayMakesTheLinesAnew() async throws {
        let list = LiveList(id: .make(), rows: [])
        let rows = try FetchedResults<Line>(list.snapshot.reply(topic: ""))
        let day = Mutex(CalendarDay("2024-03-31")!)
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let days = Days(
            today: { day.withLock { $0 } },
            pause: { for await _ in ticks { return } }
        )
        let follow: WatchedReport<Line, Line>.Follow = { (take) throws(CLIError) in
            try await take(.snapshot(rows))
            for await _ in ends { break }
            throw .failure("the end")
        }
        let report = WatchedReport<Line, Line>(follow, key: \.text, days: days) { rows in
            let today = day.withLock { $0 }
            return ([Line(text: "\(today)")], WatchFrame(footer: "of \(today.month)"))
        }
        let shown = Shown()
        let following = Task { () async -> CLIError? in
            do throws(CLIError) {
                try await report.follow { (step, frame) throws(CLIError) in shown.show(step, frame) }
                return nil
            } catch {
                return error
            }
        }
        var lines = shown.stream.makeAsyncIterator()
        #expect(await lines.next() == #"0: ["2024-03-31"] of 3"#)
        // The same day: nothing to tell.
        tick.yield()
        day.withLock { $0 = CalendarDay("2024-04-01")! }
        tick.yield()
        #expect(await lines.next() == #"1: ["2024-04-01"] of 4"#)
        end.yield()
        tick.finish()
        #expect(await following.value?.description == "the end")
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
