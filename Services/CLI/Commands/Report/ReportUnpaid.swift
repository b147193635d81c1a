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
            "daybook report unpaid --ageing --watch",
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
    @OptionGroup var options: ReportOptions
    @OptionGroup(visibility: .hidden) var progress: ProgressOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard progress.made != nil || progress.paid != nil else { return }
        throw ValidationError(
            "What is unpaid is made and not paid: leave --made and --paid out; 'report totals' and 'orders list' take them."
        )
    }

    func run() async throws {
        let daybook = try Invocation(global, options)
        let form = ReportForm.unpaid(asTable: options.output.format == .table)
        if ageing {
            _ = try Noun<AgeingLine>.ageingLine.selected(daybook.presentation.fields)
        } else {
            _ = try form.line.selected(daybook.presentation.fields)
        }
        let (from, to) = try period.days()
        let asOf = try options.asOf()
        let (customer, service) = try await selection.ids(by: daybook)
        let request = UnpaidReport(from: from, through: to, customer: customer, service: service, asOf: asOf)
        let isStale = options.freshness.stale
        if options.watching.watch {
            let query = try ListQuery.report(request)
            guard ageing else {
                return try await daybook.watch(query, as: form, stale: isStale) { ReportDocument(unpaid: $0) }
            }
            return try await daybook.watch(query, as: .ageing, stale: isStale, isOfToday: true) {
                (orders: [ReportedOrder]) throws(CLIError) in
                try ReportDocument(unpaid: orders).aged(on: .today())
            }
        }
        let (reply, positions) = try await daybook.report(request, stale: isStale)
        let report = ReportDocument(
            lines: reply.orders,
            orders: nil,
            totals: reply.totals,
            positions: positions.reaching(reply.asOf),
            asOf: reply.asOf
        )
        let notes = [PeriodOptions.words(from, to), selection.words]
        guard ageing else {
            let note = "Made and not paid, with what remains to be paid."
            return try daybook.show(report, as: form, notes: notes + [note], options.chart)
        }
        let day = (asOf?.time ?? reply.asOf?.time).map { CalendarDay.today(at: $0) } ?? .today()
        let note = "Days from when an order is due, or its date, up to \(day)."
        try daybook.show(try report.aged(on: day), as: .ageing, notes: notes + [note], options.chart)
    }
}

extension ReportDocument<ReportedOrder> {
    /// What a live list of the unpaid orders shows.
    init(unpaid orders: [ReportedOrder]) {
        self.init(lines: orders, orders: nil, totals: Money.totals(orders.map(\.open)), positions: [:])
    }
}

extension ReportForm<ReportedOrder> {
    /// Orders made and not paid.
    ///
    /// - Parameter asTable: in columns, where they are for people.
    static func unpaid(asTable: Bool) -> ReportForm {
        ReportForm(
            title: "Unpaid orders",
            line: .unpaidOrder,
            whole: .unpaid,
            people: { .unpaid($0, asTable: asTable) },
            key: { $0.id.description },
            charts: { (orders) throws(CLIError) in
                let labels = Labels(orders.map { ($0.customer, $0.customerName, nil) })
                let amounts = orders.map { (labels.label($0.customer, $0.customerName, nil), $0.open) }
                return try ReportChart.byCurrency("Unpaid by customer", .bars, amounts).map { $0.sortedByValue() }
            },
            closing: { $0.closing(count: $0.lines.count, nothing: "Nothing is unpaid.") }
        )
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
