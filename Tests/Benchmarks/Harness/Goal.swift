/// What a figure of Daybook has to reach.
struct Goal {
    enum Bound {
        /// Of the ratio to the benchmark's first case.
        case ratio(atLeast: Double)
        case ratioAtMost(Double)
        /// Of the median.
        case atMost(Double)
    }

    var benchmark: String
    var name: String
    var figure: String
    var bound: Bound

    init(_ benchmark: String, _ name: String, _ figure: String, _ bound: Bound) {
        (self.benchmark, self.name, self.figure, self.bound) = (benchmark, name, figure, bound)
    }

    init(_ benchmark: String, _ figure: String, _ bound: Bound) { self.init(benchmark, "Daybook", figure, bound) }

    static let all: [Goal] =
        ["ipc", "tcp"].flatMap { way in
            [
                Goal("commands", "\(way), 1 in flight", .ratio(atLeast: 0.85)),
                Goal("commands", "\(way), 64 in flight", .ratio(atLeast: 0.75)),
                Goal("gets", "\(way), 1 in flight", .ratio(atLeast: 0.80)),
                Goal("gets", "\(way), 64 in flight", .ratio(atLeast: 0.85)),
                Goal("lists", "\(way), 1 in flight", .ratio(atLeast: 0.85)),
                Goal("lists", "\(way), 64 in flight", .ratio(atLeast: 0.75)),
            ]
        } + [
            Goal("fan-out", "events a second to 10", .ratio(atLeast: 0.90)),
            Goal("fan-out", "events a second to 100", .ratio(atLeast: 0.90)),
            Goal("codec", "shortcut", "encode", .atMost(460)),
            Goal("codec", "shortcut", "decode, checked", .atMost(700)),
            Goal("list-changes", "1000000 rows", "update p50", .atMost(20)),
            Goal("list-changes", "1000000 rows", "move p50", .atMost(20)),
            Goal("list-changes", "1000000 rows", "insert p50", .atMost(20)),
            Goal("list-changes", "1000000 rows", "delete p50", .atMost(20)),
            Goal("first-batch", "Daybook over ipc", "commit → batch p50", .ratioAtMost(2)),
            Goal("programs", "daybook --help", .atMost(8)),
            Goal("programs", "daybook customers list", .atMost(15)),
            Goal("programs", "daybook up, until ready", .atMost(150)),
            Goal("programs", "an idle service, resident", .atMost(15)),
            Goal("reports", "by service p50", .atMost(50_000)),
            Goal("reports", "by customer p50", .atMost(50_000)),
            Goal("reports", "by month p50", .atMost(50_000)),
            Goal("reports", "row built", .ratioAtMost(1 / 0.7)),
            Goal("reports", "row imported", .atMost(10_000)),
        ]

    /// A table of the goals that the results have figures for; nil where there are none.
    static func table(_ results: [Result]) -> String? {
        let known = Dictionary(results.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let lines = all.compactMap { goal -> [String]? in
            guard let result = known["\(goal.benchmark)/\(goal.name)/\(goal.figure)"] else { return nil }
            let (value, isReached, wanted) = goal.judged(result)
            return [
                "\(goal.benchmark), \(goal.figure)\(goal.name == "Daybook" ? "" : ", \(goal.name)")", wanted, value,
                isReached ? "reached" : "missed",
            ]
        }
        guard !lines.isEmpty else { return nil }
        return Table(lines: [["", "goal", "is", ""]] + lines).text
    }

    private func judged(_ result: Result) -> (value: String, isReached: Bool, wanted: String) {
        let ratio = result.ratio ?? .nan
        return switch bound {
        case .ratio(let least): (Table.text(ratio), ratio >= least, "≥ \(Table.text(least))")
        case .ratioAtMost(let most): (Table.text(ratio), ratio <= most, "≤ \(Table.text(most))")
        case .atMost(let most):
            (
                "\(Table.text(result.median)) \(result.unit)", result.median <= most,
                "≤ \(Table.text(most)) \(result.unit)"
            )
        }
    }
}
