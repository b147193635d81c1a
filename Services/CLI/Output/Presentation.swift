/// How records are printed: what `--format`, `--fields` and `--quiet` say, and where to.
struct Presentation: Sendable {
    var format = OutputFormat.table
    /// The fields that were asked for; nil for a noun's own choice.
    var fields: [String]?
    /// The ids alone.
    var isQuiet = false
    /// Whether CSV is meant for a spreadsheet, which would take some texts for formulas.
    var isSpreadsheetSafe = false
    var output: Output
    var cells = CellText.current

    /// What prints a list of `noun`; nothing is printed before its first row.
    ///
    /// - Throws: ``CLIError/unknownField(_:noun:suggestion:known:)``.
    func rowWriter<Row>(_ noun: Noun<Row>) throws(CLIError) -> any RowWriter<Row> {
        let selected = try noun.selected(fields)
        if isQuiet, noun.id != nil { return IdentifierWriter(noun: noun, output: output) }
        switch format {
        case .json: return JSONArrayWriter(fields: selected, output: output)
        case .jsonl: return JSONLinesWriter(fields: selected, output: output)
        case .csv:
            return CSVRowWriter(fields: selected, output: output, isSpreadsheetSafe: isSpreadsheetSafe)
        case .html, .pdf: return PageWriter(noun, fields: try pageFields(of: noun), presentation: self)
        case .svg: throw .noPicture
        case .table:
            if fields == nil, let lines = noun.lines { return LinesWriter(lines: lines, output: output) }
            let columns = fields == nil ? selected.filter(\.declaration.isInTable) : selected
            return TableWriter(fields: columns, output: output, cells: cells)
        }
    }

    /// Prints rows that are all there.
    ///
    /// - Throws: as ``rowWriter(_:)``, and what ``Output/write(_:)`` throws.
    func list<Row>(_ rows: some Sequence<Row>, of noun: Noun<Row>) throws(CLIError) {
        var writer = try rowWriter(noun)
        for row in rows { try writer.write(row) }
        try writer.finish()
    }

    /// Prints one record: its fields and the lists within it, one JSON object, or its id.
    ///
    /// - Throws: as ``list(_:of:)``.
    func show<Row>(_ row: Row, of noun: Noun<Row>) throws(CLIError) {
        let selected = try noun.selected(fields)
        if isQuiet || format == .csv || format == .jsonl { return try list(CollectionOfOne(row), of: noun) }
        if format == .html || format == .pdf { return try write(page(of: row, noun, selected)) }
        if format == .svg { throw .noPicture }
        guard format == .json else { return try output.write(text(row, of: noun, selected, output.style)) }
        try output.line(JSONText.object(selected.map(\.declaration), selected.map { $0.value(row) }, indentation: 2))
    }

    /// The record for people: as its noun has it, or where fields are chosen these, and the lists within it.
    func text<Row>(_ row: Row, of noun: Noun<Row>, _ selected: [Field<Row>], _ style: Style) -> String {
        if fields == nil, let text = noun.record?(row, style) { return text }
        return RecordText.text(selected.map(\.declaration), selected.map { $0.value(row) }, cells: cells)
    }
}
