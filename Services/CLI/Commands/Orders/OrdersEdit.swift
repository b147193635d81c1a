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
            "daybook orders edit 12 --due +1w --note 'by the back door'",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Option(help: ArgumentHelp("Who orders: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(help: ArgumentHelp("The day: 2024-03-31, yesterday, mon, -3d.", valueName: "day"))
    var date: String?

    @Option(help: ArgumentHelp("When it is to be made: 2024-04-05, tomorrow, fri, +14d.", valueName: "day"))
    var due: String?

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "It is made, or is not.")
    var made: Bool?

    @Option(help: ArgumentHelp("It was made on this day; today where only --made is given.", valueName: "day"))
    var madeOn: String?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "It is paid, or is not; see also 'orders pay'.")
    var paid: Bool?

    @Option(help: ArgumentHelp("It was paid on this day; today where only --paid is given.", valueName: "day"))
    var paidOn: String?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "It is cancelled, and counts nowhere, or is not.")
    var cancelled: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "The rows' sums hold their tax, or don't.")
    var taxIncluded: Bool?

    @Option(help: ArgumentHelp("The currency of the sums, whose numbers stay.", valueName: "code"))
    var currency: String?

    @OptionGroup var edit: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        let isGiven = [customer, date, due, note, madeOn, paidOn, currency].contains { $0 != nil }
        if !isGiven, made == nil, paid == nil, cancelled == nil, taxIncluded == nil, edit.clear.isEmpty {
            throw ValidationError("Nothing to change was given; --help lists what can be.")
        }
        if made == false, madeOn != nil {
            throw ValidationError("--made-on goes with what is made: leave --no-made out.")
        }
        if paid == false, paidOn != nil {
            throw ValidationError("--paid-on goes with what is paid: leave --no-paid out.")
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
        values.set("due", nil, clear: { (order) throws(CLIError) in order.due = nil })
        if let due {
            let day = try DayText.day(due, option: "--due", leaning: .coming)
            values.set("due", { (order) throws(CLIError) in order.due = day })
        }
        values.set("note", \.note, note)
        try setProgress(&values)
        if let cancelled {
            values.set("cancelled", { (order) throws(CLIError) in order.cancelled = cancelled ? true : nil })
        }
        if let taxIncluded {
            values.set("taxIncluded", { (order) throws(CLIError) in order.taxIncluded = taxIncluded ? true : nil })
        }
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

    /// What becomes made or paid is so today, unless a day is given; what is so already keeps its day.
    private func setProgress(_ values: inout RecordEdit<Order>) throws(CLIError) {
        values.set("madeOn", nil, clear: { (order) throws(CLIError) in order.madeOn = nil })
        values.set("paidOn", nil, clear: { (order) throws(CLIError) in order.paidOn = nil })
        let today = CalendarDay.today()
        if let madeOn {
            let day = try DayText.day(madeOn, option: "--made-on")
            values.set("madeOn", { (order) throws(CLIError) in (order.made, order.madeOn) = (true, day) })
        } else if let made {
            let change = SetOrders.Change(made: made, madeOn: today)
            values.set("made", { (order) throws(CLIError) in change.apply(to: &order) })
        }
        if let paidOn {
            let day = try DayText.day(paidOn, option: "--paid-on")
            values.set("paidOn", { (order) throws(CLIError) in (order.paid, order.paidOn) = (true, day) })
        } else if let paid {
            let change = SetOrders.Change(paid: paid, paidOn: today)
            values.set("paid", { (order) throws(CLIError) in change.apply(to: &order) })
        }
    }

    /// Sums keep their minor units, so another number of decimals would change what they mean.
    private static func set(_ currency: Currency, of order: inout Order) throws(CLIError) {
        guard order.rows.isEmpty && order.payments == nil || order.currency.decimals == currency.decimals else {
            throw .usage(
                "--currency is \(currency), whose amounts have \(currency.decimals) decimals, and the rows are in "
                    + "\(order.currency): delete the rows first, or make a new order."
            )
        }
        order.currency = currency
    }
}
