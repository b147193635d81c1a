internal import Synchronization

/// Numbers about a process, by name and labels, and their page in Prometheus' text format (version 0.0.4).
///
/// Each call takes a lock for well under a microsecond; the page is written from a copy.
public final class Metrics: Sendable {
    /// Numbers of one name.
    public struct Family: Sendable {
        public enum Kind: Sendable {
            /// Only rises.
            case counter
            case gauge
            /// Counts observations up to each of these bounds, which rise, and up to infinity.
            case histogram(bounds: [Double])
        }

        /// Such as `daybook_requests_total`: letters, digits and underscores; the unit is its end.
        public let name: String
        /// One sentence.
        public let help: String
        public let kind: Kind
        /// The names of the labels, in the order in which their values are given.
        public let labels: [String]

        public init(_ name: String, _ help: String, _ kind: Kind, labels: [String] = []) {
            (self.name, self.help, self.kind, self.labels) = (name, help, kind, labels)
        }
    }

    private struct Histogram {
        /// Of each bound those alone that are above the bound before; the last is infinity's.
        var counts: [UInt64]
        var sum = 0.0
    }

    private struct Samples {
        var values: [[String]: Double] = [:]
        var histograms: [[String]: Histogram] = [:]
    }

    public let families: [Family]
    private let indices: [String: Int]
    private let samples: Mutex<[Samples]>

    /// - Parameter families: in the order of the page; their names differ.
    public init(_ families: [Family]) {
        self.families = families
        indices = Dictionary(uniqueKeysWithValues: families.enumerated().map { ($1.name, $0) })
        samples = Mutex(Array(repeating: Samples(), count: families.count))
    }

    /// Raises a counter.
    public func add(_ name: String, _ labels: [String] = [], by amount: Double = 1) {
        change(name, labels) { samples, _ in samples.values[labels, default: 0] += amount }
    }

    /// Sets a gauge, or a counter that is counted elsewhere.
    public func set(_ name: String, _ labels: [String] = [], to value: Double) {
        change(name, labels) { samples, _ in samples.values[labels] = value }
    }

    /// Adds an observation to a histogram.
    public func observe(_ name: String, _ labels: [String] = [], _ value: Double) {
        change(name, labels) { samples, family in
            guard case .histogram(let bounds) = family.kind else { preconditionFailure("\(name) is no histogram") }
            let index = bounds.firstIndex { value <= $0 } ?? bounds.count
            samples.histograms[labels, default: Histogram(counts: Array(repeating: 0, count: bounds.count + 1))]
                .counts[index] += 1
            samples.histograms[labels]?.sum += value
        }
    }

    private func change(_ name: String, _ labels: [String], _ body: (inout Samples, Family) -> Void) {
        guard let index = indices[name] else { preconditionFailure("there is no family \(name)") }
        precondition(labels.count == families[index].labels.count, "\(name) has other labels")
        samples.withLock { body(&$0[index], families[index]) }
    }

    // MARK: The page

    /// The media type of ``text``.
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    /// Every family that has a sample, samples in the order of their labels.
    public var text: String {
        let samples = samples.withLock { $0 }
        var text = ""
        for (family, samples) in zip(families, samples) where !samples.values.isEmpty || !samples.histograms.isEmpty {
            text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.word)\n"
            for (labels, value) in samples.values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                text += "\(family.name)\(Self.braced(family.labels, labels)) \(Self.number(value))\n"
            }
            guard case .histogram(let bounds) = family.kind else { continue }
            for (labels, histogram) in samples.histograms.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                Self.write(histogram, family, bounds, labels, &text)
            }
        }
        return text
    }

    private static func write(
        _ histogram: Histogram,
        _ family: Family,
        _ bounds: [Double],
        _ labels: [String],
        _ text: inout String
    ) {
        var count: UInt64 = 0
        for (bound, above) in zip(bounds.map(number) + ["+Inf"], histogram.counts) {
            count += above
            text += "\(family.name)_bucket\(braced(family.labels + ["le"], labels + [bound])) \(count)\n"
        }
        text += "\(family.name)_sum\(braced(family.labels, labels)) \(number(histogram.sum))\n"
        text += "\(family.name)_count\(braced(family.labels, labels)) \(count)\n"
    }

    private static func braced(_ names: [String], _ values: [String]) -> String {
        guard !names.isEmpty else { return "" }
        return "{" + zip(names, values).map { "\($0)=\"\(escaped($1, quotes: true))\"" }.joined(separator: ",") + "}"
    }

    /// Whole numbers without a point.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension Metrics.Family.Kind {
    fileprivate var word: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
