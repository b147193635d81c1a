import ArgumentParser
import Documents
import Messages

struct ReportStatement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statement",
        abstract: "A customer's account: orders and payments of a period, with the balance before and after.",
        discussion:
            "Made orders are charged at their dates, payments count at theirs. What a person's word made paid counts as paid then. "
            + "Cancelled orders don't count, nor do their payments. csv and jsonl have a line for each entry; json is one object. "
            + "--chart draws the balance: at the end of each day, or of each month where it is of more than two. A page has it "
            + "with --chart.",
        examples: [
            "daybook report statement Lind",
            "daybook report statement Lind --period 2024-Q1 --format csv",
            "daybook report statement Lind --period 2024 --format pdf --output statement.pdf",
            "daybook report statement Lind --chart",
            "daybook report statement Lind --watch",
        ]
    )

    @Argument(help: ArgumentHelp("Whose: a name, the end of an id, or an id.", valueName: "customer"))
    var customer: String

    @OptionGroup var period: PeriodOptions
    @OptionGroup var options: ReportOptions
    @OptionGroup(visibility: .hidden) var other: OtherSelection
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        try other.refuse("A statement is of whole orders, those that are made, and of all payments")
    }

    func run() async throws {
        let daybook = try Invocation(global, options)
        _ = try Noun.statementEntry.selected(daybook.presentation.fields)
        let (from, to) = try period.days()
        let asOf = try options.asOf()
        let id = try await daybook.reportID(Customer.self, customer)
        let request = StatementReport(customer: id, from: from, through: to, asOf: asOf)
        if options.watching.watch { return try await watch(request, by: daybook) }
        let (reply, positions) = try await daybook.report(request, stale: options.freshness.stale)
        let statement = Statement(customer: id, reply: reply, positions: positions.reaching(reply.asOf))
        let notes = [PeriodOptions.words(from, to), reply.asOf?.words].compactMap(\.self)
        let sheet = ReportSheet(title: "Balance", notes: notes, charts: try StatementChart.charts(of: reply))
        let presentation = daybook.presentation
        if [.html, .pdf].contains(presentation.format), presentation.fields != nil {
            return try presentation.show(statement)
        }
        let charts = options.chart.chart ? sheet.charts.map(\.chart) : []
        try daybook.show(
            options.chart,
            page: { (_) throws(CLIError) in
                StatementPage.document(statement, from: daybook.configuration.business, notes: notes, charts: charts)
            },
            charts: sheet,
            closing: Statement.header(reply) + Statement.footer(reply),
            print: { (presentation) throws(CLIError) in try presentation.show(statement) }
        )
    }

    private func watch(_ report: StatementReport, by daybook: Invocation) async throws(CLIError) {
        let reached = try await daybook.reportedPositions(stale: options.freshness.stale)
        let hasFields = daybook.presentation.fields != nil
        let view = WatchView<StatementEntry>(
            noun: { _ in .statementEntry },
            key: { entry in "\(entry.kind) \(entry.order)" }
        )
        try await daybook.watch(try .report(report), of: .reporting, view, after: reached) {
            (lines: [StatementLine]) throws(CLIError) in
            let reply: StatementReport.Reply
            do throws(AmountError) {
                reply = try StatementReport.Reply(of: lines)
            } catch {
                throw .failure(error.description)
            }
            let (header, footer) = (Statement.header(reply), Statement.footer(reply))
            return (reply.entries, WatchFrame(header: header, footer: footer, isTable: hasFields))
        }
    }
}

/// A statement, as it is printed.
struct Statement: Sendable {
    var customer: Identifier
    var reply: StatementReport.Reply
    /// Up to where in each service's log it goes.
    var positions: Positions

    /// What stands above the entries for people.
    static func header(_ reply: StatementReport.Reply) -> String {
        let balances = reply.balances.map { "Opening balance: \($0.opening)\n" }
        return "\(CellText.escaped(reply.customerName ?? Order.unknown))\n" + balances.joined()
    }

    /// What stands below them.
    static func footer(_ reply: StatementReport.Reply) -> String {
        let nothing = reply.balances.isEmpty ? "There are no orders or payments.\n" : ""
        let balances = reply.balances.map { "Closing balance: \($0.closing)\n" }
        return nothing + balances.joined() + (reply.asOf.map { "\($0.words)\n" } ?? "")
    }
}

/// The balance over time, a chart for each currency.
enum StatementChart {
    /// More days than these are shown by months.
    static let mostDays = 62

    /// What is owed at the end of each day or month, from the first entry to the last.
    ///
    /// - Throws: as ``ReportChart/of(_:_:_:_:filling:)``.
    static func charts(of reply: StatementReport.Reply) throws(CLIError) -> [ReportChart] {
        var charts: [ReportChart] = []
        for balance in reply.balances {
            let currency = balance.closing.currency
            let entries = reply.entries.filter { $0.balance.currency == currency }
            guard let first = entries.first?.date, let last = entries.last?.date else { continue }
            let isByDay = last.daysSince1970 - first.daysSince1970 < mostDays
            let grouping = isByDay ? TotalsReport.Grouping.day : .month
            // The last of a day or month counts.
            var ends: [(label: String, balance: Int64)] = []
            for entry in entries {
                let label = grouping.period(of: entry.date)?.label ?? entry.date.description
                if ends.last?.label == label { ends.removeLast() }
                ends.append((label, entry.balance.amount))
            }
            var known: Int64 = 0
            let balances = Dictionary(ends.map { ($0.label, $0.balance) }) { $1 }
            let values = TimeLabels.filled(ends.map(\.label)).map { label in
                known = balances[label] ?? known
                return (label, known)
            }
            charts.append(try .of("Balance, \(currency)", .line, .money(currency), values))
        }
        return charts
    }
}

extension Presentation {
    /// Prints the statement.
    ///
    /// - Throws: what printing throws.
    func show(_ statement: Statement) throws(CLIError) {
        let reply = statement.reply
        if format == .json {
            let selected = try Noun.statementEntry.selected(fields)
            var noun = Noun.statement
            noun.fields = noun.fields.map { field in
                guard field.declaration.name == "entries" else { return field }
                return .list("entries", "Entries", field.declaration.summary, of: selected) { $0.reply.entries }
            }
            var presentation = self
            presentation.fields = nil
            return try presentation.show(statement, of: noun)
        }
        guard format == .table else { return try list(reply.entries, of: .statementEntry) }
        try output.write(Statement.header(reply))
        if !reply.entries.isEmpty || fields != nil { try list(reply.entries, of: .statementEntry) }
        try output.write(Statement.footer(reply))
    }
}

extension Noun where Row == StatementEntry {
    /// A line of a statement, as it is printed.
    static let statementEntry = Noun(
        "entry",
        plural: "entries",
        summary: "An order, or a payment for one.",
        fields: [
            .day("date", "Date", "The calendar day.") { $0.date },
            .text("kind", "Kind", "order, or payment.") { $0.kind.rawValue },
            .number("label", "No.", "The order's number as people write it: 17, or 2024-17.") { $0.label },
            .id("order", "Order", "The order's UUID.", inTable: false) { $0.order },
            .money("amount", "Amount", "What is owed more by it; negative for a payment.") { $0.amount },
            .money("balance", "Balance", "What is owed after it.") { $0.balance },
        ]
    )
}

extension Noun where Row == Statement {
    /// The statement as JSON.
    static let statement = Noun(
        "statement",
        plural: "statements",
        summary: "A customer's account over a period, as 'report statement' prints it.",
        fields: [
            .text("customer", "Customer", "The customer's name now, or then.") { $0.reply.customerName },
            .id("customerId", "Customer id", "The customer's UUID.") { $0.customer },
            .list(
                "entries",
                "Entries",
                "By currency, then date.",
                of: Noun<StatementEntry>.statementEntry.fields
            ) { $0.reply.entries },
            .list(
                "balances",
                "Balances",
                "One for each currency.",
                of: [
                    Field<StatementBalance>.money("opening", "Opening", "Before the first day.") { $0.opening },
                    Field<StatementBalance>.money("charged", "Charged", "The sum of the orders.") { $0.charged },
                    Field<StatementBalance>.money("paid", "Paid", "The sum of the payments.") { $0.paid },
                    Field<StatementBalance>.money("closing", "Closing", "After the last day.") { $0.closing },
                ]
            ) { $0.reply.balances },
            .positions { $0.positions },
        ]
    )
}
