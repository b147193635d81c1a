import ArgumentParser
import Messages

struct OrdersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List orders, by date and the customer's name.",
        discussion: "A line is the date, a tab, and the customer's name; --format table shows columns with the numbers "
            + "and totals, --fields those of your choice. Sort by date, due, customer, number, total, open, made, paid, "
            + "paidOn, cancelled, currency or reference; --where compares the same fields and note.",
        examples: [
            "daybook orders list",
            "daybook orders list --format table --made --no-paid --sort -date",
            "daybook orders list --customer 'Ann Berg' --from 2024-01-01 --to today --format csv",
            "daybook orders list --due tomorrow",
            "daybook orders list --no-paid --as-of 'last month'",
            "daybook orders list --where 'date = last month and open >= 50 and not customer ~ berg'",
        ]
    )

    @Option(help: ArgumentHelp("Only those of this customer: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(
        help: ArgumentHelp("Only those due then: tomorrow, this week, 2024-04, or overdue.", valueName: "period")
    )
    var due: String?

    @Flag(help: "Only those of which something remains to be paid.")
    var open = false

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that are cancelled, or are not.")
    var cancelled: Bool?

    @OptionGroup var selection: WhereOptions<Order>
    @OptionGroup var period: PeriodOptions
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await list(by: daybook)
    }

    func list(by daybook: Invocation) async throws(CLIError) {
        // A table where it is asked for; the lines where it is only what there is without asking.
        let noun: Noun<Order> = output.format == .table ? .orderTable : .order
        _ = try noun.selected(daybook.presentation.fields)
        var filters = try filters()
        if let customer {
            filters.append(.equal("customer", .id(try await daybook.id(Customer.self, customer, in: list))))
        }
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        // Customers sort by their names, whatever the field is called.
        let sort = list.sortKeys(["customer": "customer.name", "customerId": "customer"])
        try await daybook.list(noun, filter: .all(filters), sort: sort, list)
    }

    private func filters() throws(CLIError) -> [Filter] {
        let (from, to) = try period.days()
        var filters: [Filter] = []
        if from != nil || to != nil { filters.append(.days("date", from, to)) }
        if let due { filters += try dueFilters(due) }
        if open { filters += [.equal("paid", .boolean(false)), .not(.equal("open", .integer(0)))] }
        if let cancelled { filters.append(.equal("cancelled", .boolean(cancelled))) }
        if let made = progress.made { filters.append(.equal("made", .boolean(made))) }
        if let paid = progress.paid { filters.append(.equal("paid", .boolean(paid))) }
        return filters
    }

    private func dueFilters(_ text: String) throws(CLIError) -> [Filter] {
        guard text.lowercased() != "overdue" else {
            let isOpen: [Filter] = [.equal("made", .boolean(false)), .equal("cancelled", .boolean(false))]
            let yesterday = try DayText.day("yesterday", option: "--due")
            return [.days("due", nil, yesterday)] + isOpen
        }
        let span = try DayText.span(text, option: "--due", leaning: .coming)
        return [.days("due", span.from, span.through)]
    }
}

extension Filter {
    /// Days from one to another, both included.
    static func days(_ field: String, _ from: CalendarDay?, _ through: CalendarDay?) -> Filter {
        .range(
            field,
            from: (from?.description).map(FilterValue.text),
            through: (through?.description).map(FilterValue.text)
        )
    }
}
