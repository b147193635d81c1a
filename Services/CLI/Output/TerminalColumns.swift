import Documents
import Text

/// A chart over time as columns above and below a line, with round numbers at the left and labels below.
///
///     Totals by month, EUR
///      40 ┤     █
///         │     █
///      20 ┤ ▄   █
///         │ █   █
///       0 ┼─────────
///          Jan Feb
struct TerminalColumns {
    let lines: [String]

    /// About how many lines the columns have.
    private static let height = 10
    private static let eighths = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// nil where there are more points than cells.
    init?(_ chart: Chart, _ terminal: TerminalChart) {
        let values = chart.points.map(\.value)
        let ticks = ChartDrawing.ticks(from: values.min() ?? 0, to: values.max() ?? 0)
        let names = ticks.map(chart.axisText)
        let left = names.map(TerminalText.cellWidth).max() ?? 0
        let room = terminal.columns - left - 3
        guard !values.isEmpty, room >= values.count else { return nil }
        let slot = min(8, room / values.count)
        let width = slot > 1 ? slot - 1 : 1
        let isUnicode = terminal.isUnicode

        let zero = ticks.firstIndex(of: 0) ?? 0
        let rowsOfStep = max(1, Self.height / max(1, ticks.count - 1))
        let (above, below) = ((ticks.count - 1 - zero) * rowsOfStep, zero * rowsOfStep)
        // What a row stands for; the same on both sides, because all steps are alike.
        let unit =
            above > 0 ? Double(ticks[ticks.count - 1]) / Double(above) : -Double(ticks[0]) / Double(max(1, below))

        func row(_ tick: Int?, _ cells: [String]) -> String {
            let name = tick.map { names[$0] } ?? ""
            let axis = isUnicode ? (tick == nil ? "│" : "┤") : (tick == nil ? "|" : "+")
            let padded = TerminalText.padded(name, toCells: left, alignment: .trailing)
            return "\(padded) \(axis) " + cells.map { Self.column($0, width, slot) }.joined()
        }
        // Eighths of a row above the line, halves below it: blocks that hang from a cell's top have no finer form.
        let (finesse, finesseBelow) = isUnicode ? (8, 2) : (1, 1)
        let heights = values.map { value in
            let parts = value < 0 ? finesseBelow : finesse
            let rows = unit > 0 ? Double(value.magnitude) / unit : 0
            return value == 0
                ? 0 : max(1, min(Int((rows * Double(parts)).rounded()), (value < 0 ? below : above) * parts))
        }
        var lines: [String] = []
        for number in stride(from: above, to: 0, by: -1) {
            let cells = zip(values, heights).map { value, height in
                Self.block(value > 0 ? height - (number - 1) * finesse : 0, of: finesse, isUnicode)
            }
            lines.append(row(number % rowsOfStep == 0 ? zero + number / rowsOfStep : nil, cells))
        }
        let rule = String(repeating: isUnicode ? "─" : "-", count: slot * values.count + 1)
        let name = TerminalText.padded(names[zero], toCells: left, alignment: .trailing)
        lines.append("\(name) \(isUnicode ? "┼" : "+")\(rule)")
        for number in stride(from: 1, through: below, by: 1) {
            let cells = zip(values, heights).map { value, height in
                let parts = value < 0 ? min(finesseBelow, max(0, height - (number - 1) * finesseBelow)) : 0
                return parts == 0 ? " " : parts < finesseBelow ? "▀" : isUnicode ? "█" : "#"
            }
            lines.append(row(number % rowsOfStep == 0 ? zero - number / rowsOfStep : nil, cells))
        }
        lines.append(Self.labels(chart, left: left + 3, slot: slot, columns: terminal.columns))
        self.lines = lines
    }

    private static func block(_ parts: Int, of finesse: Int, _ isUnicode: Bool) -> String {
        if parts <= 0 { return " " }
        guard isUnicode else { return "#" }
        return eighths[min(parts, finesse) - 1]
    }

    private static func column(_ cell: String, _ width: Int, _ slot: Int) -> String {
        String(repeating: cell, count: width) + String(repeating: " ", count: slot - width)
    }

    /// As many labels below their columns as fit side by side.
    private static func labels(_ chart: Chart, left: Int, slot: Int, columns: Int) -> String {
        var line = String(repeating: " ", count: left)
        var end = left
        for (index, point) in chart.points.enumerated() {
            let label = CellText.escaped(point.label)
            let (start, width) = (left + index * slot, TerminalText.cellWidth(label))
            // A cell apart from the one before, apart from the first.
            guard index == 0 || start > end, start + width <= columns else { continue }
            line += String(repeating: " ", count: start - end) + label
            end = start + width
        }
        return line
    }
}
