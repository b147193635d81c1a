import ArgumentParser
import Messages

struct OrdersClone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clone",
        abstract: "Enter a new order with the rows of another: not made, not paid.",
        discussion: "It is of today, and for the same customer, unless told otherwise.",
        examples: ["daybook orders clone 12", "daybook orders clone 12 --date mon --customer 'Kim Berg'"]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Option(help: ArgumentHelp("Who orders: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(help: ArgumentHelp("The day: 2024-03-31, yesterday, mon, -3d.", valueName: "day"))
    var date: String?

    @Option(help: ArgumentHelp("When it is to be made: 2024-04-05, tomorrow, fri, +14d.", valueName: "day"))
    var due: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await clone(by: daybook))
    }

    func clone(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        let today = CalendarDay.today(at: change.key?.milliseconds.map { Instant(microseconds: $0 * 1000) } ?? .now())
        let day =
            try date.map { text throws(CLIError) in try DayText.day(text, option: "--date", today: today) } ?? today
        let due = try due.map { text throws(CLIError) in
            try DayText.day(text, option: "--due", today: today, leaning: .coming)
        }
        let original = try await daybook.resolver.record(Order.self, which)
        var order = Order(id: .made(by: change.key), date: day, due: due, currency: original.currency)
        if due == nil { order.due = try daybook.usualDueDay(of: day) }
        order.customer = original.customer
        if let customer { order.customer = try await daybook.resolver.record(Customer.self, customer).id }
        (order.taxIncluded, order.note) = (original.taxIncluded, original.note)
        order.rows = original.rows.enumerated().map { index, row in
            var row = row
            (row.id, row.serviceName) = (.made(by: change.key, index + 1), nil)
            return row
        }
        let complete = order
        return try await daybook.change(
            Put<Order>.self,
            key: change.key,
            isSame: { reply in OrdersAdd.isSame(reply, complete) },
            perform: { () async throws(CLIError) in try await daybook.send(Put(complete), key: change.key) }
        )
    }
}
