import ArgumentParser
import Messages

struct OrdersSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Change many orders in the same way: all of them, or none.",
        discussion: """
            They are named, or chosen by --where, and shown before anything is changed; at most 10,000 at a time. An \
            order that somebody changes meanwhile stops it. What becomes made or paid is so today, or --on another day.
            """,
        examples: [
            "daybook orders set 12 13 14 --made",
            "daybook orders set --paid --where 'customer = Lind and date < 2024-02-01'",
            "daybook orders set --cancelled --where 'not made and due < -1y' --yes",
        ]
    )

    @Argument(help: ArgumentHelp("Their numbers, references, ids, or the ends of their ids.", valueName: "order"))
    var which: [String] = []

    @OptionGroup var selection: WhereOptions<Order>

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "They are made, or are not.")
    var made: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "They are paid, or are not.")
    var paid: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "They are cancelled, or are not.")
    var cancelled: Bool?

    @Option(help: ArgumentHelp("When they are to be made: 2024-04-05, tomorrow, fri, +14d.", valueName: "day"))
    var due: String?

    @Option(help: ArgumentHelp("They were made or paid on this day: 2024-03-31, yesterday, mon.", valueName: "day"))
    var on: String?

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if which.isEmpty == (selection.query == nil) {
            throw ValidationError("Name the orders, or choose them with --where: one of the two.")
        }
        if which.count > SetOrders.mostOrders {
            throw ValidationError(
                "One command changes at most \(SetOrders.mostOrders) orders, not \(which.count): take fewer at a time."
            )
        }
        if made == nil, paid == nil, cancelled == nil, due == nil {
            throw ValidationError("Nothing to change was given: --made, --paid, --cancelled, --no-… or --due.")
        }
        if on != nil, made != true, paid != true {
            throw ValidationError("--on is the day of what is made or paid: give --made or --paid.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.orderSetting.selected(daybook.presentation.fields)
        try daybook.presentation.show(try await set(by: daybook), of: .orderSetting)
    }

    func set(by daybook: Invocation) async throws(CLIError) -> SetOrders.Reply {
        let today = CalendarDay.today(at: change.key?.milliseconds.map { Instant(microseconds: $0 * 1000) } ?? .now())
        let day = try on.map { text throws(CLIError) in try DayText.day(text, option: "--on", today: today) } ?? today
        let due = try due.map { text throws(CLIError) in
            try DayText.day(text, option: "--due", today: today, leaning: .coming)
        }
        let setting = SetOrders.Change(
            made: made,
            madeOn: made == true ? day : nil,
            paid: paid,
            paidOn: paid == true ? day : nil,
            cancelled: cancelled,
            due: due
        )
        return try await daybook.change(
            SetOrders.self,
            key: change.key,
            isSame: { _ in true },
            perform: { () async throws(CLIError) in
                let orders = try await orders(by: daybook)
                guard !orders.isEmpty else {
                    // With a key, the first run may have left none to find.
                    guard change.key == nil else { throw .failure("No order fits; nothing was changed.") }
                    return SetOrders.Reply(orders: 0, changed: 0)
                }
                try confirm(orders)
                let targets = orders.map { SetOrders.Target(id: $0.id, version: $0.version) }
                return try await daybook.send(SetOrders(orders: targets, change: setting), key: change.key)
            }
        )
    }

    private func orders(by daybook: Invocation) async throws(CLIError) -> [Order] {
        var found: [Order] = []
        guard let filter = try await selection.filter(by: daybook) else {
            for text in which {
                let order = try await daybook.resolver.record(Order.self, text)
                // Named twice is changed once.
                if !found.contains(where: { $0.id == order.id }) { found.append(order) }
            }
            return found
        }
        var cursor: [UInt8]?
        repeat {
            let page = try await daybook.send(List<Order>(filter: filter, after: cursor, limit: 1000))
            found += page.rows
            cursor = page.next
            guard found.count <= SetOrders.mostOrders else {
                throw .usage(
                    "More than \(SetOrders.mostOrders) orders fit, and one command changes no more: narrow --where, by a "
                        + "period perhaps."
                )
            }
        } while cursor != nil
        return found
    }

    private func confirm(_ orders: [Order]) throws(CLIError) {
        guard !confirmation.yes else { return }
        StandardError.write(OrderPreview.text(orders))
        let count = orders.count == 1 ? "this order" : "these \(orders.count) orders"
        try Confirmation.ask("Set \(count) to \(words)?", yes: false)
    }

    /// `made, not paid`.
    private var words: String {
        let flags = [("made", made), ("paid", paid), ("cancelled", cancelled)]
        var words = flags.compactMap { name, value in value.map { $0 ? name : "not \(name)" } }
        if let due { words.append("due \(CellText.escaped(due))") }
        return words.joined(separator: ", ")
    }
}

/// What is shown of orders before they are changed: the first ten, how many more, and the sums.
enum OrderPreview {
    static let shown = 10

    static func text(_ orders: [Order]) -> String {
        var text = ""
        for order in orders.prefix(shown) {
            let total = Money(amount: order.total, currency: order.currency)
            text += "  \(order.label)\t\(order.listLine)\t\(total)\n"
        }
        if orders.count > shown { text += "  and \(orders.count - shown) more\n" }
        let sums = Dictionary(grouping: orders, by: \.currency).sorted { $0.key.code < $1.key.code }
        for (currency, orders) in sums {
            let amounts = orders.map { Money(amount: $0.total, currency: currency) }
            // A sum that is no amount any more is not worth a refusal here.
            let sum = (try? Money.sum(amounts, currency: currency)).map(\.description) ?? "more than can be told"
            text += "Together: \(sum) (\(orders.count) \(orders.count == 1 ? "order" : "orders"))\n"
        }
        return text
    }
}

extension Noun where Row == SetOrders.Reply {
    /// What 'orders set' did.
    static let orderSetting = Noun(
        "setting",
        plural: "settings",
        summary: "How many orders were named or chosen, and how many of them were changed.",
        fields: [
            .integer("orders", "Orders", "How many were named or chosen.") { Int64($0.orders) },
            .integer("changed", "Changed", "How many were not so already.") { Int64($0.changed) },
        ]
    )
}
