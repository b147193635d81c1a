internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func statement(
        _ report: StatementReport,
        _ reading: Reading
    ) throws(ServiceError) -> StatementReport.Reply {
        let period = try Period(from: report.from, through: report.through)
        let reached = try report.asOf.map { (asOf) throws(ServiceError) in try Moments.reached(asOf, reading) }
        var parameters = Parameters()
        let view = FactView(reached, &parameters)
        let customer = parameters.add(.id(report.customer))
        let through = parameters.add(.text(period.through))
        let sql = """
            SELECT o.currency, o.date AS date, 0 AS kind, o.id, o.number, o.number_year, o.total
            FROM \(view.orders) o
            WHERE o.customer = \(customer) AND o.cancelled = 0 AND o.made = 1 AND o.date <= \(through)
            UNION ALL
            SELECT o.currency, p.date, 1, o.id, o.number, o.number_year, p.amount
            FROM \(view.orders) o JOIN \(view.payments) p ON p."order" = o.id
            WHERE o.customer = \(customer) AND o.cancelled = 0 AND p.date <= \(through)
            ORDER BY 1, 2, 3, 6, 5, 4
            """
        var accounts: [Account] = []
        try storing { () throws(StoreError) in
            try reading.session.query(sql, parameters.values) { (row) throws(StoreError) in
                guard let currency = Currency(row.text(0)) else {
                    throw .fault("a currency of the report can't be read")
                }
                if accounts.last?.currency != currency { accounts.append(Account(currency: currency)) }
                try accounts[accounts.count - 1].add(row, from: period.from)
            }
        }
        var balances: [StatementBalance] = []
        for account in accounts { balances.append(try account.balance()) }
        return StatementReport.Reply(
            customerName: try customerName(report.customer, reached, reading),
            entries: accounts.flatMap(\.entries),
            balances: balances,
            asOf: reached
        )
    }

    private static func customerName(
        _ id: Identifier,
        _ reached: AsOf.Reached?,
        _ reading: Reading
    ) throws(ServiceError) -> String? {
        var parameters = Parameters()
        let view = FactView(reached, &parameters)
        let sql = "SELECT n.name FROM \(view.names) n WHERE n.id = \(parameters.add(.id(id)))"
        return try storing { () throws(StoreError) in
            try reading.session.first(sql, parameters.values) { $0.text(0) }
        }
    }
}

/// A customer's account in one currency, as its entries come in order.
private struct Account {
    let currency: Currency
    private(set) var entries: [StatementEntry] = []
    private var opening: Int128 = 0
    private var charged: Int128 = 0
    private var paid: Int128 = 0

    init(currency: Currency) { self.currency = currency }

    /// - Parameter from: what is earlier is in the opening balance.
    mutating func add(_ row: borrowing Row, from: String) throws(StoreError) {
        let isPayment = row.integer(2) == 1
        let amount = Int128(row.integer(6)) * (isPayment ? -1 : 1)
        guard row.text(1) >= from else {
            opening += amount
            return
        }
        if isPayment { paid -= amount } else { charged += amount }
        guard let date = CalendarDay(row.text(1)), let id = row.id(3) else {
            throw .fault("an entry of the statement can't be read")
        }
        entries.append(
            StatementEntry(
                date: date,
                kind: isPayment ? .payment : .order,
                order: id,
                number: row.integer(4),
                numberYear: row.isNull(5) ? nil : Int(row.integer(5)),
                amount: try money(amount),
                balance: try money(opening + charged - paid)
            )
        )
    }

    func balance() throws(ServiceError) -> StatementBalance {
        try storing { () throws(StoreError) in
            StatementBalance(
                opening: try money(opening),
                charged: try money(charged),
                paid: try money(paid),
                closing: try money(opening + charged - paid)
            )
        }
    }

    private func money(_ amount: Int128) throws(StoreError) -> Money {
        guard let amount = Int64(exactly: amount) else { throw .overflow }
        return Money(amount: amount, currency: currency)
    }
}
