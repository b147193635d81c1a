import Documents
import Text

/// A chart in the cells of a terminal: bars from left to right, or columns over time.
///
///     Unpaid, EUR
///     Lind      100.00  ████████████████████
///     Kim Berg   42.50  ████████▌
struct TerminalChart: Sendable {
    /// The cells of a line.
    var columns: Int
    /// Whether eighths of a cell can be drawn; otherwise `#` stands for a cell.
    var isUnicode: Bool
    var style = Style.plain

    /// Where the output is no terminal, a line has 80 cells.
    init(_ style: Style, environment: [String: String]) {
        columns = style.columns ?? 80
        isUnicode = Self.isUnicode(environment)
        self.style = style
    }

    init(columns: Int, isUnicode: Bool) {
        self.columns = columns
        self.isUnicode = isUnicode
    }

    /// Whether the locale's characters are UTF-8: the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set says so.
    static func isUnicode(_ environment: [String: String]) -> Bool {
        let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let codeset = name.lowercased().split(separator: ".").dropFirst().first ?? ""
        return codeset.hasPrefix("utf-8") || codeset.hasPrefix("utf8")
    }

    /// The chart's title and lines, with their ends; what is over time becomes bars where it has more points than cells.
    func text(_ chart: Chart) -> String {
        let columns = chart.kind == .line ? TerminalColumns(chart, self) : nil
        let lines = columns?.lines ?? bars(chart)
        return ([style.bold(CellText.escaped(chart.title))] + lines).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    // MARK: Bars

    private static let gap = "  "
    private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    private func bars(_ chart: Chart) -> [String] {
        let labels = chart.points.map { CellText.escaped($0.label) }
        let labelWidth = min(labels.map(TerminalText.cellWidth).max() ?? 0, max(8, columns * 2 / 5))
        let numberWidth = chart.points.map { TerminalText.cellWidth($0.text) }.max() ?? 0
        let scale = BarScale(chart.points.map(\.value), cells: max(10, columns - labelWidth - numberWidth - 4))
        return zip(chart.points, labels).map { point, label in
            TerminalText.padded(fitted(label, labelWidth), toCells: labelWidth) + Self.gap
                + TerminalText.padded(point.text, toCells: numberWidth, alignment: .trailing) + Self.gap
                + bar(point.value, scale)
        }
    }

    private func bar(_ value: Int64, _ scale: BarScale) -> String {
        let axis = scale.left > 0 ? (isUnicode ? "│" : "|") : ""
        let length = isUnicode ? scale.parts(value, ofCell: value < 0 ? 2 : 8) : scale.parts(value, ofCell: 1)
        if value < 0 {
            // Blocks begin at a cell's left: of those that end at its right there is only the half.
            let (whole, half) = isUnicode ? (length / 2, length % 2) : (length, 0)
            let space = String(repeating: " ", count: scale.left - whole - half)
            return space + (half > 0 ? "▐" : "") + String(repeating: isUnicode ? "█" : "#", count: whole) + axis
        }
        let space = String(repeating: " ", count: scale.left)
        guard isUnicode else { return space + axis + String(repeating: "#", count: length) }
        return space + axis + String(repeating: "█", count: length / 8) + Self.eighths[length % 8]
    }

    /// The label, or its beginning and an ellipsis that the terminal has.
    private func fitted(_ label: String, _ cells: Int) -> String {
        guard !isUnicode, TerminalText.cellWidth(label) > cells else {
            return TerminalText.truncated(label, toCells: cells)
        }
        return TerminalText.truncated(label, toCells: cells - 2).dropLast() + "..."
    }
}

/// How long bars are: one unit for those on both sides of zero.
private struct BarScale {
    /// Cells for negative bars; 0 where there are none.
    let left: Int
    private let right: Int
    /// What a cell stands for.
    private let unit: Double

    init(_ values: [Int64], cells: Int) {
        let low = -Double(min(0, values.min() ?? 0))
        let high = Double(max(0, values.max() ?? 0))
        // The axis takes a cell.
        let room = low > 0 ? cells - 1 : cells
        let share = low > 0 ? Int((Double(room) * low / (low + high)).rounded()) : 0
        left = low > 0 ? (high > 0 ? max(1, min(room - 1, share)) : room) : 0
        right = room - left
        unit = max(left > 0 ? low / Double(left) : 0, right > 0 ? high / Double(right) : 0)
    }

    /// The length in parts of a cell; what is not zero has one at least.
    func parts(_ value: Int64, ofCell parts: Int) -> Int {
        guard value != 0, unit > 0 else { return 0 }
        let length = Int((Double(value.magnitude) / unit * Double(parts)).rounded())
        return max(1, min(length, (value < 0 ? left : right) * parts))
    }
}
