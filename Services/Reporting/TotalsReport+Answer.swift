internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func totals(_ report: TotalsReport, _ reading: Reading) throws(ServiceError) -> TotalsReport.Reply
    {
        let period = try Period(from: report.from, through: report.through)
        let condition = Totals.condition(report)
        let groups = try Totals.groups(report, reading.session)
        let orders = try reading.first(
            "SELECT count(*) FROM orders o WHERE \(condition)",
            .text(period.from),
            .text(period.through)
        ) { $0.integer(0) }
        return TotalsReport.Reply(
            groups: groups,
            totals: try Totals.byCurrency(groups.map(\.total)),
            orders: orders ?? 0
        )
    }
}

enum Totals {
    /// One sum for each currency, by its code. Never across currencies.
    static func byCurrency(_ amounts: [Money]) throws(ServiceError) -> [Money] {
        var totals: [Currency: Money] = [:]
        for amount in amounts {
            do throws(AmountError) {
                totals[amount.currency] = try (totals[amount.currency] ?? .zero(amount.currency)).adding(amount)
            } catch {
                throw .store(.overflow)
            }
        }
        return totals.values.sorted { $0.currency.code < $1.currency.code }
    }

    /// Which orders are counted; the period's days are $1 and $2.
    static func condition(_ report: TotalsReport) -> String {
        var condition = "o.cancelled = 0 AND o.date BETWEEN $1 AND $2"
        if let made = report.made { condition += " AND o.made = \(made ? 1 : 0)" }
        if let paid = report.paid { condition += " AND o.paid = \(paid ? 1 : 0)" }
        return condition
    }

    /// The report's groups in its order.
    ///
    /// - Parameter key: the one group that is wanted; nil for all.
    static func groups(
        _ report: TotalsReport,
        of key: TotalsKey? = nil,
        _ session: Session
    ) throws(ServiceError) -> [TotalsGroup] {
        let period = try Period(from: report.from, through: report.through)
        let grouping = report.by
        var condition = condition(report)
        var values: [Value] = [.text(period.from), .text(period.through)]
        if let key {
            condition += " AND o.currency = $3 AND \(key.condition)"
            values += [.text(key.currency)] + key.values
        }
        let sql =
            switch grouping {
            case .customer:
                """
                SELECT o.customer, n.name, n.reference, count(*), cast(sum(o.total) AS BIGINT), o.currency
                FROM orders o LEFT JOIN names n ON n.id = o.customer WHERE \(condition)
                GROUP BY o.customer, o.currency ORDER BY coalesce(n.name_key, x''), o.customer, o.currency
                """
            case .service:
                """
                SELECT r.service, n.name, n.reference, count(DISTINCT o.id), cast(sum(r.sum) AS BIGINT), o.currency
                FROM order_rows r JOIN orders o ON o.id = r."order" LEFT JOIN names n ON n.id = r.service
                WHERE \(condition)
                GROUP BY r.service, o.currency ORDER BY coalesce(n.name_key, x''), r.service, o.currency
                """
            case .month, .year:
                """
                SELECT NULL, substr(o.date, 1, \(grouping == .month ? 7 : 4)), NULL, count(*),
                    cast(sum(o.total) AS BIGINT), o.currency
                FROM orders o WHERE \(condition)
                GROUP BY substr(o.date, 1, \(grouping == .month ? 7 : 4)), o.currency
                ORDER BY substr(o.date, 1, \(grouping == .month ? 7 : 4)), o.currency
                """
            }
        var groups: [TotalsGroup] = []
        try storing { () throws(StoreError) in
            try session.query(sql, values) { (row) throws(StoreError) in
                guard let currency = Currency(row.text(5)) else {
                    throw .fault("a currency of the report can't be read")
                }
                groups.append(
                    TotalsGroup(
                        id: row.id(0),
                        label: row.optionalText(1),
                        reference: row.optionalText(2),
                        orders: row.integer(3),
                        total: Money(amount: row.integer(4), currency: currency)
                    )
                )
            }
        }
        return groups
    }
}
