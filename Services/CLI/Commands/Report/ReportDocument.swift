import Messages

/// A report with its lines, as it is printed.
struct ReportDocument<Line: Sendable>: Sendable {
    /// What the lines are grouped by.
    var by: String?
    var lines: [Line]
    /// How many orders were counted.
    var orders: Int64?
    /// One for each currency.
    var totals: [Money] = []
    /// What all lines are together, where no money is counted.
    var total: Line?
    /// Up to where in each service's log it goes.
    var positions: Positions
    /// What it goes back to; nil for now.
    var asOf: AsOf.Reached?

    /// The last lines for people: `Total: 92473.06 USD (58 orders)`, one for each currency.
    ///
    /// - Parameter count: of orders; nil where it isn't known.
    func closing(count: Int?, nothing: String) -> String {
        let then = asOf.map { $0.words + "\n" } ?? ""
        guard !totals.isEmpty else { return nothing + "\n" + then }
        guard let count else { return totals.map { "Total: \($0)\n" }.joined() + then }
        let orders = count == 1 ? "1 order" : "\(count) orders"
        let end = totals.count == 1 ? " (\(orders))" : ""
        let lines = totals.map { "Total: \($0)\(end)\n" }.joined()
        return (totals.count == 1 ? lines : lines + "\(orders)\n") + then
    }
}

/// Up to where a report follows a service.
struct ReportPosition: Sendable {
    var service: String
    var position: Position
}

extension Field {
    /// The sums of all lines, each like an amount.
    static func totals<Line>() -> Field where Row == ReportDocument<Line> {
        .list(
            "totals",
            "Totals",
            "The sum of all, one for each currency.",
            of: [
                Field<Money>.text("amount", "Amount", "A decimal number.") { $0.plain },
                Field<Money>.text("currency", "Currency", "The code of ISO 4217.") { $0.currency.code },
            ]
        ) { $0.totals }
    }

    /// How new the report is.
    static func positions<Line>() -> Field where Row == ReportDocument<Line> {
        positions { $0.positions }
    }

    /// Up to where a report follows the services.
    static func positions(_ positions: @escaping @Sendable (Row) -> Positions) -> Field {
        .list(
            "positions",
            "Positions",
            "Up to which change of each service the report goes.",
            of: [
                Field<ReportPosition>.text("service", "Service", "Whose log.") { $0.service },
                Field<ReportPosition>.id("epoch", "Epoch", "Of the log.") { $0.position.epoch },
                Field<ReportPosition>.integer("sequence", "Sequence", "The last event included.") {
                    $0.position.sequence
                },
            ]
        ) { report in
            positions(report).sorted { $0.key < $1.key }.map { ReportPosition(service: $0.key, position: $0.value) }
        }
    }
}

extension Presentation {
    /// Prints a report as one JSON object; `--fields` chooses among the fields of its lines.
    ///
    /// - Throws: what printing throws.
    func show<Line>(
        _ report: ReportDocument<Line>,
        of noun: Noun<ReportDocument<Line>>,
        lines: Noun<Line>
    ) throws(CLIError) {
        let selected = try lines.selected(fields)
        var noun = noun
        noun.fields = noun.fields.map { field in
            guard case .list = field.declaration.type, !["totals", "positions"].contains(field.declaration.name) else {
                return field
            }
            return .list(field.declaration.name, field.declaration.title, field.declaration.summary, of: selected) {
                $0.lines
            }
        }
        var presentation = self
        presentation.fields = nil
        try presentation.show(report, of: noun)
    }
}
