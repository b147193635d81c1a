import Messages

/// Prints rows one after the other as they arrive.
protocol RowWriter<Row> {
    associatedtype Row

    /// Prints a row, or keeps it until the columns are known.
    ///
    /// - Throws: what ``Output/write(_:)`` throws.
    mutating func write(_ row: Row) throws(CLIError)

    /// Prints what was kept, and the end.
    ///
    /// - Throws: what ``Output/write(_:)`` throws.
    mutating func finish() throws(CLIError)
}

/// One JSON array, an element for each row.
struct JSONArrayWriter<Row>: RowWriter {
    let fields: [Field<Row>]
    let output: Output
    private var isEmpty = true

    init(fields: [Field<Row>], output: Output) {
        self.fields = fields
        self.output = output
    }

    mutating func write(_ row: Row) throws(CLIError) {
        let object = JSONText.object(
            fields.map(\.declaration),
            fields.map { $0.value(row) },
            indentation: 2,
            depth: 1
        )
        try output.write((isEmpty ? "[\n  " : ",\n  ") + object)
        isEmpty = false
    }

    mutating func finish() throws(CLIError) {
        try output.line(isEmpty ? "[]" : "\n]")
    }
}

/// One JSON object on each line.
struct JSONLinesWriter<Row>: RowWriter {
    let fields: [Field<Row>]
    let output: Output

    mutating func write(_ row: Row) throws(CLIError) {
        let object = JSONText.object(fields.map(\.declaration), fields.map { $0.value(row) }, indentation: nil)
        try output.line(object)
    }

    mutating func finish() throws(CLIError) {}
}

/// The ids alone, one on each line.
struct IdentifierWriter<Row>: RowWriter {
    let noun: Noun<Row>
    let output: Output

    mutating func write(_ row: Row) throws(CLIError) {
        guard let id = noun.id?(row) else { return }
        try output.line(id.description)
    }

    mutating func finish() throws(CLIError) {}
}

/// The lines that a noun declares, under its headings.
struct LinesWriter<Row>: RowWriter {
    let lines: Lines<Row>
    let output: Output
    private var section: String?

    init(lines: Lines<Row>, output: Output) {
        self.lines = lines
        self.output = output
    }

    mutating func write(_ row: Row) throws(CLIError) {
        if let heading = lines.section?(row), heading != section {
            section = heading
            try output.line(output.style.bold(CellText.escaped(heading)))
        }
        // A line's tabs are its form; those of names were escaped by whoever made the line.
        try output.line(lines.line(row))
    }

    mutating func finish() throws(CLIError) {}
}
