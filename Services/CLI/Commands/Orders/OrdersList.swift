import ArgumentParser
import Messages

struct OrdersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List orders, by date and the customer's name.",
        discussion: "A line is the date, a tab, and the customer's name; --format table shows columns with the numbers "
            + "and totals, --fields those of your choice. Sort by date, customer, number, total, made, paid, currency or "
            + "reference.",
        examples: [
            "daybook orders list",
            "daybook orders list --format table --made --no-paid --sort -date",
            "daybook orders list --customer 'Ann Berg' --from 2024-01-01 --to today --format csv",
        ]
    )

    @Option(help: ArgumentHelp("Only those of this customer: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

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
            filters.append(.equal("customer", .id(try await daybook.resolver.record(Customer.self, customer).id)))
        }
        let filter = filters.isEmpty ? nil : filters.count == 1 ? filters[0] : Filter.and(filters)
        // Customers sort by their names, whatever the field is called.
        let sort = list.sortKeys(["customer": "customer.name", "customerId": "customer"])
        try await daybook.list(noun, filter: filter, sort: sort, limit: list.limit, watch: list.watching.watch)
    }

    private func filters() throws(CLIError) -> [Filter] {
        let (from, to) = try period.days()
        var filters: [Filter] = []
        if from != nil || to != nil {
            filters.append(
                .range(
                    "date",
                    from: (from?.description).map(FilterValue.text),
                    through: (to?.description).map(FilterValue.text)
                )
            )
        }
        if let made = progress.made { filters.append(.equal("made", .boolean(made))) }
        if let paid = progress.paid { filters.append(.equal("paid", .boolean(paid))) }
        return filters
    }
}
