internal import Messages
internal import Service
internal import Store

/// What reports count of an order.
struct OrderFact: Hashable {
    struct CountedRow: Hashable {
        var service: Identifier?
        /// What the row adds to the order's total, so that services add up to it: its sum and its share of the tax.
        var sum: Int64
        /// The tax in the sum.
        var tax: Int64
    }

    struct Payment: Hashable {
        var date: String
        var amount: Int64
    }

    var id: Identifier
    var number: Int64
    var numberYear: Int64?
    var date: String
    var due: String?
    var customer: Identifier?
    /// Its code.
    var currency: String
    var made: Bool
    var paid: Bool
    var cancelled: Bool
    /// Tax included, in minor units, as are the following.
    var total: Int64
    var tax: Int64
    var open: Int64
    var rows: [CountedRow]
    /// Behind those that were entered, what a person's word made paid: together they are the total without `open`.
    var payments: [Payment]

    init(_ order: Order) throws(ServiceError) {
        id = order.id
        number = order.number
        numberYear = order.numberYear.map(Int64.init)
        date = order.date.description
        due = order.due?.description
        customer = order.customer
        currency = order.currency.code
        made = order.made
        paid = order.paid
        cancelled = order.cancelled ?? false
        total = order.total
        tax = order.tax ?? 0
        open = order.remaining
        rows = []
        for (row, share) in zip(order.rows, try Self.taxShares(order)) {
            let sum = order.taxIncluded == true ? row.sum : try Self.checked(Int128(row.sum) + Int128(share))
            rows.append(CountedRow(service: row.service, sum: sum, tax: share))
        }
        payments = (order.payments ?? []).map { Payment(date: $0.date.description, amount: $0.amount) }
        guard !cancelled else { return }
        let rest = payments.reduce(Int128(total) - Int128(open)) { $0 - Int128($1.amount) }
        if rest != 0 {
            let day = order.paidOn ?? order.date
            payments.append(Payment(date: day.description, amount: try Self.checked(rest)))
        }
    }

    private static func checked(_ amount: Int128) throws(ServiceError) -> Int64 {
        guard let amount = Int64(exactly: amount) else { throw .store(.overflow) }
        return amount
    }

    private static func taxShares(_ order: Order) throws(ServiceError) -> [Int64] {
        do throws(AmountError) {
            return try order.taxSummary().shares
        } catch {
            throw .store(.overflow)
        }
    }
}

extension OrderFact {
    private static let columns = """
        id, number, number_year, date, due, customer, currency, made, paid, cancelled, total, tax, open
        """

    /// The order as it is stored; nil where there is none.
    static func stored(_ id: Identifier, _ transaction: Transaction) throws(ServiceError) -> OrderFact? {
        var fact = try transaction.first("SELECT \(columns) FROM orders WHERE id = $1", .id(id)) { row in
            OrderFact(id: id, row)
        }
        guard fact != nil else { return nil }
        try transaction.query(
            "SELECT service, sum, tax FROM order_rows WHERE \"order\" = $1 ORDER BY position",
            .id(id)
        ) { fact?.rows.append(CountedRow(service: $0.id(0), sum: $0.integer(1), tax: $0.integer(2))) }
        try transaction.query(
            "SELECT date, amount FROM payments WHERE \"order\" = $1 ORDER BY position",
            .id(id)
        ) { fact?.payments.append(Payment(date: $0.text(0), amount: $0.integer(1))) }
        return fact
    }

    private init(id: Identifier, _ row: borrowing Row) {
        self.id = id
        number = row.integer(1)
        numberYear = row.isNull(2) ? nil : row.integer(2)
        date = row.text(3)
        due = row.optionalText(4)
        customer = row.id(5)
        currency = row.text(6)
        made = row.integer(7) != 0
        paid = row.integer(8) != 0
        cancelled = row.integer(9) != 0
        total = row.integer(10)
        tax = row.integer(11)
        open = row.integer(12)
        rows = []
        payments = []
    }

    /// Stores it where none is stored.
    func store(since sequence: Int64, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO orders (\(Self.columns), since)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            """,
            .id(id),
            .integer(number),
            .optional(numberYear),
            .text(date),
            .optional(due),
            .optional(customer),
            .text(currency),
            .boolean(made),
            .boolean(paid),
            .boolean(cancelled),
            .integer(total),
            .integer(tax),
            .integer(open),
            .integer(sequence)
        )
        for (position, row) in rows.enumerated() {
            try transaction.execute(
                "INSERT INTO order_rows (\"order\", position, service, sum, tax) VALUES ($1, $2, $3, $4, $5)",
                .id(id),
                .integer(Int64(position)),
                .optional(row.service),
                .integer(row.sum),
                .integer(row.tax)
            )
        }
        for (position, payment) in payments.enumerated() {
            try transaction.execute(
                "INSERT INTO payments (\"order\", position, date, amount) VALUES ($1, $2, $3, $4)",
                .id(id),
                .integer(Int64(position)),
                .text(payment.date),
                .integer(payment.amount)
            )
        }
    }

    /// Makes the stored order a past one.
    static func end(
        _ id: Identifier,
        at sequence: Int64,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        let parts = [("order_rows", "service, sum, tax"), ("payments", "date, amount")]
        for (table, columns) in parts {
            try transaction.execute(
                """
                INSERT INTO past_\(table) ("order", since, position, \(columns))
                SELECT o.id, o.since, p.position, \(columns.split(separator: ", ").map { "p.\($0)" }.joined(separator: ", "))
                FROM orders o JOIN \(table) p ON p."order" = o.id WHERE o.id = $1
                """,
                .id(id)
            )
            try transaction.execute("DELETE FROM \(table) WHERE \"order\" = $1", .id(id))
        }
        try transaction.execute(
            "INSERT INTO past_orders (\(columns), since, until) SELECT \(columns), since, $1 FROM orders WHERE id = $2",
            .integer(sequence),
            .id(id)
        )
        try transaction.execute("DELETE FROM orders WHERE id = $1", .id(id))
    }
}
