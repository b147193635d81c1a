import ArgumentParser
import Messages

struct OrdersPay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pay",
        abstract: "Enter a payment of an order; once payments cover what is owed, it is paid.",
        discussion: "Without an amount it is what remains. A negative amount is money given back. Payments have the "
            + "numbers that 'orders show' prints.",
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
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if delete != nil, amount != nil || on != nil || note != nil {
            throw ValidationError("--delete takes a payment away: leave the amount, --on and --note out.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await pay(by: daybook))
    }

    func pay(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        let orderChange = OrderChange(which: which, basedOn: base.basedOn, key: change.key)
        if let delete {
            // A payment that is gone can't be compared; that the key was used for this order has to do.
            let isDone = { (order: Order) in Int(delete) != nil || (try? order.indexOfPayment(delete)) == nil }
            return try await orderChange.perform(by: daybook, isDone: isDone) { (order) throws(CLIError) in
                let index = try order.indexOfPayment(delete)
                order.payments?.remove(at: index)
            }
        }
        let id = Identifier.made(by: change.key)
        let today = CalendarDay.today(at: change.key?.milliseconds.map { Instant(microseconds: $0 * 1000) } ?? .now())
        let day = try on.map { text throws(CLIError) in try DayText.day(text, option: "--on", today: today) } ?? today
        let isDone = { (order: Order) in order.payments?.contains { $0.id == id } == true }
        return try await orderChange.perform(by: daybook, isDone: isDone) { (order) throws(CLIError) in
            let payment = Payment(
                id: id,
                date: day,
                amount: try amountPaid(for: order),
                note: note.flatMap(EnteredText.optional)
            )
            order.payments = (order.payments ?? []) + [payment]
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
        do throws(AmountError) {
            return try DecimalText.minorUnits(amount, decimals: order.currency.decimals)
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
