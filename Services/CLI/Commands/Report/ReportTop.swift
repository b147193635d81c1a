import ArgumentParser
import Messages

struct ReportTop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "The customers or services with the largest sums.",
        discussion: "The largest of each currency come first. The total below is that of all, not only of those shown. "
            + "Otherwise it is as 'report totals'.",
        examples: [
            "daybook report top",
            "daybook report top --by service --limit 5 --period 'last year'",
            "daybook report top --chart",
        ]
    )

    @Option(help: ArgumentHelp("What the sums are of.", valueName: "what"))
    var by = TotalsReport.Grouping.customer

    @Option(help: ArgumentHelp("How many of each currency.", valueName: "count"))
    var limit = 10

    @OptionGroup var period: PeriodOptions
    @OptionGroup var selection: ReportSelection
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var chart: ChartOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, chart, nil)
        _ = try Noun.totalsGroup.selected(daybook.presentation.fields)
        guard limit >= 1 else { throw CLIError.usage("--limit is \(limit): ask for one or more.") }
        let (from, to) = try period.days()
        let asOf = try moment.moment()
        let (customer, service) = try await selection.ids(by: daybook)
        let request = TotalsReport(
            by: by,
            from: from,
            through: to,
            customer: customer,
            service: service,
            made: progress.made,
            paid: progress.paid,
            limit: limit,
            asOf: asOf
        )
        let (reply, positions) = try await daybook.report(request, stale: freshness.stale)
        let largest = "The \(limit) largest of each currency; the total is that of all."
        let notes = [PeriodOptions.words(from, to), progress.words, selection.words, largest].compactMap(\.self)
        try daybook.show(
            reply,
            positions,
            by: by,
            "Largest by \(by.rawValue)",
            notes,
            chart,
            hasFields: output.fields != nil
        )
    }
}
