import Messages
import Text

/// One record for people: `Title: value` lines, then the lists within it.
///
/// Absent values are left out. Ids are whole, so that they can be copied.
///
///     Number:    12
///     Date:      2024-03-31
///     Customer:  Björn Åkesson
///     Rows:
///       Bath      10.00 EUR
///       Clipping  25.50 EUR
///
/// Text of several lines stands below its title, too.
enum RecordText {
    static func text(_ fields: [FieldDeclaration], _ values: [FieldValue], cells: CellText) -> String {
        let shown = zip(fields, values).filter { field, value in
            if case .list(let rows) = value { return !rows.isEmpty }
            return value != .absent
        }
        let width = shown.map { TerminalText.cellWidth($0.0.title) + 1 }.max() ?? 0
        var text = ""
        for (field, value) in shown {
            if case .list(let rows) = value, case .list(let nested) = field.type {
                text += "\(field.title):\n" + lines(nested, rows, cells: cells)
            } else if case .text(let value) = value, value.utf8.contains(0x0A) {
                text += "\(field.title):\n" + block(value)
            } else {
                let title = TerminalText.padded("\(field.title):", toCells: width)
                text += "\(title)  \(cells.text(value, idDigits: nil))\n"
            }
        }
        return text
    }

    /// Each line by itself, as it is but for what would steer the terminal. By scalars: CR LF is one Character.
    private static func block(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = String(line.last == "\r" ? line.dropLast() : line)
            return line.isEmpty ? "\n" : "  \(CellText.escaped(line))\n"
        }.joined()
    }

    private static func lines(_ fields: [FieldDeclaration], _ rows: [[FieldValue]], cells: CellText) -> String {
        let indices = fields.indices.filter { fields[$0].isInTable }
        let shown = rows.map { row in indices.map { row[$0] } }
        let columns = TableColumns(indices.map { fields[$0] }, rows: shown, withHeading: false, cells: cells)
        return shown.map { "  \(columns.line($0))\n" }.joined()
    }
}
