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
            "daybook report top --limit 3 --watch",
        ]
    )

    @Option(help: ArgumentHelp("What the sums are of.", valueName: "what"))
    var by = TotalsReport.Grouping.customer

    @Option(help: ArgumentHelp("How many of each currency.", valueName: "count"))
    var limit = 10

    @OptionGroup var selection: TotalsSelection
    @OptionGroup var options: ReportOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is \(limit): ask for one or more.") }
    }

    func run() async throws {
        let daybook = try Invocation(global, options)
        let form = ReportForm.totals(by: by, title: "Largest by \(by.rawValue)")
        _ = try form.line.selected(daybook.presentation.fields)
        var report = try await selection.request(by: by, limit: limit, asOf: try options.asOf(), by: daybook)
        if options.watching.watch {
            let (by, limit) = (by, limit)
            // All groups are followed: what comes among the largest may have been any of them.
            report.limit = nil
            return try await daybook.watch(try .report(report), as: form, stale: options.freshness.stale) {
                (groups: [TotalsGroup]) throws(CLIError) in
                ReportDocument(watched: TotalsGroup.largest(of: groups, limit), of: groups, by: by)
            }
        }
        let (reply, positions) = try await daybook.report(report, stale: options.freshness.stale)
        try daybook.show(
            ReportDocument(reply, by: by, positions),
            as: form,
            notes: selection.notes(of: report) + ["The \(limit) largest of each currency; the total is that of all."],
            options.chart
        )
    }
}
