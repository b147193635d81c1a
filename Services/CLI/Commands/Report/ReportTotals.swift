public import ArgumentParser
import Documents
public import Messages

extension TotalsReport.Grouping: ExpressibleByArgument {}

struct ReportTotals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "totals",
        abstract: "Exact sums of orders by customer, service, day, week, month, quarter or year.",
        discussion:
            "Sums have their tax included; cancelled orders don't count. By service, each row counts with its share of the tax, "
            + "rounded so that all services add up to the total. Weeks are those of ISO 8601, from Monday to Sunday. "
            + "Currencies are never added up: each has sums of its own. csv and jsonl have a line for each sum. json is "
            + "one object: by, groups, orders (how many were counted), totals (one for each currency), and positions, which "
            + "say up to which change of each service the report goes.",
        examples: [
            "daybook report totals --by month",
            "daybook report totals --by customer --from 2024-01-01 --to 2024-12-31 --made --no-paid",
            "daybook report totals --by week --period 'last month' --customer Lind",
            "daybook report totals --by month --as-of 2024-03-31",
            "daybook report totals --by year --format json",
            "daybook report totals --by month --chart",
            "daybook report totals --by customer --period 2024 --format pdf --output totals.pdf",
        ]
    )

    @Option(help: ArgumentHelp("What the sums are of.", valueName: "what"))
    var by: TotalsReport.Grouping

    @OptionGroup var selection: TotalsSelection
    @OptionGroup var options: ReportOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, options)
        let form = ReportForm.totals(by: by, title: "Totals by \(by.rawValue)")
        _ = try form.line.selected(daybook.presentation.fields)
        let report = try await selection.request(by: by, asOf: try options.asOf(), by: daybook)
        if options.watching.watch {
            let by = by
            return try await daybook.watch(try .report(report), as: form, stale: options.freshness.stale) {
                ReportDocument(watched: $0, of: $0, by: by)
            }
        }
        let (reply, positions) = try await daybook.report(report, stale: options.freshness.stale)
        try daybook.show(
            ReportDocument(reply, by: by, positions),
            as: form,
            notes: selection.notes(of: report),
            options.chart
        )
    }
}

extension ReportDocument<TotalsGroup> {
    /// What Reporting answered.
    init(_ reply: TotalsReport.Reply, by grouping: TotalsReport.Grouping, _ positions: Positions) {
        self.init(
            by: grouping.rawValue,
            lines: reply.groups,
            orders: reply.orders,
            totals: reply.totals,
            positions: positions.reaching(reply.asOf),
            asOf: reply.asOf
        )
    }

    /// What a live list of the sums shows.
    ///
    /// - Parameters:
    ///   - lines: those of the groups that are shown.
    ///   - groups: all.
    init(watched lines: [TotalsGroup], of groups: [TotalsGroup], by grouping: TotalsReport.Grouping) {
        self.init(
            by: grouping.rawValue,
            lines: lines,
            // By service, orders would count several times.
            orders: grouping == .service ? nil : Int64(clamping: groups.reduce(Int128(0)) { $0 + Int128($1.orders) }),
            totals: Money.totals(groups.map(\.total)),
            positions: [:]
        )
    }
}

extension ReportForm<TotalsGroup> {
    /// Sums by what is named.
    static func totals(by grouping: TotalsReport.Grouping, title: String) -> ReportForm {
        ReportForm(
            title: title,
            line: .totalsGroup,
            whole: .totals,
            people: { .sums(by: grouping, $0) },
            key: { group in "\(group.id?.description ?? group.label ?? "") \(group.total.currency.code)" },
            charts: { (groups) throws(CLIError) in
                let labels = Labels(groups.map { ($0.id, $0.label, $0.reference) })
                let starts = groups.compactMap(\.start)
                // Those of the largest sums are no course of time.
                let isOverTime = !starts.isEmpty && starts == starts.sorted()
                return try ReportChart.byCurrency(
                    title,
                    isOverTime ? .line : .bars,
                    groups.map { (labels.label($0.id, $0.label, $0.reference), $0.total) },
                    filling: isOverTime ? TimeLabels.filled : { $0 }
                )
            },
            closing: { report in
                // An order may have a part in several services' sums: how many there are doesn't belong to the total.
                let count = grouping == .service ? nil : report.orders.map(Int.init)
                return report.closing(count: count, nothing: "There are no such orders.")
            }
        )
    }
}

extension Noun where Row == TotalsGroup {
    /// Sums as they are printed.
    static let totalsGroup = Noun(
        "sum",
        plural: "sums",
        summary: "The sum of what belongs together.",
        fields: [
            .text("label", "Name", "The name now, or then; or 1996-07-04, 1996-W27, 1996-07, 1996-Q3 or 1996.") {
                $0.label
            },
            .id("id", "Id", "The customer's or service's UUID.") { $0.id },
            .text("reference", "Reference", "What the customer or service is called elsewhere.") { $0.reference },
            .day("start", "Start", "The first day of a day, week, month, quarter or year.", inTable: false) {
                $0.start
            },
            .integer("orders", "Orders", "How many orders have a part in it.") { $0.orders },
            .money("net", "Net", "The sum without its tax.", inTable: false) { $0.net },
            .money("tax", "Tax", "The tax in the sum.", inTable: false) { $0.tax },
            .money("total", "Total", "The sum, tax included.") { $0.total },
        ]
    )

    /// The same for people; what is net and what is tax only where there is tax.
    fileprivate static func sums(by grouping: TotalsReport.Grouping, _ groups: [TotalsGroup]) -> Noun {
        let labels = Labels(groups.map { ($0.id, $0.label, $0.reference) })
        let title = grouping.rawValue.prefix(1).uppercased() + grouping.rawValue.dropFirst()
        var fields: [Field<TotalsGroup>] = [
            .text("label", title, "Its name.") { labels.label($0.id, $0.label, $0.reference) },
            .integer("orders", "Orders", "How many orders have a part in it.") { $0.orders },
        ]
        if groups.contains(where: { $0.tax.amount != 0 }) {
            fields += [
                .money("net", "Net", "The sum without its tax.") { $0.net },
                .money("tax", "Tax", "The tax in the sum.") { $0.tax },
            ]
        }
        fields.append(.money("total", "Total", "The sum, tax included.") { $0.total })
        return Noun("sum", plural: "sums", summary: "The sum of what belongs together.", fields: fields)
    }
}

extension Noun where Row == ReportDocument<TotalsGroup> {
    /// The report as JSON.
    static let totals = Noun(
        "totals",
        plural: "totals",
        summary: "The report of exact sums, as 'report totals' prints it.",
        fields: [
            .text("by", "By", "customer, service, day, week, month, quarter or year.") { $0.by },
            .list(
                "groups",
                "Groups",
                "By name or time, then by currency; of 'report top' by currency, the largest first.",
                of: Noun<TotalsGroup>.totalsGroup.fields
            ) { $0.lines },
            .integer("orders", "Orders", "How many orders were counted, each once.") { $0.orders },
            .totals(), .positions(),
        ]
    )
}
