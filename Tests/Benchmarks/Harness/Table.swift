/// The results as text: for each figure its cases below each other.
struct Table {
    private var lines: [[String]] = [["", "", "ratio", "median", "min … max"]]

    /// Lines of as many cells each; all but the first two are set to the right.
    init(lines: [[String]]) {
        self.lines = lines
    }

    init(_ results: [Result], before: [String: Result]) {
        let isCompared = !before.isEmpty
        if isCompared { lines[0].append("ratio before") }
        var figures: [String] = []
        for result in results where !figures.contains(result.figure) { figures.append(result.figure) }
        for figure in figures {
            for (place, result) in results.filter({ $0.figure == figure }).enumerated() {
                var line = [
                    place == 0 ? "\(figure), \(result.unit)" : "", result.name,
                    result.ratio.map(Self.text) ?? "", Self.text(result.median),
                    "\(Self.text(result.minimum)) … \(Self.text(result.maximum))",
                ]
                if isCompared { line.append(before[result.key]?.ratio.map(Self.text) ?? "–") }
                lines.append(line)
            }
        }
    }

    var text: String {
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        let rows = lines.map { line in
            line.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column < 2 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }
        return rows.joined(separator: "\n")
    }

    /// Three digits that count.
    static func text(_ value: Double) -> String {
        let magnitude = abs(value)
        if magnitude >= 100 { return String(Int(value.rounded())) }
        let digits = magnitude >= 10 ? 1 : 2
        let scale = digits == 1 ? 10.0 : 100.0
        let parts = String((value * scale).rounded() / scale).split(separator: ".")
        let fraction = parts.count > 1 ? parts[1].prefix(digits) : ""
        return "\(parts[0]).\(fraction)\(String(repeating: "0", count: digits - fraction.count))"
    }
}
