import CSV
import Messages

/// A heading and a line for each row; an amount takes two columns, a list within a row is JSON in its cell.
///
/// Texts stand as they are, also those that a spreadsheet would take for formulas, unless it is told otherwise: what is
/// read back is what was kept.
struct CSVRowWriter<Row>: RowWriter {
    private let fields: [Field<Row>]
    private let output: Output
    private let isSpreadsheetSafe: Bool
    private var csv: CSVWriter
    private var hasHeading = false

    /// - Parameter isSpreadsheetSafe: texts are neutralised by ``SpreadsheetText``, and a byte order mark in front tells
    ///   the spreadsheet that it is UTF-8.
    init(fields: [Field<Row>], output: Output, isSpreadsheetSafe: Bool = false) {
        self.fields = fields
        self.output = output
        self.isSpreadsheetSafe = isSpreadsheetSafe
        csv = CSVWriter(spreadsheetSafe: isSpreadsheetSafe)
    }

    mutating func write(_ row: Row) throws(CLIError) {
        try writeHeading()
        csv.write(fields.flatMap { Self.cells($0.value(row), $0.declaration.type) })
        try passOn()
    }

    mutating func finish() throws(CLIError) {
        try writeHeading()
        try passOn()
    }

    private mutating func writeHeading() throws(CLIError) {
        guard !hasHeading else { return }
        hasHeading = true
        if isSpreadsheetSafe { try output.write("\u{FEFF}") }
        csv.write(fields.flatMap { Self.columns($0.declaration) })
    }

    private mutating func passOn() throws(CLIError) {
        try output.write(String(decoding: csv.take(), as: UTF8.self))
    }

    private static func columns(_ field: FieldDeclaration) -> [CSVWriter.Cell] {
        field.type == .money ? [.text(field.name), .text("\(field.name)_currency")] : [.text(field.name)]
    }

    private static func cells(_ value: FieldValue, _ type: FieldType) -> [CSVWriter.Cell] {
        switch value {
        case .absent: return type == .money ? [.text(""), .text("")] : [.text("")]
        case .text(let value): return [type == .number ? .number(value) : .text(value)]
        case .integer(let value): return [.number(String(value))]
        case .boolean(let value): return [.text(value ? "true" : "false")]
        case .day(let value): return [.text(value.description)]
        case .instant(let value): return [.text(value.description)]
        case .id(let value): return [.text(value.description)]
        case .money(let value): return [.number(value.plain), .text(value.currency.code)]
        case .list:
            var json = JSONText(indentation: nil)
            json.value(value, type)
            return [.text(json.text)]
        }
    }
}
