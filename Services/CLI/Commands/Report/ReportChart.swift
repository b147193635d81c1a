import Documents
import Messages
import Text

/// A chart of numbers of one unit.
struct ReportChart: Sendable, Hashable {
    /// What the numbers are.
    enum Unit: Sendable, Hashable {
        case money(Currency)
        /// Hundredths of hours.
        case hours

        func text(_ value: Int64) -> String {
            switch self {
            case .money(let currency): Money(amount: value, currency: currency).plain
            case .hours: DecimalText.text(value, decimals: 2)
            }
        }
    }

    var unit: Unit
    var chart: Chart
}

extension ReportChart {
    /// Charts of amounts, one for each currency, by its code: currencies have no common scale.
    ///
    /// - Parameters:
    ///   - title: what the amounts are; the currency is added.
    ///   - amounts: those of one label and currency are added up.
    ///   - fill: adds labels without an amount, such as months in which nothing was sold.
    /// - Throws: ``CLIError/failure(_:)`` for a sum beyond 64 bits.
    static func byCurrency(
        _ title: String,
        _ kind: Chart.Kind,
        _ amounts: [(label: String, amount: Money)],
        filling fill: ([String]) -> [String] = { $0 }
    ) throws(CLIError) -> [ReportChart] {
        var charts: [ReportChart] = []
        let currencies = Dictionary(grouping: amounts) { $0.amount.currency }
        for (currency, amounts) in currencies.sorted(by: { $0.key.code < $1.key.code }) {
            charts.append(
                try of(
                    "\(title), \(currency)",
                    kind,
                    .money(currency),
                    amounts.map { ($0.label, $0.amount.amount) },
                    filling: fill
                )
            )
        }
        return charts
    }

    /// A chart of values; those of one label are added up.
    ///
    /// - Parameter fill: adds labels without a value.
    /// - Throws: ``CLIError/failure(_:)`` for a sum beyond 64 bits.
    static func of(
        _ title: String,
        _ kind: Chart.Kind,
        _ unit: Unit,
        _ values: [(label: String, value: Int64)],
        filling fill: ([String]) -> [String] = { $0 }
    ) throws(CLIError) -> ReportChart {
        var labels: [String] = []
        var sums: [String: Int64] = [:]
        for (label, value) in values {
            if sums[label] == nil { labels.append(label) }
            sums[label] = try sum([sums[label] ?? 0, value])
        }
        let points = fill(labels).map { label in
            Chart.Point(label: label, value: sums[label] ?? 0, text: unit.text(sums[label] ?? 0))
        }
        return ReportChart(unit: unit, chart: Chart(title: title, kind: kind, points: points))
    }

    /// The points from the greatest to the least, those of one value by their labels.
    func sortedByValue() -> ReportChart {
        var sorted = self
        sorted.chart.points = chart.points.map { (key: Collation.sortKey($0.label), point: $0) }
            .sorted { left, right in
                left.point.value == right.point.value
                    ? left.key.lexicographicallyPrecedes(right.key) : left.point.value > right.point.value
            }
            .map(\.point)
        return sorted
    }

    /// At most so many bars: those with the largest numbers in their order, and the others' sum as the last.
    ///
    /// - Throws: ``CLIError/failure(_:)`` for a sum beyond 64 bits.
    func limited(to most: Int) throws(CLIError) -> Chart {
        let points = chart.points
        guard chart.kind == .bars, points.count > most else { return chart }
        let largest = points.indices.sorted { points[$0].value.magnitude > points[$1].value.magnitude }
        let kept = Set(largest.prefix(most - 1))
        let others = points.indices.filter { !kept.contains($0) }
        let sum = try Self.sum(others.map { points[$0].value })
        var chart = chart
        chart.points = points.indices.filter(kept.contains).map { points[$0] }
        chart.points.append(Chart.Point(label: "\(others.count) others", value: sum, text: unit.text(sum)))
        return chart
    }

    private static func sum(_ values: [Int64]) throws(CLIError) -> Int64 {
        guard let sum = Int64(exactly: values.reduce(0) { $0 + Int128($1) }) else {
            throw .failure("The chart can't be drawn: its sums are beyond the largest that can be kept.")
        }
        return sum
    }
}

/// Labels of time as reports have them: `2024`, `2024-Q1`, `2024-03`, `2024-W13`, `2024-03-31`.
enum TimeLabels {
    /// A span with more labels stays as it is: such a gap is a slip of the pen, or would only hide what there is.
    static let most = 2000

    /// The labels with those between them that are missing; anything else stays as it is.
    static func filled(_ labels: [String]) -> [String] {
        guard let first = labels.first, let last = labels.last else { return labels }
        let known = Set(labels)
        var filled = [first]
        var found = 1
        while filled[filled.count - 1] != last {
            guard filled.count < most, let next = next(filled[filled.count - 1]) else { return labels }
            filled.append(next)
            if known.contains(next) { found += 1 }
        }
        return found == known.count && known.count == labels.count ? filled : labels
    }

    /// The label behind another; nil for what is none.
    static func next(_ label: String) -> String? {
        if let day = CalendarDay(label) { return (try? day.adding(days: 1))?.description }
        let parts = label.split(separator: "-", omittingEmptySubsequences: false)
        guard parts[0].utf8.count == 4, let year = Int(parts[0]), 1..<9999 ~= year else { return nil }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        if parts.count == 1 { return padded(year + 1, 4) }
        guard parts.count == 2 else { return nil }
        if parts[1].hasPrefix("Q"), let quarter = Int(parts[1].dropFirst()), 1...4 ~= quarter {
            return quarter < 4 ? "\(parts[0])-Q\(quarter + 1)" : "\(padded(year + 1, 4))-Q1"
        }
        if parts[1].hasPrefix("W"), let week = Int(parts[1].dropFirst()), 1...53 ~= week {
            // Dec 28 lies in the year's last week (ISO 8601).
            guard let last = try? CalendarDay(year: year, month: 12, day: 28).week.number else { return nil }
            return week < last ? "\(parts[0])-W\(padded(week + 1, 2))" : "\(padded(year + 1, 4))-W01"
        }
        guard parts[1].utf8.count == 2, let month = Int(parts[1]), 1...12 ~= month else { return nil }
        return month < 12 ? "\(parts[0])-\(padded(month + 1, 2))" : "\(padded(year + 1, 4))-01"
    }
}
