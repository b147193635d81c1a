public import ArgumentParser
import Documents
public import Messages
import Text

extension WalksReport.Grouping: ExpressibleByArgument {}

struct ReportWalks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "walks",
        abstract: "How often and how long dogs were walked, by dog, day, week, month, quarter or year.",
        discussion:
            "A walk belongs to the day on which it began in your zone. One with several dogs counts for each of them, and once in "
            + "the total. One that goes on counts as a walk, and so does one without an end; their time doesn't count. Weeks "
            + "are those of ISO 8601. csv and jsonl have a line for each dog or time; json is one object.",
        examples: [
            "daybook report walks --by dog --period 'last month'",
            "daybook report walks --by week --dog Rex --chart",
            "daybook report walks --by month --customer Lind --format csv",
            "daybook report walks --by dog --as-of 2024-03-31",
            "daybook report walks --by week --period 2024 --format pdf --output walks.pdf",
            "daybook report walks --by dog --period 'this week' --watch",
        ]
    )

    @Option(help: ArgumentHelp("What the sums are of.", valueName: "what"))
    var by: WalksReport.Grouping

    @Option(help: ArgumentHelp("Only walks with this dog: a name, the end of an id, or an id.", valueName: "which"))
    var dog: String?

    @Option(
        help: ArgumentHelp(
            "Only walks with dogs of this customer: a name, the end of an id, or an id.",
            valueName: "which"
        )
    )
    var customer: String?

    @OptionGroup var period: PeriodOptions
    @OptionGroup var options: ReportOptions
    @OptionGroup(visibility: .hidden) var other: OtherSelection
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws { try other.refuse("Walks are no orders") }

    func run() async throws {
        let daybook = try Invocation(global, options)
        let form = ReportForm.walks(by: by)
        _ = try form.line.selected(daybook.presentation.fields)
        let (from, to) = try period.days()
        var report = WalksReport(by: by, zone: try TimeOptions.zone().name, from: from, through: to)
        report.asOf = try options.asOf(of: .walks)
        if let dog { report.dog = try await daybook.reportID(Dog.self, dog) }
        if let customer { report.owner = try await daybook.reportID(Customer.self, customer) }
        let isStale = options.freshness.stale
        if options.watching.watch {
            let by = by
            return try await daybook.watch(try .report(report), as: form, of: [.walks], stale: isStale) {
                (groups: [WalksGroup]) throws(CLIError) in
                let reply = WalksReport.Reply(
                    groups: groups.filter { !$0.isTotal },
                    total: groups.first { $0.isTotal }
                )
                return ReportDocument(reply, by: by, [:])
            }
        }
        let (reply, positions) = try await daybook.report(report, of: [.walks], stale: isStale)
        try daybook.show(
            ReportDocument(reply, by: by, positions),
            as: form,
            notes: [
                PeriodOptions.words(from, to), dog.map { "Only walks with \($0)." },
                customer.map { "Only walks with dogs of \($0)." },
            ],
            options.chart
        )
    }
}

extension ReportDocument<WalksGroup> {
    /// What Reporting answered.
    fileprivate init(_ reply: WalksReport.Reply, by grouping: WalksReport.Grouping, _ positions: Positions) {
        self.init(
            by: grouping.rawValue,
            lines: reply.groups,
            total: reply.total,
            positions: positions.reaching(reply.asOf),
            asOf: reply.asOf
        )
    }

    /// `Total: 12 h 30 min (17 walks, 2 of them without an end)`, and what it goes back to.
    fileprivate var closing: String {
        let then = asOf.map { $0.words + "\n" } ?? ""
        guard let total else { return "There are no such walks.\n" + then }
        let walks = total.walks == 1 ? "1 walk" : "\(total.walks) walks"
        let untimed = total.untimed == 0 ? "" : ", \(total.untimed) of them without an end"
        return "Total: \(total.time) (\(walks)\(untimed))\n" + then
    }
}

extension WalksGroup {
    /// `12 h 30 min`, parts of minutes dropped.
    fileprivate var time: String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return hours == 0 ? "\(minutes) min" : minutes == 0 ? "\(hours) h" : "\(hours) h \(minutes) min"
    }
}

extension ReportForm<WalksGroup> {
    /// Walks by what is named.
    static func walks(by grouping: WalksReport.Grouping) -> ReportForm {
        let title = "Walks by \(grouping.rawValue)"
        return ReportForm(
            title: title,
            line: .walksGroup,
            whole: .walksReport,
            people: { .walkSums(by: grouping, $0) },
            key: { $0.id?.description ?? $0.label ?? "" },
            charts: { (groups) throws(CLIError) in
                guard !groups.isEmpty else { return [] }
                let isOverTime = grouping != .dog
                let hours = groups.map { group in
                    // To the nearest hundredth.
                    (
                        label: group.label ?? Order.unknown,
                        value: group.seconds / 36 + (group.seconds % 36 >= 18 ? 1 : 0)
                    )
                }
                return [
                    try .of(
                        "\(title), hours",
                        isOverTime ? .line : .bars,
                        .hours,
                        hours,
                        filling: isOverTime ? TimeLabels.filled : { $0 }
                    )
                ]
            },
            closing: { $0.closing }
        )
    }
}

extension Noun where Row == WalksGroup {
    /// Sums of walks as they are printed.
    static let walksGroup = Noun(
        "walk sum",
        plural: "walk sums",
        summary: "How many walks belong together, and how long they took.",
        fields: [
            .text("label", "Name", "The dog's name now, or then; or 2024-03-31, 2024-W13, 2024-03, 2024-Q1 or 2024.") {
                $0.label
            },
            .id("id", "Id", "The dog's UUID.") { $0.id },
            .day("start", "Start", "The first day of a day, week, month, quarter or year.", inTable: false) {
                $0.start
            },
            .integer("walks", "Walks", "How many.") { $0.walks },
            .integer("minutes", "Minutes", "How long they took, parts of minutes dropped.") { $0.seconds / 60 },
            .integer("seconds", "Seconds", "The same in seconds.", inTable: false) { $0.seconds },
            .integer("untimed", "Without end", "How many of them go on or have no end: their time doesn't count.") {
                $0.untimed
            },
        ]
    )

    /// The same for people.
    fileprivate static func walkSums(by grouping: WalksReport.Grouping, _ groups: [WalksGroup]) -> Noun {
        let title = grouping.rawValue.prefix(1).uppercased() + grouping.rawValue.dropFirst()
        var fields: [Field<WalksGroup>] = [
            .text("label", title, "Its name.") { $0.label ?? Order.unknown },
            .integer("walks", "Walks", "How many.") { $0.walks },
            .number("time", "Time", "How long they took.") { $0.time },
        ]
        if groups.contains(where: { $0.untimed != 0 }) {
            fields.append(.integer("untimed", "Without end", "How many go on or have no end.") { $0.untimed })
        }
        return Noun("walk sum", plural: "walk sums", summary: walksGroup.summary, fields: fields)
    }
}

extension Noun where Row == ReportDocument<WalksGroup> {
    /// The report as JSON.
    static let walksReport = Noun(
        "walks report",
        plural: "walks-report",
        summary: "The report of walks, as 'report walks' prints it.",
        fields: [
            .text("by", "By", "dog, day, week, month, quarter or year.") { $0.by },
            .list("groups", "Groups", "By the dogs' names, or by time.", of: Noun<WalksGroup>.walksGroup.fields) {
                $0.lines
            },
            .integer("walks", "Walks", "How many there are, each once.") { $0.total?.walks ?? 0 },
            .integer("minutes", "Minutes", "How long they took, parts of minutes dropped.") {
                ($0.total?.seconds ?? 0) / 60
            },
            .integer("seconds", "Seconds", "The same in seconds.") { $0.total?.seconds ?? 0 },
            .integer("untimed", "Without end", "How many of them go on or have no end.") { $0.total?.untimed ?? 0 },
            .positions(),
        ]
    )
}
