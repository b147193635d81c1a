import Documents
import Messages

extension ReportDocument<ReportedOrder> {
    /// How old what is unpaid is on a day.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a sum that is no amount.
    func aged(on day: CalendarDay) throws(CLIError) -> ReportDocument<AgeingLine> {
        do throws(AmountError) {
            return ReportDocument<AgeingLine>(
                lines: try AgeingLine.lines(of: lines, on: day),
                orders: Int64(lines.count),
                totals: totals,
                positions: positions,
                asOf: asOf
            )
        } catch {
            throw .usage("\(error.description) Narrow the period.")
        }
    }
}

extension ReportForm<AgeingLine> {
    /// How old what is unpaid is.
    static let ageing = ReportForm(
        title: "Unpaid by age",
        line: .ageingLine,
        whole: .ageing,
        people: { lines in .agedSums(Labels(lines.map { ($0.customer, $0.customerName, nil) })) },
        key: { "\($0.customer?.description ?? "") \($0.open.currency.code)" },
        charts: { (lines) throws(CLIError) in
            let ages: [(String, KeyPath<AgeingLine, Money>)] = [
                ("0-30 days", \.upTo30), ("31-60", \.upTo60), ("61-90", \.upTo90), ("Over 90", \.over90),
            ]
            let amounts = ages.flatMap { label, age in lines.map { (label, $0[keyPath: age]) } }
            return try ReportChart.byCurrency("Unpaid by age", .bars, amounts)
        },
        closing: { $0.closing(count: $0.orders.map(Int.init), nothing: "Nothing is unpaid.") }
    )
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
