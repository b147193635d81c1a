import ArgumentParser
import Messages

struct ReportStatement: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "statement",
        abstract: "A customer's account: orders and payments of a period, with the balance before and after.",
        discussion:
            "Made orders are charged at their dates, payments count at theirs. What a person's word made paid counts as paid then. "
            + "Cancelled orders don't count, nor do their payments. csv and jsonl have a line for each entry; json is one object.",
        examples: [
            "daybook report statement Lind",
            "daybook report statement Lind --period 2024-Q1 --format csv",
            "daybook report statement Lind --period 2024 --format pdf > statement.pdf",
        ]
    )

    @Argument(help: ArgumentHelp("Whose: a name, the end of an id, or an id.", valueName: "customer"))
    var customer: String

    @OptionGroup var period: PeriodOptions
    @OptionGroup var moment: AsOfOptions
    @OptionGroup var freshness: FreshnessOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.statementEntry.selected(daybook.presentation.fields)
        let (from, to) = try period.days()
        let asOf = try moment.moment()
        let id = try await daybook.reportID(Customer.self, customer)
        let request = StatementReport(customer: id, from: from, through: to, asOf: asOf)
        let (reply, positions) = try await daybook.report(request, stale: freshness.stale)
        let statement = Statement(customer: id, reply: reply, positions: positions.reaching(reply.asOf))
        let presentation = daybook.presentation
        guard [.html, .pdf].contains(presentation.format), presentation.fields == nil else {
            return try presentation.show(statement)
        }
        let notes = [PeriodOptions.words(from, to), reply.asOf?.words].compactMap(\.self)
        let business = daybook.configuration.business
        try presentation.write(StatementPage.document(statement, from: business, notes: notes))
    }
}

/// A statement, as it is printed.
struct Statement: Sendable {
    var customer: Identifier
    var reply: StatementReport.Reply
    /// Up to where in each service's log it goes.
    var positions: Positions
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
        try output.line(CellText.escaped(reply.customerName ?? Order.unknown))
        for balance in reply.balances { try output.line("Opening balance: \(balance.opening)") }
        if !reply.entries.isEmpty || fields != nil { try list(reply.entries, of: .statementEntry) }
        if reply.balances.isEmpty { try output.line("There are no orders or payments.") }
        for balance in reply.balances { try output.line("Closing balance: \(balance.closing)") }
        if let asOf = reply.asOf { try output.line(asOf.words) }
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
