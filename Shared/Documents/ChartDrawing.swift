/// A chart as shapes: what SVG and PDF draw alike. Lengths in points of 1/72 inch, y downwards.
public struct ChartDrawing: Sendable {
    public enum Shape: Sendable, Hashable {
        case bar(x: Double, y: Double, width: Double, height: Double)
        /// A thin line, for axes.
        case rule(x1: Double, y1: Double, x2: Double, y2: Double)
        /// The line of a chart.
        case path([Place])
        case dot(Place)
        /// `y` is the text's baseline.
        case text(String, x: Double, y: Double, anchor: Anchor, style: TextStyle)
    }

    public struct Place: Sendable, Hashable {
        public var x: Double
        public var y: Double
    }

    public enum Anchor: String, Sendable {
        case start
        case middle
        case end
    }

    public enum TextStyle: Sendable {
        case title
        case label
    }

    /// Font sizes in points.
    public static let titleSize = 11.0
    public static let labelSize = 8.5

    public let width: Double
    public let height: Double
    public let shapes: [Shape]

    /// Lays the chart out.
    ///
    /// - Parameters:
    ///   - width: in points, at least 200.
    ///   - measure: the width of a label in points.
    public init(_ chart: Chart, width: Double, measure: @escaping (String) -> Double) {
        var layout = Layout(chart: chart, width: max(200, width), measure: measure)
        switch chart.kind {
        case .bars: layout.drawBars()
        case .line: layout.drawLine()
        }
        self.width = layout.width
        height = layout.height
        shapes = layout.shapes
    }
}

extension ChartDrawing {
    /// The numbers on an axis: round ones that reach over all values, with zero among them.
    ///
    /// Steps are 1, 2 or 5 times a power of ten; at most `most` of them and one more at each end.
    package static func ticks(from least: Int64, to greatest: Int64, most: Int = 5) -> [Int64] {
        let (low, high) = (min(0, least), max(0, greatest))
        // Halves, so that the span of all 64-bit numbers fits.
        let span = max(1, Double(high) - Double(low))
        var step: Int64 = 1
        search: while true {
            for factor: Int64 in [1, 2, 5] {
                let (candidate, overflows) = step.multipliedReportingOverflow(by: factor)
                if overflows || Double(candidate) * Double(most) >= span {
                    step = overflows ? Int64.max : candidate
                    break search
                }
            }
            let (next, overflows) = step.multipliedReportingOverflow(by: 10)
            guard !overflows else { break }
            step = next
        }
        var ticks: [Int64] = [0]
        while let last = ticks.last, last < high {
            let (next, overflows) = last.addingReportingOverflow(step)
            ticks.append(overflows ? high : next)
        }
        while let first = ticks.first, first > low {
            let (next, overflows) = first.subtractingReportingOverflow(step)
            ticks.insert(overflows ? low : next, at: 0)
        }
        return ticks
    }
}

private struct Layout {
    let chart: Chart
    let width: Double
    let measure: (String) -> Double
    var height = 0.0
    var shapes: [ChartDrawing.Shape] = []

    private let barHeight = 12.0
    private let gap = 6.0
    private let margin = 4.0

    init(chart: Chart, width: Double, measure: @escaping (String) -> Double) {
        self.chart = chart
        self.width = width
        self.measure = measure
        shapes.append(.text(chart.title, x: 0, y: ChartDrawing.titleSize, anchor: .start, style: .title))
        height = ChartDrawing.titleSize + 10
    }

    /// Labels on the left, bars from a common zero, numbers at their ends.
    mutating func drawBars() {
        let labels = chart.points.map { fitted($0.label, into: width * 0.35) }
        let left = (labels.map(measure).max() ?? 0) + 2 * margin
        let numbers = (chart.points.map { measure($0.text) }.max() ?? 0) + 2 * margin
        let values = chart.points.map(\.value)
        let (low, high) = (min(0, values.min() ?? 0), max(0, values.max() ?? 0))
        // Numbers of negative bars stand left of them.
        let start = left + (low < 0 ? numbers : 0)
        let room = max(20, width - start - (high > 0 || low == 0 ? numbers : margin))
        let span = max(1, Double(high) - Double(low))
        let zero = start + room * (-Double(low) / span)
        let top = height
        for (point, label) in zip(chart.points, labels) {
            let baseline = height + barHeight - 3
            shapes.append(.text(label, x: left - 2 * margin, y: baseline, anchor: .end, style: .label))
            let length = room * abs(Double(point.value)) / span
            let isNegative = point.value < 0
            shapes.append(
                .bar(x: isNegative ? zero - length : zero, y: height, width: length, height: barHeight)
            )
            shapes.append(
                .text(
                    point.text,
                    x: isNegative ? zero - length - margin : zero + length + margin,
                    y: baseline,
                    anchor: isNegative ? .end : .start,
                    style: .label
                )
            )
            height += barHeight + gap
        }
        if chart.points.isEmpty { height += barHeight + gap }
        shapes.append(.rule(x1: zero, y1: top - 3, x2: zero, y2: height - gap + 3))
    }

    /// Round numbers on the left, as many labels below as fit side by side.
    mutating func drawLine() {
        let values = chart.points.map(\.value)
        let ticks = ChartDrawing.ticks(from: values.min() ?? 0, to: values.max() ?? 0)
        let names = ticks.map(chart.axisText)
        let left = (names.map(measure).max() ?? 0) + 2 * margin
        let (top, area) = (height + 4, 150.0)
        let right = width - (measure(chart.points.last?.label ?? "") / 2) - margin
        let (low, high) = (Double(ticks.first ?? 0), Double(ticks.last ?? 1))
        func y(_ value: Double) -> Double { top + area * (1 - (value - low) / max(1, high - low)) }
        for (tick, name) in zip(ticks, names) {
            let place = y(Double(tick))
            shapes.append(.rule(x1: left, y1: place, x2: right, y2: place))
            shapes.append(.text(name, x: left - margin, y: place + 3, anchor: .end, style: .label))
        }
        let first = left + measure(chart.points.first?.label ?? "") / 2
        let step = chart.points.count > 1 ? (right - first) / Double(chart.points.count - 1) : 0
        let places = chart.points.enumerated().map { index, point in
            ChartDrawing.Place(x: first + step * Double(index), y: y(Double(point.value)))
        }
        if places.count > 1 { shapes.append(.path(places)) }
        if places.count <= 60 { shapes += places.map { .dot($0) } }
        var free = -Double.infinity
        for (point, place) in zip(chart.points, places) {
            let half = measure(point.label) / 2
            guard place.x - half >= free else { continue }
            shapes.append(.text(point.label, x: place.x, y: top + area + 14, anchor: .middle, style: .label))
            free = place.x + half + 8
        }
        height = top + area + 20
    }

    /// The label, or its beginning and an ellipsis.
    private func fitted(_ label: String, into width: Double) -> String {
        guard measure(label) > width else { return label }
        var kept = label
        while !kept.isEmpty, measure(kept + "…") > width { kept.removeLast() }
        return kept + "…"
    }
}

extension Chart {
    /// A number of the axis, written as the chart's own numbers are: with as many digits behind the mark.
    package func axisText(_ value: Int64) -> String {
        let decimals = points.first.map { Self.decimals(of: $0.text) } ?? 0
        guard decimals > 0 else { return String(value) }
        var digits = String(value.magnitude)
        while digits.count <= decimals { digits = "0" + digits }
        let whole = digits.dropLast(decimals)
        let rest = digits.suffix(decimals)
        return (value < 0 ? "-" : "") + whole + (rest.allSatisfy { $0 == "0" } ? "" : "." + rest)
    }

    private static func decimals(of text: String) -> Int {
        guard let mark = text.lastIndex(of: ".") else { return 0 }
        return text[text.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }.count
    }
}
