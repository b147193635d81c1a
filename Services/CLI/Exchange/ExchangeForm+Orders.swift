import Messages

extension ExchangeForm where R == Order {
    /// An order with its rows, payments and billed walks. Its number is the service's, and its total follows.
    static let order = ExchangeForm(
        noun: {
            var noun = Noun.order
            noun.fields.append(.text("currency", "Currency", "The currency of all its amounts.") { $0.currency.code })
            return noun
        }(),
        columns: [
            .requiredDay("date") { $0.date = $1 },
            .day("due") { $0.due = $1 },
            .reference("customer", id: "customerId", to: .customer) { order, id, name in
                (order.customer, order.customerName) = (id, name)
            },
            .currency("currency"),
            .boolean("taxIncluded") { $0.taxIncluded = $1 ? true : nil },
            .text("note") { $0.note = $1 },
            .boolean("made") { $0.made = $1 },
            .day("madeOn") { $0.madeOn = $1 },
            .boolean("paid") { $0.paid = $1 },
            .day("paidOn") { $0.paidOn = $1 },
            .boolean("cancelled") { $0.cancelled = $1 ? true : nil },
            .instant("printed") { $0.printed = $1 },
            .text("reference", isShort: true) { $0.reference = $1 },
        ],
        lists: [.rows, .payments, .billedWalks],
        naturalKey: .counted { "\($0.date) \($0.customer?.description ?? "")" },
        setCurrency: { $0.currency = $1 },
        make: { Order(id: $0, date: .last, currency: $1) }
    )
}

extension ExchangeList where R == Order {
    fileprivate static let rows = ExchangeList(
        .list(
            "rows",
            "Rows",
            "What was ordered, in the order in which it was entered.",
            of: Noun<OrderLine>.orderRow.fields([
                "id", "serviceId", "service", "text", "quantity", "unitPrice", "taxRate", "sum",
            ])
        ) { $0.lines(by: .position) },
        columns: [
            .reference("service", id: "serviceId", to: .service) { row, id, name in
                (row.service, row.serviceName) = (id, name)
            },
            .text("text", isShort: true) { $0.text = $1 },
            .quantity("quantity") { $0.quantity = $1 },
            .money("unitPrice") { $0.unitPrice = $1?.amount },
            .rate("taxRate") { $0.taxRate = $1 },
            .money("sum") { if let sum = $1 { $0.sum = sum.amount } },
        ],
        items: \.rows,
        set: { $0.rows = $1 },
        currency: \.currency,
        id: \.id,
        make: { OrderRow(id: $0, sum: 0) },
        finish: finish
    )

    /// A row's sum follows from its quantity and price, or else must be there.
    private static func finish(_ row: inout OrderRow, _ context: Context<OrderRow>) -> CellFault? {
        let currency = context.record.currency
        guard let price = row.unitPrice else {
            guard context.isNew, !context.given.contains("sum") else { return nil }
            return CellFault(column: "sum", reason: "It is blank: give it, or a quantity and a unit price.")
        }
        guard let quantity = row.quantity else {
            return CellFault(column: "quantity", reason: "It is blank: a row with a unit price needs a quantity.")
        }
        let given = row.sum
        do throws(AmountError) {
            try row.settle(currency)
        } catch {
            return CellFault(column: "unitPrice", reason: error.description)
        }
        guard context.given.contains("sum"), row.sum != given else { return nil }
        let (one, sum) = (Money(amount: price, currency: currency), Money(amount: row.sum, currency: currency))
        return CellFault(
            column: "sum",
            reason: "It is not \(quantity) x \(one.plain), which are \(sum.plain): correct one, or leave the sum blank."
        )
    }

    fileprivate static let payments = ExchangeList(
        .list(
            "payments",
            "Payments",
            "What was paid, in the order in which it was entered.",
            of: Noun<OrderPayment>.payment.fields(["id", "date", "amount", "note"])
        ) { $0.paymentLines },
        columns: [
            .requiredDay("date") { $0.date = $1 },
            .money("amount") { $0.amount = $1?.amount ?? 0 },
            .text("note", isShort: true) { $0.note = $1 },
        ],
        items: { $0.payments ?? [] },
        set: { $0.payments = $1.isEmpty ? nil : $1 },
        currency: \.currency,
        id: \.id,
        make: { Payment(id: $0, date: .last, amount: 0) },
        finish: { payment, _ in
            payment.amount == 0
                ? CellFault(column: "amount", reason: "A payment of nothing is none: give its amount.") : nil
        }
    )

    fileprivate static let billedWalks = ExchangeList(
        .list(
            "walks",
            "Walks",
            "The walks that its rows bill, each for a dog.",
            of: [
                .id("id", "Id", "The walk's UUID.") { (billed: BilledWalk) in billed.walk },
                .id("dogId", "Dog's id", "The dog's UUID.") { $0.dog },
                .id("rowId", "Row's id", "The UUID of the row that bills it.") { $0.row },
                .text("number", "No.", "The walk's number.") { $0.number.map(String.init) },
            ]
        ) { $0.walks ?? [] },
        columns: [
            .id("id") { $0.walk = $1 ?? $0.walk },
            .id("dogId") { $0.dog = $1 ?? $0.dog },
            .id("rowId") { $0.row = $1 },
            .text("number", isShort: true) { $0.number = $1.flatMap { Int64($0) } },
        ],
        items: { $0.walks ?? [] },
        set: { $0.walks = $1.isEmpty ? nil : $1 },
        make: { BilledWalk(walk: $0, dog: $0) },
        finish: { _, context in
            let missing = ["id", "dogId"].first { !context.given.contains($0) }
            return missing.map {
                CellFault(column: $0, reason: "It is blank: a billed walk has an id and that of its dog.")
            }
        }
    )
}
