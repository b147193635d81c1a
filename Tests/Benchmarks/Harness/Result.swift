import FoundationEssentials

/// One figure of one case over all rounds.
struct Result: Codable {
    var benchmark: String
    var name: String
    var figure: String
    var unit: String
    var median: Double
    var minimum: Double
    var maximum: Double
    /// To the benchmark's first case: the median of the rounds' ratios. Nil where that has no such figure.
    var ratio: Double?

    /// - Parameters:
    ///   - values: one for each round.
    ///   - base: those of the first case in the same rounds.
    init(_ benchmark: String, _ name: String, _ figure: Figure, values: [Double], base: [Double]) {
        (self.benchmark, self.name, self.figure, self.unit) = (benchmark, name, figure.name, figure.unit)
        median = Self.median(values)
        minimum = values.min() ?? 0
        maximum = values.max() ?? 0
        ratio = base.isEmpty ? nil : Self.median(zip(values, base).map { $0 / $1 })
    }

    var key: String { "\(benchmark)/\(name)/\(figure)" }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

/// A run, as `--json` writes it and `--compare` reads it.
struct Report: Codable {
    var machine = Machine()
    var results: [Result] = []
    /// The processors that others used during each benchmark; see `Others`. Nil in files that don't say it.
    var others: [String: Double]? = [:]

    static func read(_ path: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(filePath: path)))
    }

    func write(_ path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: path))
    }
}
