import Messages
import Text

/// Aligned columns under a heading.
///
/// The first 1,000 rows are kept until they are all there or the list ends; they decide the widths and how many digits
/// of an id are shown. Rows after them are printed as they arrive: a longer cell pushes its line, and ids show twelve
/// digits. Nothing is cut except on a terminal, where columns of text are narrowed until a line fits.
struct TableWriter<Row>: RowWriter {
    /// How many rows decide the widths.
    static var decidingRows: Int { 1000 }

    private let fields: [Field<Row>]
    private let output: Output
    private let cells: CellText
    private var kept: [[FieldValue]] = []
    private var columns: TableColumns?

    init(fields: [Field<Row>], output: Output, cells: CellText) {
        self.fields = fields
        self.output = output
        self.cells = cells
    }

    mutating func write(_ row: Row) throws(CLIError) {
        let values = fields.map { $0.value(row) }
        if let columns { return try output.line(columns.line(values)) }
        kept.append(values)
        if kept.count > Self.decidingRows { try writeKept(leastDigits: 12) }
    }

    mutating func finish() throws(CLIError) {
        if columns == nil { try writeKept(leastDigits: 4) }
    }

    private mutating func writeKept(leastDigits: Int) throws(CLIError) {
        let columns = TableColumns(
            fields.map(\.declaration),
            rows: kept,
            leastDigits: leastDigits,
            limit: output.style.columns,
            cells: cells
        )
        try output.line(output.style.bold(columns.heading))
        for row in kept { try output.line(columns.line(row)) }
        kept = []
        self.columns = columns
    }
}

/// The widths of a table's columns, in cells of a terminal.
struct TableColumns {
    private let fields: [FieldDeclaration]
    private let cells: CellText
    private let idDigits: [Int]
    private var widths: [Int]
    private let limit: Int?

    /// - Parameter limit: the terminal's width; nil cuts nothing.
    init(
        _ fields: [FieldDeclaration],
        rows: [[FieldValue]],
        leastDigits: Int = 4,
        limit: Int? = nil,
        withHeading: Bool = true,
        cells: CellText
    ) {
        let digits = fields.indices.map { index in
            let ids = rows.compactMap { row in if case .id(let id) = row[index] { id } else { nil } }
            return max(leastDigits, CellText.idDigits(ids))
        }
        self.fields = fields
        self.cells = cells
        self.limit = limit
        idDigits = digits
        widths = fields.indices.map { index in
            let texts = rows.map { cells.text($0[index], idDigits: digits[index]) }
            let heading = withHeading ? fields[index].title : ""
            return (texts + [heading]).lazy.map(TerminalText.cellWidth).max() ?? 0
        }
        if let limit { narrow(to: limit) }
    }

    var heading: String { joined(fields.map(\.title)) }

    func line(_ values: [FieldValue]) -> String {
        joined(values.indices.map { cells.text(values[$0], idDigits: idDigits[$0]) })
    }

    private func joined(_ texts: [String]) -> String {
        var line = ""
        for (index, text) in texts.enumerated() {
            if index > 0 { line += "  " }
            let cell = limit == nil ? text : TerminalText.truncated(text, toCells: widths[index])
            let isLast = index == texts.count - 1
            let alignment: TerminalText.Alignment = fields[index].isNumber ? .trailing : .leading
            line +=
                isLast && alignment == .leading
                ? cell : TerminalText.padded(cell, toCells: widths[index], alignment: alignment)
        }
        while line.last == " " { line.removeLast() }
        return limit.map { TerminalText.truncated(line, toCells: $0) } ?? line
    }

    /// Takes cells from the widest column of text until the line fits, down to 8 cells each.
    private mutating func narrow(to limit: Int) {
        var excess = widths.reduce(0, +) + 2 * max(0, widths.count - 1) - limit
        while excess > 0 {
            let texts = fields.indices.filter { fields[$0].type == .text && widths[$0] > 8 }
            guard let widest = texts.max(by: { widths[$0] < widths[$1] }) else { return }
            widths[widest] -= 1
            excess -= 1
        }
    }
}

extension FieldDeclaration {
    /// Whether its cells end at the same place rather than begin there.
    var isNumber: Bool {
        switch type {
        case .integer, .number, .money: true
        default: false
        }
    }
}
