import CSV
import Messages

/// A heading and a line for each row; an amount takes two columns, a list within a row is JSON in its cell.
struct CSVRowWriter<Row>: RowWriter {
    private let fields: [Field<Row>]
    private let output: Output
    private var hasHeading = false

    init(fields: [Field<Row>], output: Output) {
        self.fields = fields
        self.output = output
    }

    mutating func write(_ row: Row) throws(CLIError) {
        try writeHeading()
        try output.write(CSVText.line(fields.flatMap { Self.cells($0.value(row), $0.declaration.type) }))
    }

    mutating func finish() throws(CLIError) {
        try writeHeading()
    }

    private mutating func writeHeading() throws(CLIError) {
        guard !hasHeading else { return }
        hasHeading = true
        try output.write(CSVText.line(fields.flatMap { Self.columns($0.declaration) }))
    }

    private static func columns(_ field: FieldDeclaration) -> [String] {
        field.type == .money ? [field.name, "\(field.name)_currency"] : [field.name]
    }

    private static func cells(_ value: FieldValue, _ type: FieldType) -> [String] {
        switch value {
        case .absent: type == .money ? ["", ""] : [""]
        case .text(let value): [value]
        case .integer(let value): [String(value)]
        case .boolean(let value): [value ? "true" : "false"]
        case .day(let value): [value.description]
        case .instant(let value): [value.description]
        case .id(let value): [value.description]
        case .money(let value): [value.plain, value.currency.code]
        case .list:
            [
                {
                    var json = JSONText(indentation: nil)
                    json.value(value, type)
                    return json.text
                }()
            ]
        }
    }
}

/// One line of RFC 4180.
enum CSVText {
    static func line(_ cells: [String]) -> String {
        cells.map { cell in
            let isPlain = cell.utf8.allSatisfy { $0 != 0x22 && $0 != 0x2C && $0 != 0x0A && $0 != 0x0D }
            // By scalars: a quote followed by a combining mark is one Character, and not equal to a quote.
            return isPlain ? cell : "\"" + doubled(cell) + "\""
        }.joined(separator: ",") + "\n"
    }

    private static func doubled(_ cell: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text.append(scalar) }
            text.append(scalar)
        }
        return String(text)
    }
}
