import ArgumentParser
import Client
import Messages

struct OrdersAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Enter an order; without options it is of today, without a customer and without rows.",
        discussion: """
            A row is SERVICE=SUM, SERVICE=QUANTITY x PRICE, or just a sum; 'Bath=2x' and just 'Bath' take the service's own price, \
            @19 behind it adds 19 % of tax, and a text in double quotes may stand behind the service or in its place. \
            What is made or paid is so on the order's date.
            --from-walks bills the walks with a customer's dogs that no order has billed, all of them or those of a \
            period: a row each, by the service that is configured; the order is made. Deleting or cancelling it lets \
            them be billed again.
            The date is that of your own zone; with --key it is the day on which the key was made, so that a repetition \
            after midnight is the same order.
            """,
        examples: [
            "daybook orders add",
            "daybook orders add --customer 'Ann Berg' --row Bath=10.00 --row 'Claw trim=4.50' --made",
            "daybook orders add --row 'Bath=2 x 40.00 @19' --row 'Bath \"Rex\"=1x' --due fri",
            "daybook orders add --date yesterday --row =-2.50 --currency USD",
            "daybook orders add --from-walks 'Ann Berg' 2024-02",
        ]
    )

    @Option(help: ArgumentHelp("Who orders: a name, the end of an id, or an id.", valueName: "which"))
    var customer: String?

    @Option(help: ArgumentHelp("Bill the walks of this customer's dogs.", valueName: "customer"))
    var fromWalks: String?

    @Argument(help: "With --from-walks, only walks of these days: 2024-02, last month, 2024-01-15..2024-02-14.")
    var period: String?

    @Option(help: ArgumentHelp("The day: 2024-03-31, yesterday, mon, -3d.", valueName: "day"))
    var date: String?

    @Option(help: ArgumentHelp("When it is to be made: 2024-04-05, tomorrow, fri, +14d.", valueName: "day"))
    var due: String?

    @Option(
        name: .customLong("row"),
        help: ArgumentHelp("A service and its sum, or just one of them; may be repeated.", valueName: "service=sum")
    )
    var rows: [String] = []

    @Flag(help: "The rows' sums hold their tax.")
    var taxIncluded = false

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @Flag(help: "It is made.")
    var made = false

    @Flag(help: "It is paid.")
    var paid = false

    @Option(help: ArgumentHelp("The currency of the sums [DAYBOOK_CURRENCY].", valueName: "code"))
    var currency: String?

    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if period != nil, fromWalks == nil {
            throw ValidationError("A period goes with --from-walks; the order's own day is --date.")
        }
        if customer != nil, fromWalks != nil {
            throw ValidationError("--from-walks names the customer: leave --customer out.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        try daybook.presentation.show(try await add(by: daybook))
    }

    func add(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        let currency = try daybook.currency(currency)
        // A key of version 7 carries the time at which it was made.
        let today = CalendarDay.today(at: change.key?.milliseconds.map { Instant(microseconds: $0 * 1000) } ?? .now())
        let day = try date.map { text throws(CLIError) in
            try DayText.day(text, option: "--date", today: today)
        }
        let due = try due.map { text throws(CLIError) in
            try DayText.day(text, option: "--due", today: today, leaning: .coming)
        }
        // Before anybody is asked: a sum that can't be read.
        for row in rows { _ = try RowText(row).values(in: currency) }
        var order = Order(id: .made(by: change.key), date: day ?? today, currency: currency, made: made, paid: paid)
        order.due = due
        if due == nil { order.due = try daybook.usualDueDay(of: order.date) }
        order.taxIncluded = taxIncluded ? true : nil
        order.note = note.flatMap(EnteredText.optional)
        if made { order.madeOn = order.date }
        if paid { order.paidOn = order.date }
        if let customer { order.customer = try await daybook.id(of: Customer.self, customer) }
        try await WrittenRows(rows, key: change.key, from: 1, by: daybook).add(to: &order)
        if let fromWalks { return try await bill(walksOf: fromWalks, order, today: today, by: daybook) }
        let complete = order
        return try await daybook.change(
            Put<Order>.self,
            key: change.key,
            isSame: { reply in Self.isSame(reply, complete) },
            perform: { () async throws(CLIError) in
                try await daybook.deliver(Put(complete), making: complete.id, key: change.key)
            }
        )
    }

    /// Adds the rows of the walks to the order, and stores it.
    private func bill(
        walksOf name: String,
        _ order: Order,
        today: CalendarDay,
        by daybook: Invocation
    ) async throws(CLIError) -> Order {
        let key = change.key
        let span = try period.map { text throws(CLIError) in
            try DayText.span(text, option: "--from-walks", today: today)
        }
        var customer: Identifier?
        return try await daybook.change(
            Put<Order>.self,
            key: key,
            // What a first run has billed is not found again.
            isSame: { reply in
                reply.id == order.id && reply.walks != nil && (customer == nil || reply.customer == customer)
            },
            perform: { () async throws(CLIError) in
                let owner = try await daybook.resolver.record(Customer.self, name)
                customer = owner.id
                return try await store(order, for: owner, walksIn: span ?? DaySpan(), by: daybook)
            }
        )
    }

    private func store(
        _ order: Order,
        for owner: Customer,
        walksIn span: DaySpan,
        by daybook: Invocation
    ) async throws(CLIError) -> Order {
        var order = order
        order.customer = owner.id
        (order.made, order.madeOn) = (true, order.date)
        try await daybook.bill(walksOf: owner, in: span, on: &order, key: change.key)
        do throws(CLIError) {
            return try await daybook.send(Put(order), key: change.key)
        } catch {
            guard case .client(.refused(let service, .inUse, var body)) = error else { throw error }
            body.message =
                "somebody billed one of these walks meanwhile, in order \(body.found ?? "?"): "
                + "run this again, and it bills what is left"
            throw .client(.refused(service, .inUse, body))
        }
    }

    /// Whether `reply` is what the service makes of `order`.
    static func isSame(_ reply: Order, _ order: Order) -> Bool {
        var (reply, expected) = (reply, order)
        guard (try? expected.settle(after: nil)) != nil else { return false }
        (reply.version, reply.number, reply.numberYear, reply.customerName) = (0, 0, nil, nil)
        for index in reply.rows.indices { reply.rows[index].serviceName = nil }
        return reply == expected
    }
}

extension Invocation {
    /// When an order of this date is due that doesn't say; nil where the configuration has no days.
    ///
    /// - Throws: ``CLIError/usage(_:)`` at the end of the calendar.
    func usualDueDay(of date: CalendarDay) throws(CLIError) -> CalendarDay? {
        guard let days = configuration.dueDays else { return nil }
        do throws(DateError) {
            return try date.adding(days: days)
        } catch {
            throw .usage("The due day: \(error.description)")
        }
    }
}
