internal import LiveList
internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func unpaid(_ report: UnpaidReport, _ reading: Reading) throws(ServiceError) -> UnpaidReport.Reply
    {
        let reached = try report.asOf.map { (asOf) throws(ServiceError) in try Moments.reached(asOf, reading) }
        let orders = try unpaidOrders(report, asOf: reached, reading.session)
        return UnpaidReport.Reply(orders: orders, totals: try Totals.byCurrency(orders.map(\.open)), asOf: reached)
    }

    /// The report as a live list: its rows come, go and move with the orders and with the customers' names.
    static let unpaidList = ListSource(
        report: "unpaid",
        of: UnpaidReport.self,
        otherwise: UnpaidReport(),
        columns: [
            ListSchema.Column("number", .integer), ListSchema.Column("numberYear", .integer),
            ListSchema.Column("date", .day), ListSchema.Column("due", .day),
            ListSchema.Column("customer", .id), ListSchema.Column("customer.name", .text),
            ListSchema.Column("total", .integer), ListSchema.Column("open", .integer),
            ListSchema.Column("currency", .text),
        ],
        sort: [SortKey("date"), SortKey("customer.name")],
        check: { (report) throws(ServiceError) in
            _ = try Period(from: report.from, through: report.through)
            try checkIsOfNow(report.asOf)
        },
        row: { (report, row, session) throws(ServiceError) in
            try unpaidOrders(report, asOf: nil, only: row.id, session).first.map(unpaidRow)
        },
        rows: { (report, session, each) throws(ServiceError) in
            for order in try unpaidOrders(report, asOf: nil, session) { each(try unpaidRow(order)) }
        }
    )

    /// Orders made, not paid and not cancelled, with their customers' names.
    ///
    /// - Parameter id: the one order that is asked for; nil for all.
    private static func unpaidOrders(
        _ report: UnpaidReport,
        asOf: AsOf.Reached?,
        only id: Identifier? = nil,
        _ session: Session
    ) throws(ServiceError) -> [ReportedOrder] {
        let period = try Period(from: report.from, through: report.through)
        var parameters = Parameters()
        let view = FactView(asOf, &parameters)
        var sql = """
            SELECT o.id, o.number, o.number_year, o.date, o.due, o.customer, n.name, o.total, o.open, o.currency
            FROM \(view.orders) o LEFT JOIN \(view.names) n ON n.id = o.customer
            WHERE o.made = 1 AND o.paid = 0 AND o.cancelled = 0
                AND o.date BETWEEN \(parameters.add(.text(period.from))) AND \(parameters.add(.text(period.through)))
            """
        if let id { sql += " AND o.id = \(parameters.add(.id(id)))" }
        if let customer = report.customer { sql += " AND o.customer = \(parameters.add(.id(customer)))" }
        if let service = report.service {
            let rows = "SELECT r.\"order\" FROM \(view.rows) r WHERE r.service = \(parameters.add(.id(service)))"
            sql += " AND o.id IN (\(rows))"
        }
        sql += " ORDER BY o.date, coalesce(n.name_key, x''), o.id"
        var orders: [ReportedOrder] = []
        try storing { () throws(StoreError) in
            try session.query(sql, parameters.values) { (row) throws(StoreError) in
                orders.append(try unpaidOrder(row))
            }
        }
        return orders
    }

    private static func unpaidOrder(_ row: borrowing Row) throws(StoreError) -> ReportedOrder {
        guard let id = row.id(0), let date = CalendarDay(row.text(3)), let currency = Currency(row.text(9)) else {
            throw .fault("an order of the report can't be read")
        }
        return ReportedOrder(
            id: id,
            number: row.integer(1),
            numberYear: row.isNull(2) ? nil : Int(row.integer(2)),
            date: date,
            due: row.optionalText(4).flatMap(CalendarDay.init),
            customer: row.id(5),
            customerName: row.optionalText(6),
            total: Money(amount: row.integer(7), currency: currency),
            open: Money(amount: row.integer(8), currency: currency)
        )
    }

    @Sendable private static func unpaidRow(_ order: ReportedOrder) throws(ServiceError) -> ListSource.Row {
        let values: [FieldValue] = [
            .integer(order.number), order.numberYear.map { .integer(Int64($0)) } ?? .absent,
            .day(order.date), order.due.map(FieldValue.day) ?? .absent,
            order.customer.map(FieldValue.id) ?? .absent, .text(of: order.customerName),
            .integer(order.total.amount), .integer(order.open.amount), .text(of: order.total.currency.code),
        ]
        return (RowValues(id: order.id, values), try encodedRow(order))
    }
}
