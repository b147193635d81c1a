import Messages

/// What the command calls a kind of record, and its fields in the order in which they are printed.
struct Noun<Row>: Sendable {
    /// One of them: `customer`.
    var name: String
    /// Many, as on the command line: `customers`.
    var plural: String
    /// One sentence for the schema.
    var summary: String
    var fields: [Field<Row>]
    /// The row's own id, for `--quiet`.
    var id: (@Sendable (Row) -> Identifier)?
    /// Lists that are lines of text rather than a table, in the format `table` and without `--fields`.
    var lines: Lines<Row>?
    /// One record for people, with its line ends, in the format `table` and without `--fields`; nil for a list of its
    /// fields.
    var record: (@Sendable (Row, Style) -> String)?

    init(
        _ name: String,
        plural: String,
        summary: String,
        fields: [Field<Row>],
        id: (@Sendable (Row) -> Identifier)? = nil,
        lines: Lines<Row>? = nil,
        record: (@Sendable (Row, Style) -> String)? = nil
    ) {
        self.name = name
        self.plural = plural
        self.summary = summary
        self.fields = fields
        self.id = id
        self.lines = lines
        self.record = record
    }

    /// The noun without its row type.
    var declaration: NounDeclaration {
        NounDeclaration(name: name, plural: plural, summary: summary, fields: fields.map(\.declaration))
    }

    /// The fields that `--fields` names, in that order; all of them where it is nil.
    ///
    /// - Throws: ``CLIError/unknownField(_:noun:suggestion:known:)``.
    func selected(_ names: [String]?) throws(CLIError) -> [Field<Row>] {
        guard let names else { return fields }
        var selection: [Field<Row>] = []
        for name in names {
            guard let field = fields.first(where: { $0.declaration.name == name }) else {
                let known = fields.map(\.declaration.name)
                throw .unknownField(
                    name,
                    noun: plural.prefix(1).uppercased() + plural.dropFirst(),
                    suggestion: Suggestion.nearest(to: name, among: known),
                    known: known
                )
            }
            selection.append(field)
        }
        return selection
    }
}

/// Rows as lines of text, perhaps under headings.
struct Lines<Row>: Sendable {
    /// The heading that a row stands under; printed once for a run of rows with the same one. nil for none.
    var section: (@Sendable (Row) -> String?)?
    /// The row, without a line end.
    var line: @Sendable (Row) -> String

    init(section: (@Sendable (Row) -> String?)? = nil, line: @escaping @Sendable (Row) -> String) {
        self.section = section
        self.line = line
    }
}

/// What a schema is made of.
struct NounDeclaration: Sendable, Hashable {
    var name: String
    var plural: String
    var summary: String
    var fields: [FieldDeclaration]
}
