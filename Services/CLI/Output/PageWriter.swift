import Documents
import Messages

/// Rows as the table of a page, HTML or PDF, which is written when they are all there.
struct PageWriter<Row>: RowWriter {
    private let title: String
    private let fields: [Field<Row>]
    private let presentation: Presentation
    private var rows: [[FieldValue]] = []

    init(_ noun: Noun<Row>, fields: [Field<Row>], presentation: Presentation) {
        title = noun.plural.prefix(1).uppercased() + noun.plural.dropFirst()
        self.fields = fields
        self.presentation = presentation
    }

    mutating func write(_ row: Row) throws(CLIError) {
        rows.append(fields.map { $0.value(row) })
    }

    mutating func finish() throws(CLIError) {
        let table = DocumentTable(fields.map(\.declaration), rows: rows, cells: presentation.cells)
        try presentation.write(Document(title: title, blocks: [.table(table)]))
    }
}

extension Presentation {
    /// The fields that a page shows: those that were asked for, else those of a table without ids, which say nothing on
    /// paper.
    ///
    /// - Throws: ``CLIError/unknownField(_:noun:suggestion:known:)``.
    func pageFields<Row>(of noun: Noun<Row>) throws(CLIError) -> [Field<Row>] {
        let selected = try noun.selected(fields)
        guard fields == nil else { return selected }
        return selected.filter { $0.declaration.isInTable && $0.declaration.type != .id }
    }

    /// Writes a document in the format, which is `html` or `pdf`.
    ///
    /// - Throws: as ``PaperProgram/pdf(of:)``, and what ``Output/write(_:)`` throws.
    func write(_ document: Document) throws(CLIError) {
        if format == .pdf {
            try output.write(bytes: PaperProgram.installed.pdf(of: document))
        } else {
            try output.write(HTMLPage.text(of: document))
        }
    }

    /// One record as a page: its fields, then the lists within it with what any of their rows has. Ids are left out unless
    /// they were asked for.
    func page<Row>(of row: Row, _ noun: Noun<Row>, _ selected: [Field<Row>]) -> Document {
        var document = Document(title: noun.name.prefix(1).uppercased() + noun.name.dropFirst())
        var table = DocumentTable(columns: [.init("Field"), .init("Value")])
        var lists: [DocumentBlock] = []
        for field in selected {
            switch (field.declaration.type, field.value(row)) {
            case (_, .absent): continue
            case (.id, _) where self.fields == nil: continue
            case (.list(let fields), .list(let rows)):
                guard !rows.isEmpty else { continue }
                let indices = fields.indices.filter { index in
                    fields[index].type != .id && rows.contains { $0[index] != .absent }
                }
                let shown = rows.map { row in indices.map { row[$0] } }
                lists.append(.heading(field.declaration.title))
                lists.append(.table(DocumentTable(indices.map { fields[$0] }, rows: shown, cells: cells)))
            case (_, .text(let text)): table.rows.append(.init([field.declaration.title, text]))
            case (_, let value): table.rows.append(.init([field.declaration.title, cells.text(value, idDigits: nil)]))
            }
        }
        document.blocks = [.table(table)] + lists
        return document
    }
}

extension DocumentTable {
    /// Values under the titles of their fields; ids are whole.
    init(_ fields: [FieldDeclaration], rows: [[FieldValue]], cells: CellText) {
        self.init(
            columns: fields.map { Column($0.title, $0.isNumber ? .trailing : .leading) },
            rows: rows.map { row in
                Row(
                    row.map { value in
                        // Line breaks have a form on paper.
                        if case .text(let text) = value { text } else { cells.text(value, idDigits: nil) }
                    }
                )
            }
        )
    }
}
