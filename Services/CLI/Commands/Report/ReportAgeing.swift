import Documents
import Messages

extension Invocation {
    /// Prints how old what is unpaid is on a day.
    ///
    /// - Parameters:
    ///   - notes: what was chosen, for pages.
    ///   - hasFields: whether fields were asked for.
    /// - Throws: what printing throws.
    func showAgeing(
        _ report: ReportDocument<ReportedOrder>,
        on day: CalendarDay,
        notes: [String],
        _ options: ChartOptions,
        hasFields: Bool
    ) throws(CLIError) {
        let lines: [AgeingLine]
        do throws(AmountError) {
            lines = try AgeingLine.lines(of: report.lines, on: day)
        } catch {
            throw .usage("\(error.description) Narrow the period.")
        }
        let ageing = ReportDocument(
            lines: lines,
            orders: Int64(report.lines.count),
            totals: report.totals,
            positions: report.positions,
            asOf: report.asOf
        )
        let ages: [(String, KeyPath<AgeingLine, Money>)] = [
            ("0-30 days", \.upTo30), ("31-60", \.upTo60), ("61-90", \.upTo90), ("Over 90", \.over90),
        ]
        let amounts = ages.flatMap { label, age in lines.map { (label, $0[keyPath: age]) } }
        let sheet = ReportSheet(
            title: "Unpaid by age",
            notes: notes + ["Days from when an order is due, or its date, up to \(day)."],
            charts: try MoneyChart.byCurrency("Unpaid by age", .bars, amounts)
        )
        let labels = Labels(lines.map { ($0.customer, $0.customerName, nil) })
        let closing = ageing.closing(count: report.lines.count, nothing: "Nothing is unpaid.")
        try show(ageing, hasFields ? .ageingLine : .agedSums(labels), sheet, options, closing: closing) {
            (presentation) throws(CLIError) in
            if presentation.format == .json { return try presentation.show(ageing, of: .ageing, lines: .ageingLine) }
            guard presentation.format == .table else { return try presentation.list(lines, of: .ageingLine) }
            if hasFields || !lines.isEmpty {
                try presentation.list(lines, of: hasFields ? .ageingLine : .agedSums(labels))
            }
            try presentation.output.write(closing)
        }
    }
}

extension Noun where Row == AgeingLine {
    /// A customer's line, as it is printed.
    static let ageingLine = agedSums(nil)

    /// The same with the names told apart.
    fileprivate static func agedSums(_ labels: Labels?) -> Noun {
        Noun(
            "aged sum",
            plural: "aged sums",
            summary: "What a customer has not paid, by how long it is due.",
            fields: [
                .text("customer", "Customer", "The customer's name now, or then.") { line in
                    labels.map { $0.label(line.customer, line.customerName, nil) } ?? line.customerName
                },
                .id("customerId", "Customer id", "The customer's UUID.", inTable: false) { $0.customer },
                .integer("orders", "Orders", "How many orders.") { $0.orders },
                .money("upTo30", "0-30 days", "Due for up to 30 days, or not yet.") { $0.upTo30 },
                .money("upTo60", "31-60", "Due for 31 to 60 days.") { $0.upTo60 },
                .money("upTo90", "61-90", "Due for 61 to 90 days.") { $0.upTo90 },
                .money("over90", "Over 90", "Due for more than 90 days.") { $0.over90 },
                .money("open", "Open", "All that remains to be paid.") { $0.open },
            ]
        )
    }
}

extension Noun where Row == ReportDocument<AgeingLine> {
    /// The report as JSON.
    static let ageing = Noun(
        "ageing",
        plural: "ageing",
        summary: "The report of how old what is unpaid is, as 'report unpaid --ageing' prints it.",
        fields: [
            .list(
                "customers",
                "Customers",
                "A line for each customer and currency.",
                of: Noun<AgeingLine>.ageingLine.fields
            ) { $0.lines },
            .integer("orders", "Orders", "How many orders were counted.") { $0.orders },
            .totals(), .positions(),
        ]
    )
}
