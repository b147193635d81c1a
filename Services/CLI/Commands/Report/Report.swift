import ArgumentParser

/// The reports.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What is unpaid, customers' accounts, and exact sums.",
        subcommands: [ReportUnpaid.self, ReportStatement.self, ReportTotals.self, ReportTop.self]
    )
}

/// The options of every report.
struct ReportOptions: ParsableArguments {
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var chart: ChartOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if watching.watch, moment.asOf != nil {
            throw ValidationError("What was is over: leave --watch or --as-of out.")
        }
    }
}

/// The option of reports that may be behind.
struct FreshnessOptions: ParsableArguments {
    @Flag(help: "Don't wait for the newest changes, and don't fail where a service is down: report what is known.")
    var stale = false
}
