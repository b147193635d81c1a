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
            } else {
                let title = TerminalText.padded("\(field.title):", toCells: width)
                text += "\(title)  \(cells.text(value, idDigits: nil))\n"
            }
        }
        return text
    }

    private static func lines(_ fields: [FieldDeclaration], _ rows: [[FieldValue]], cells: CellText) -> String {
        let indices = fields.indices.filter { fields[$0].isInTable }
        let shown = rows.map { row in indices.map { row[$0] } }
        let columns = TableColumns(indices.map { fields[$0] }, rows: shown, withHeading: false, cells: cells)
        return shown.map { "  \(columns.line($0))\n" }.joined()
    }
}
