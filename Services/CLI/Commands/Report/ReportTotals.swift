public import ArgumentParser
import CBOR
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
            + "say up to which change of each service the report goes. --watch by service leaves out how many orders there are.",
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

    @OptionGroup var period: PeriodOptions
    @OptionGroup var selection: ReportSelection
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var chart: ChartOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, chart, watching)
        _ = try Noun.totalsGroup.selected(daybook.presentation.fields)
        let (from, to) = try period.days()
        let asOf = try moment.moment()
        if watching.watch, asOf != nil { throw CLIError.usage("What was is over: leave --watch or --as-of out.") }
        let (customer, service) = try await selection.ids(by: daybook)
        let request = TotalsReport(
            by: by,
            from: from,
            through: to,
            customer: customer,
            service: service,
            made: progress.made,
            paid: progress.paid,
            asOf: asOf
        )
        if watching.watch { return try await watch(request, by: daybook) }
        let (reply, positions) = try await daybook.report(request, stale: freshness.stale)
        let notes = [PeriodOptions.words(from, to), progress.words, selection.words].compactMap(\.self)
        try daybook.show(
            reply,
            positions,
            by: by,
            "Totals by \(by.rawValue)",
            notes,
            chart,
            hasFields: output.fields != nil
        )
    }

    private func watch(_ report: TotalsReport, by daybook: Invocation) async throws(CLIError) {
        let parameters: EncodedCBOR
        do throws(CBORError) {
            parameters = try EncodedCBOR(encoding: report)
        } catch {
            throw .usage("The report can't be asked for: \(error).")
        }
        let hasFields = daybook.presentation.fields != nil
        let by = by
        let view = WatchView<TotalsGroup> { groups in
            hasFields || groups.isEmpty
                ? .totalsGroup : .sums(by: by, groups)
        } footer: { groups in
            // An order may have a part in several services' sums.
            let count = by == .service ? nil : groups.reduce(0) { $0 + Int($1.orders) }
            let document = ReportDocument(
                by: by.rawValue,
                lines: groups,
                totals: Money.totals(groups.map(\.total)),
                positions: [:]
            )
            return document.closing(count: count, nothing: "There are no such orders.")
        } key: { group in
            "\(group.id?.description ?? group.label ?? "") \(group.total.currency.code)"
        }
        let reached = try await daybook.reportedPositions(stale: freshness.stale)
        let query = ListQuery(.report("totals"), parameters: parameters)
        try await daybook.watch(query, of: .reporting, view, after: reached)
    }
}

extension Invocation {
    /// Prints sums in the form that was asked for.
    ///
    /// - Parameters:
    ///   - notes: what was chosen, for pages.
    ///   - hasFields: whether fields were asked for.
    /// - Throws: what printing throws.
    func show(
        _ reply: TotalsReport.Reply,
        _ positions: Positions,
        by: TotalsReport.Grouping,
        _ title: String,
        _ notes: [String],
        _ options: ChartOptions,
        hasFields: Bool
    ) throws(CLIError) {
        let document = ReportDocument(
            by: by.rawValue,
            lines: reply.groups,
            orders: reply.orders,
            totals: reply.totals,
            positions: positions.reaching(reply.asOf),
            asOf: reply.asOf
        )
        let labels = Labels(reply.groups.map { ($0.id, $0.label, $0.reference) })
        let starts = reply.groups.compactMap(\.start)
        // Those of the largest sums are no course of time.
        let isOverTime = !starts.isEmpty && starts == starts.sorted()
        let charts = try MoneyChart.byCurrency(
            title,
            isOverTime ? .line : .bars,
            reply.groups.map { (labels.label($0.id, $0.label, $0.reference), $0.total) },
            filling: isOverTime ? TimeLabels.filled : { $0 }
        )
        let sheet = ReportSheet(title: title, notes: notes + [reply.asOf?.words].compactMap(\.self), charts: charts)
        try show(
            document,
            hasFields ? .totalsGroup : .sums(by: by, reply.groups),
            sheet,
            options,
            closing: document.closing(count: Int(reply.orders), nothing: "There are no such orders.")
        ) { (presentation) throws(CLIError) in try presentation.show(document, by: by) }
    }
}

extension Presentation {
    /// Prints the sums.
    ///
    /// - Throws: what printing throws.
    func show(_ report: ReportDocument<TotalsGroup>, by grouping: TotalsReport.Grouping) throws(CLIError) {
        if format == .json { return try show(report, of: .totals, lines: .totalsGroup) }
        guard format == .table else { return try list(report.lines, of: .totalsGroup) }
        if fields != nil || report.lines.isEmpty {
            if fields != nil { try list(report.lines, of: .totalsGroup) }
        } else {
            try list(
                report.lines,
                of: .sums(by: grouping, report.lines)
            )
        }
        try output.write(report.closing(count: Int(report.orders ?? 0), nothing: "There are no such orders."))
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
