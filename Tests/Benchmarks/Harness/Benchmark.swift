/// Something that is measured, in cases that differ in one thing: a size, a number of watchers.
///
/// Cases are measured in turns, one round of each after the other, so that what the machine does beside it meets all of
/// them alike. What counts is the ratio of a case to the first one of the same round.
struct Benchmark {
    /// What `--filter` finds it by.
    var name: String
    /// What is measured, for a reader of the table.
    var title: String
    var rounds: Int
    /// Makes what is measured; the first case is what the others are divided by.
    var prepare: (Scratch) async throws -> [Case]
}

struct Case {
    var name: String
    /// Measures one round, and tells the same figures in each.
    var measure: () throws -> [Figure]
}

struct Figure {
    var name: String
    var value: Double
    var unit: String

    init(_ name: String, _ value: Double, _ unit: String) {
        (self.name, self.value, self.unit) = (name, value, unit)
    }

    /// The middle and the slow end of many times in nanoseconds, in µs.
    static func times(_ name: String, _ nanoseconds: [UInt64]) -> [Figure] {
        let sorted = nanoseconds.sorted()
        func at(_ share: Double) -> Double { Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1000 }
        return [Figure("\(name) p50", at(0.5), "µs"), Figure("\(name) p99", at(0.99), "µs")]
    }
}
