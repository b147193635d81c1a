import ArgumentParser
import Messages

struct OrdersEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change an order: only what is given. Its rows are changed by 'orders rows'.",
        examples: [
            "daybook orders edit 12 --paid",
            "daybook orders edit 12 --customer 'Ann Berg' --date 2024-03-31",
            "daybook orders edit 12 --clear customer --no-made",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Option(help: ArgumentHelp("Who orders: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(help: ArgumentHelp("The day: 2024-03-31, today or yesterday.", valueName: "day"))
    var date: String?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "It is made, or is not.")
    var made: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "It is paid, or is not.")
    var paid: Bool?

    @Option(help: ArgumentHelp("The currency of the sums, whose numbers stay.", valueName: "code"))
    var currency: String?

    @OptionGroup var edit: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if customer == nil, date == nil, made == nil, paid == nil, currency == nil, edit.clear.isEmpty {
            throw ValidationError("Nothing to change was given; --help lists what can be.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await edit(by: daybook))
    }

    func edit(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        var values = RecordEdit<Order>()
        values.set("customer", nil, clear: { (order) throws(CLIError) in order.customer = nil })
        if let customer {
            let id = try await daybook.resolver.record(Customer.self, customer).id
            values.set("customer", { (order) throws(CLIError) in order.customer = id })
        }
        if let date {
            let day = try DayText.day(date, option: "--date")
            values.set("date", { (order) throws(CLIError) in order.date = day })
        }
        if let made { values.set("made", { (order) throws(CLIError) in order.made = made }) }
        if let paid { values.set("paid", { (order) throws(CLIError) in order.paid = paid }) }
        if let currency {
            let currency = try daybook.currency(currency)
            values.set("currency", { (order) throws(CLIError) in try Self.set(currency, of: &order) })
        }
        try values.clear(edit.clear)
        let complete = values
        return try await OrderChange(which: which, basedOn: edit.basedOn, key: change.key).perform(by: daybook) {
            (order) throws(CLIError) in order = try complete.applied(to: order)
        }
    }

    /// Sums keep their minor units, so another number of decimals would change what they mean.
    private static func set(_ currency: Currency, of order: inout Order) throws(CLIError) {
        guard order.rows.isEmpty || order.currency.decimals == currency.decimals else {
            throw .usage(
                "--currency is \(currency), whose amounts have \(currency.decimals) decimals, and the rows are in "
                    + "\(order.currency): delete the rows first, or make a new order."
            )
        }
        order.currency = currency
    }
}
