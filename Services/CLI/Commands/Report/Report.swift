import ArgumentParser

/// The reports.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What is unpaid, customers' accounts, and exact sums.",
        subcommands: [ReportUnpaid.self, ReportStatement.self, ReportTotals.self, ReportTop.self]
    )
}

/// The option of reports that may be behind.
struct FreshnessOptions: ParsableArguments {
    @Flag(
        help: "Don't wait for the newest changes, and don't fail where catalog or orders is down: report what is known."
    )
    var stale = false
}
