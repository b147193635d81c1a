import ArgumentParser
import Messages

struct OrdersPay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pay",
        abstract: "Enter a payment of an order; once payments cover what is owed, it is paid.",
        discussion: "Without an amount it is what remains. A negative amount is money given back. Payments have the "
            + "numbers that 'orders show' prints. Where it is queued, name the order by its number or whole id, and give the amount.",
        examples: [
            "daybook orders pay 12 20.00",
            "daybook orders pay 12 --on yesterday --note cash",
            "daybook orders pay 12 --delete 1",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Argument(help: "What was paid, in the order's currency; without it, what remains.")
    var amount: String?

    @Option(
        help: ArgumentHelp("The day of the payment: 2024-03-31, yesterday, mon; today without it.", valueName: "day")
    )
    var on: String?

    @Option(help: ArgumentHelp("Anything about it.", valueName: "text"))
    var note: String?

    @Option(help: ArgumentHelp("Delete this payment instead: its number, or the end of its id.", valueName: "payment"))
    var delete: String?

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if delete != nil, amount != nil || on != nil || note != nil {
            throw ValidationError("--delete takes a payment away: leave the amount, --on and --note out.")
        }
        if delete != nil, queueing.queue {
            throw ValidationError("--delete needs the payment as it is: it can't be queued.")
        }
        if delete == nil, base.basedOn != nil {
            throw ValidationError("A payment is entered whatever others changed: --based-on goes with --delete.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: delete == nil ? queueing : nil)
        try daybook.presentation.show(try await pay(by: daybook))
    }

    func pay(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        if let delete {
            // A payment that is gone can't be compared; that the key was used for this order has to do.
            let isDone = { (order: Order) in Int(delete) != nil || (try? order.indexOfPayment(delete)) == nil }
            let orderChange = OrderChange(which: which, basedOn: base.basedOn, key: change.key)
            return try await orderChange.perform(by: daybook, isDone: isDone) { (order) throws(CLIError) in
                let index = try order.indexOfPayment(delete)
                order.payments?.remove(at: index)
            }
        }
        let id = Identifier.made(by: change.key)
        let today = CalendarDay.today(at: change.key?.milliseconds.map { Instant(microseconds: $0 * 1000) } ?? .now())
        let day = try on.map { text throws(CLIError) in try DayText.day(text, option: "--on", today: today) } ?? today
        let payment = Payment(id: id, date: day, amount: 0, note: note.flatMap(EnteredText.optional))
        return try await daybook.change(
            PayOrder.self,
            key: change.key,
            isSame: { reply in reply.answers(to: which) && reply.payments?.contains { $0.id == id } == true },
            perform: { () async throws(CLIError) in
                try await daybook.deliver(try await entry(of: payment, by: daybook), making: id, key: change.key)
            }
        )
    }

    /// What is sent: of the order that was found, or where that can't be looked up and commands are queued, of the number or
    /// id as it was written.
    private func entry(of payment: Payment, by daybook: Invocation) async throws(CLIError) -> PayOrder {
        var payment = payment
        if let queue = daybook.queue, let id = daybook.wholeID(which),
            let queued = try queue.commands().first(where: { $0.subject == id })?.content(Put<Order>.self)?.record
        {
            payment.amount = try amountPaid(for: queued)
            return PayOrder(order: id, currency: queued.currency, payment: payment)
        }
        do throws(CLIError) {
            let order = try await daybook.resolver.record(Order.self, which)
            payment.amount = try amountPaid(for: order)
            return PayOrder(order: order.id, currency: order.currency, payment: payment)
        } catch {
            guard daybook.queue != nil, error.isUndelivered else { throw error }
            let currency = try daybook.currency(nil)
            guard let amount else {
                throw .unanswered(
                    "\(error.description) So what remains isn't known, and nothing was queued: give the amount."
                )
            }
            payment.amount = try Self.minorUnits(amount, currency)
            if let id = daybook.wholeID(which) { return PayOrder(order: id, currency: currency, payment: payment) }
            guard let number = RunningNumber(which) else {
                throw .unanswered(
                    "\(error.description) So \(quoted(which)) can't be looked up, and nothing was queued: a number or a whole "
                        + "id needs no look-up."
                )
            }
            return PayOrder(number: number.number, year: number.year, currency: currency, payment: payment)
        }
    }

    private func amountPaid(for order: Order) throws(CLIError) -> Int64 {
        guard let amount else {
            guard order.remaining != 0 else {
                throw .failure(
                    "Nothing remains to be paid of order \(order.label): give an amount to enter one anyhow."
                )
            }
            return order.remaining
        }
        return try Self.minorUnits(amount, order.currency)
    }

    private static func minorUnits(_ amount: String, _ currency: Currency) throws(CLIError) -> Int64 {
        do throws(AmountError) {
            return try DecimalText.minorUnits(amount, decimals: currency.decimals)
        } catch {
            throw .usage("The amount: \(error.description)")
        }
    }
}

extension Order {
    /// The index of the payment that a person means: by its number, or by the end of its id from four digits.
    ///
    /// - Throws: ``CLIError/notFound(noun:text:suggestion:)``.
    func indexOfPayment(_ text: String) throws(CLIError) -> Int {
        let payments = payments ?? []
        if let number = Int(text), payments.indices.contains(number - 1) { return number - 1 }
        let digits = text.lowercased().filter { $0 != "-" }
        let found = payments.indices.filter { digits.utf8.count >= 4 && payments[$0].id.hexadecimal.hasSuffix(digits) }
        guard found.count == 1 else {
            throw .notFound(noun: "payment of order \(label)", text: text, suggestion: nil)
        }
        return found[0]
    }
}
