import Glibc
import Support

/// Measures Daybook, and prints ratios. `Tests/Benchmarks/README.md` says what they mean.
@main
struct Main {
    private static var benchmarks: [Benchmark] {
        [
            ListChanges.benchmark, SharedLists.benchmark, Watchers.benchmark, FirstBatch.benchmark, Reports.benchmark,
            RequestTrip.benchmark, Codec.benchmark, FanOut.benchmark, Programs.benchmark,
        ] + Throughput.benchmarks
    }

    private static let usage = """
        Usage: swift run -c release Benchmarks [--filter TEXT] [--rounds N] [--json FILE] [--compare FILE]

        Build everything first (swift build -c release): services are measured as they lie beside this program.

          --filter TEXT   only the benchmarks whose name contains the text, or one of several with commas between:
                          \(benchmarks.map(\.name).joined(separator: ", "))
          --rounds N      rounds of each case, instead of the benchmark's own number
          --json FILE     writes all results
          --compare FILE  shows the ratios of an earlier --json beside
        """

    static func main() async {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            // The same program is the other side of some benchmarks.
            switch arguments.first {
            case BarePeer.word: try BarePeer.run(Array(arguments.dropFirst()))
            case FanPeer.word: try FanPeer.run(Array(arguments.dropFirst()))
            case HearingPeer.word: try HearingPeer.run(Array(arguments.dropFirst()))
            case WatchingPeer.word: try WatchingPeer.run(Array(arguments.dropFirst()))
            default: try await measure(Array(arguments))
            }
        } catch {
            fflush(nil)
            let text = Array("\(error)\n".utf8)
            _ = write(2, text, text.count)
            exit(error is UsageError ? 2 : 1)
        }
    }

    private struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    private static func options(_ arguments: [String]) throws -> [String: String] {
        var options: [String: String] = [:]
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard ["--filter", "--rounds", "--json", "--compare"].contains(name), let value = rest.popFirst() else {
                throw UsageError(description: usage)
            }
            options[name] = value
        }
        return options
    }

    private static func measure(_ arguments: [String]) async throws {
        let options = try options(arguments)
        let rounds = try options["--rounds"].map { text in
            guard let rounds = Int(text), rounds > 0 else { throw UsageError(description: usage) }
            return rounds
        }
        let before = try options["--compare"].map { try Report.read($0) }
        let known = Dictionary(before?.results.map { ($0.key, $0) } ?? [], uniquingKeysWith: { first, _ in first })
        let wanted = options["--filter"]?.split(separator: ",")
        let chosen = benchmarks.filter { benchmark in wanted?.contains { benchmark.name.contains($0) } ?? true }
        guard !chosen.isEmpty else { throw UsageError(description: usage) }
        var report = Report()
        let machine = report.machine
        print("\(machine.processor), \(machine.cores) cores, \(machine.system); load \(Table.text(machine.load))")
        for benchmark in chosen {
            let scratch = try Scratch()
            let others = Others()
            let results: [Result]
            do {
                results = try measured(benchmark, try await benchmark.prepare(scratch), rounds ?? benchmark.rounds)
            } catch {
                await scratch.end()
                throw error
            }
            let used = others.processors
            await scratch.end()
            print("\n\(benchmark.name): \(benchmark.title)\n\(Table(results, before: known).text)")
            print("others used \(Table.text(used)) processors meanwhile")
            fflush(nil)
            report.others?[benchmark.name] = used
            report.results += results
        }
        if let goals = Goal.table(report.results) { print("\ngoals\n\(goals)") }
        if let path = options["--json"] { try report.write(path) }
    }

    private static func measured(_ benchmark: Benchmark, _ cases: [Case], _ rounds: Int) throws -> [Result] {
        var figures: [[Figure]] = cases.map { _ in [] }
        var values: [[[Double]]] = cases.map { _ in [] }
        for round in 0...rounds {
            for (number, measured) in cases.enumerated() {
                let found = try measured.measure()
                // The first round warms up.
                guard round > 0 else { continue }
                if figures[number].isEmpty { (figures[number], values[number]) = (found, found.map { _ in [] }) }
                for (place, figure) in found.enumerated() { values[number][place].append(figure.value) }
            }
        }
        var results: [Result] = []
        for (number, measured) in cases.enumerated() {
            for (place, figure) in figures[number].enumerated() {
                let base = figures[0].firstIndex { $0.name == figure.name }.map { values[0][$0] } ?? []
                let value = values[number][place]
                results.append(Result(benchmark.name, measured.name, figure, values: value, base: base))
            }
        }
        return results
    }
}
