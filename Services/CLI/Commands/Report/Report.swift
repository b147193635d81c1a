import ArgumentParser
import Messages

/// The reports.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What is unpaid, customers' accounts, exact sums, and walks.",
        subcommands: [
            ReportUnpaid.self, ReportStatement.self, ReportTotals.self, ReportTop.self, ReportWalks.self,
        ]
    )
}

/// The options of every report.
struct ReportOptions: ParsableArguments {
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var chart: ChartOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions

    /// The moment that was given; nil for now.
    ///
    /// - Parameter log: whose events are numbered.
    /// - Throws: as ``AsOfOptions/moment(of:watch:today:)``.
    func asOf(of log: ServiceName = .orders) throws(CLIError) -> AsOf? {
        try moment.moment(of: log, watch: watching.watch)
    }
}

/// The option of reports that may be behind.
struct FreshnessOptions: ParsableArguments {
    @Flag(help: "Don't wait for the newest changes, and don't fail where a service is down: report what is known.")
    var stale = false
}
