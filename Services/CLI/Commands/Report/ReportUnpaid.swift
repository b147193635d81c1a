import ArgumentParser
import Documents
import Messages

struct ReportUnpaid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpaid",
        abstract: "Orders that are made and not paid, with what remains, by date and the customer's name.",
        discussion:
            "A line is the date, the customer's name and what remains to be paid, with tabs between; --format table shows columns. "
            + "csv and jsonl have a line for each order. json is one object: orders, totals (one for each currency), and "
            + "positions, which say up to which change of each service the report goes. --ageing has a line for each customer and "
            + "currency; days count from when an order is due, or from its date, up to today or the moment of --as-of.",
        examples: [
            "daybook report unpaid",
            "daybook report unpaid --ageing",
            "daybook report unpaid --customer Lind --as-of 2024-03-31",
            "daybook report unpaid --from 2024-01-01 --to today --format csv",
            "daybook report unpaid --chart",
            "daybook report unpaid --format html --output unpaid.html",
        ]
    )

    @Flag(help: "How old it is, for each customer: up to 30, 60 and 90 days, and over.")
    var ageing = false

    @OptionGroup var period: PeriodOptions
    @OptionGroup var selection: ReportSelection
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var chart: ChartOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, chart, watching)
        if ageing {
            _ = try Noun<AgeingLine>.ageingLine.selected(daybook.presentation.fields)
        } else {
            _ = try Noun<ReportedOrder>.unpaidOrder.selected(daybook.presentation.fields)
        }
        let (from, to) = try period.days()
        let asOf = try moment.moment()
        if watching.watch, ageing || asOf != nil || selection.service != nil {
            throw CLIError.usage("--watch shows the orders as they are now: leave --ageing, --as-of and --service out.")
        }
        let (customer, service) = try await selection.ids(by: daybook)
        if watching.watch { return try await watch(by: daybook, from: from, to: to, customer) }
        let request = UnpaidReport(from: from, through: to, customer: customer, service: service, asOf: asOf)
        let (reply, positions) = try await daybook.report(request, stale: freshness.stale)
        let document = ReportDocument(
            lines: reply.orders,
            orders: nil,
            totals: reply.totals,
            positions: positions.reaching(reply.asOf),
            asOf: reply.asOf
        )
        let notes = [PeriodOptions.words(from, to), selection.words, reply.asOf?.words].compactMap(\.self)
        if ageing {
            let day = (asOf?.time ?? reply.asOf?.time).map { CalendarDay.today(at: $0) } ?? .today()
            return try daybook.showAgeing(document, on: day, notes: notes, chart, hasFields: output.fields != nil)
        }
        let labels = Labels(reply.orders.map { ($0.customer, $0.customerName, nil) })
        let charts = try MoneyChart.byCurrency(
            "Unpaid by customer",
            .bars,
            reply.orders.map { (labels.label($0.customer, $0.customerName, nil), $0.open) }
        )
        let sheet = ReportSheet(
            title: "Unpaid orders",
            notes: notes + ["Made and not paid, with what remains to be paid."],
            charts: charts.map { $0.sortedByValue() }
        )
        try daybook.show(
            document,
            output.fields == nil ? .unpaid(reply.orders, asTable: true) : .unpaidOrder,
            sheet,
            chart,
            closing: document.closing(count: reply.orders.count, nothing: "Nothing is unpaid.")
        ) { (presentation) throws(CLIError) in
            try presentation.show(document, asTable: output.format == .table)
        }
    }

    private func watch(
        by daybook: Invocation,
        from: CalendarDay?,
        to: CalendarDay?,
        _ customer: Identifier?
    ) async throws(CLIError) {
        var query = ListQuery(.report("unpaid"))
        var filters: [Filter] = []
        if from != nil || to != nil { filters.append(.days("date", from, to)) }
        if let customer { filters.append(.equal("customer", .id(customer))) }
        query.filter = .all(filters)
        let asTable = output.format == .table
        let hasFields = daybook.presentation.fields != nil
        let view = WatchView<ReportedOrder> {
            hasFields ? .unpaidOrder : .unpaid($0, asTable: asTable)
        } footer: { orders in
            let document = ReportDocument(
                lines: orders,
                orders: nil,
                totals: Money.totals(orders.map(\.open)),
                positions: [:]
            )
            return document.closing(count: orders.count, nothing: "Nothing is unpaid.")
        }
        let reached = try await daybook.reportedPositions(stale: freshness.stale)
        try await daybook.watch(query, of: .reporting, view, after: reached)
    }

}

extension Money {
    /// The sums, one for each currency; one too large to be told is left out.
    static func totals(_ amounts: [Money]) -> [Money] {
        Dictionary(grouping: amounts, by: \.currency)
            .sorted { $0.key.code < $1.key.code }
            .compactMap { currency, amounts in try? Money.sum(amounts, currency: currency) }
    }
}

extension Presentation {
    /// Prints the unpaid orders.
    ///
    /// - Parameter asTable: in columns, where it is for people.
    /// - Throws: what printing throws.
    func show(_ report: ReportDocument<ReportedOrder>, asTable: Bool) throws(CLIError) {
        if format == .json, !isQuiet { return try show(report, of: .unpaid, lines: .unpaidOrder) }
        guard format == .table, !isQuiet else { return try list(report.lines, of: .unpaidOrder) }
        if fields != nil {
            try list(report.lines, of: .unpaidOrder)
        } else {
            if !report.lines.isEmpty { try list(report.lines, of: .unpaid(report.lines, asTable: asTable)) }
        }
        try output.write(report.closing(count: report.lines.count, nothing: "Nothing is unpaid."))
    }
}

extension ReportedOrder {
    /// `Jan 31, 2024`, the customer and what remains, with tabs between.
    fileprivate func line(calling customer: String) -> String {
        "\(date.english)\t\(CellText.escaped(customer))\t\(open)"
    }
}

extension Noun where Row == ReportedOrder {
    /// Orders of the report, as they are printed.
    static let unpaidOrder = Noun(
        "unpaid order",
        plural: "unpaid orders",
        summary: "An order that is made and not paid.",
        fields: [
            .id("id", "Id", "The order's UUID.") { $0.id },
            .integer("number", "No.", "The running number.", inTable: false) { $0.number },
            .number("label", "No.", "The number as people write it: 17, or 2024-17.") { $0.label },
            .day("date", "Date", "The calendar day.") { $0.date },
            .day("due", "Due", "When it is to be made.", inTable: false) { $0.due },
            .id("customerId", "Customer id", "Who ordered: the customer's UUID.", inTable: false) { $0.customer },
            .text("customer", "Customer", "The customer's name now, or then.") { $0.customerName },
            .money("total", "Total", "What is owed for it, tax included.", inTable: false) { $0.total },
            .money("open", "Open", "What remains to be paid.") { $0.open },
        ],
        id: \.id
    )

    /// The same for people, with the names of these orders told apart.
    ///
    /// - Parameter asTable: in columns.
    fileprivate static func unpaid(_ orders: [ReportedOrder], asTable: Bool) -> Noun {
        let labels = Labels(orders.map { ($0.customer, $0.customerName, nil) })
        let label = { @Sendable (order: ReportedOrder) in labels.label(order.customer, order.customerName, nil) }
        return unpaidOrder.forPeople(lines: asTable ? nil : Lines { $0.line(calling: label($0)) }, label)
    }

    /// The same with the names told apart.
    fileprivate func forPeople(
        lines: Lines<ReportedOrder>?,
        _ label: @escaping @Sendable (ReportedOrder) -> String
    ) -> Noun {
        var noun = self
        noun.lines = lines
        noun.fields = fields.map { field in
            field.declaration.name == "customer"
                ? .text("customer", "Customer", field.declaration.summary) { label($0) } : field
        }
        return noun
    }
}

extension Noun where Row == ReportDocument<ReportedOrder> {
    /// The report as JSON.
    static let unpaid = Noun(
        "unpaid",
        plural: "unpaid",
        summary: "The report of orders that are made and not paid, as 'report unpaid' prints it.",
        fields: [
            .list("orders", "Orders", "By date, then the customer's name.", of: Noun<ReportedOrder>.unpaidOrder.fields)
            {
                $0.lines
            },
            .totals(), .positions(),
        ]
    )
}
