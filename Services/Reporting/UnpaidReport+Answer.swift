internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func unpaid(_ report: UnpaidReport, _ reading: Reading) throws(ServiceError) -> UnpaidReport.Reply
    {
        let period = try Period(from: report.from, through: report.through)
        var orders: [ReportedOrder] = []
        try reading.query(
            """
            SELECT o.id, o.number, o.date, o.customer, n.name, o.total, o.currency
            FROM orders o LEFT JOIN names n ON n.id = o.customer
            WHERE o.made = 1 AND o.paid = 0 AND o.date BETWEEN $1 AND $2
            ORDER BY o.date, coalesce(n.name_key, x''), o.id
            """,
            .text(period.from),
            .text(period.through)
        ) { (row) throws(StoreError) in
            guard let id = row.id(0), let date = CalendarDay(row.text(2)), let currency = Currency(row.text(6)) else {
                throw .fault("an order of the report can't be read")
            }
            orders.append(
                ReportedOrder(
                    id: id,
                    number: row.integer(1),
                    date: date,
                    customer: row.id(3),
                    customerName: row.optionalText(4),
                    total: Money(amount: row.integer(5), currency: currency)
                )
            )
        }
        return UnpaidReport.Reply(orders: orders, totals: try Totals.byCurrency(orders.map(\.total)))
    }
}

/// A period of days, both ends included, as the store compares them.
struct Period {
    let from: String
    let through: String

    init(from: CalendarDay?, through: CalendarDay?) throws(ServiceError) {
        if let from, let through, through < from {
            throw .invalid(
                field: "through",
                found: through.description,
                "the period ends on \(through), before it starts on \(from): turn the two around"
            )
        }
        self.from = from?.description ?? "0000-00-00"
        self.through = through?.description ?? "9999-99-99"
    }
}
