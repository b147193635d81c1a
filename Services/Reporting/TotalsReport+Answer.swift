internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func totals(_ report: TotalsReport, _ reading: Reading) throws(ServiceError) -> TotalsReport.Reply
    {
        let reached = try report.asOf.map { (asOf) throws(ServiceError) in try Moments.reached(asOf, reading) }
        if let limit = report.limit, limit < 1 {
            throw .invalid(field: "limit", found: "\(limit)", "at least one group is asked for, not \(limit)")
        }
        let question = try TotalsQuestion(report, asOf: reached)
        let groups = try Totals.groups(question, reading.session)
        return TotalsReport.Reply(
            groups: report.limit.map { TotalsGroup.largest(of: groups, $0) } ?? groups,
            totals: try Totals.byCurrency(groups.map(\.total)),
            orders: try Totals.orders(question, reading.session),
            asOf: reached
        )
    }
}

/// What sums are asked for.
struct TotalsQuestion {
    /// Whose orders or rows count; where nobody is meant, those without a customer or service.
    enum Choice {
        case all
        case only(Identifier?)

        init(_ id: Identifier?) { self = id.map { .only($0) } ?? .all }

        var isOne: Bool { if case .only = self { true } else { false } }
    }

    var by: TotalsReport.Grouping
    /// Both included.
    var from: CalendarDay?
    var through: CalendarDay?
    var customer: Choice
    var service: Choice
    var made: Bool?
    var paid: Bool?
    /// Only this currency's.
    var currency: String?
    /// nil for now.
    var asOf: AsOf.Reached?

    init(_ report: TotalsReport, asOf: AsOf.Reached?) throws(ServiceError) {
        _ = try Period(from: report.from, through: report.through)
        by = report.by
        (from, through) = (report.from, report.through)
        customer = Choice(report.customer)
        service = Choice(report.service)
        (made, paid) = (report.made, report.paid)
        self.asOf = asOf
    }

    /// Which kept sums answer it; nil where it has to be added up: as of a moment, and of customers and services for both
    /// at once, for parts of months, or by days or weeks.
    var kept: KeptSums.Kind? {
        guard asOf == nil else { return nil }
        let isByCustomer = by == .customer || customer.isOne
        let isByService = by == .service || service.isOne
        guard isByCustomer || isByService else { return .all }
        if isByCustomer, isByService { return nil }
        if by == .day || by == .week { return nil }
        if let from, from.day != 1 { return nil }
        if let through, through.day != CalendarDay.days(inMonth: through.month, of: through.year) { return nil }
        return isByCustomer ? .customer : .service
    }

    /// Whether rows are added up, not orders.
    var isOfRows: Bool { by == .service || service.isOne }
}

enum Totals {
    /// One sum for each currency, by its code. Never across currencies.
    static func byCurrency(_ amounts: [Money]) throws(ServiceError) -> [Money] {
        var totals: [Currency: Int128] = [:]
        for amount in amounts { totals[amount.currency, default: 0] += Int128(amount.amount) }
        var sums: [Money] = []
        for (currency, total) in totals.sorted(by: { $0.key.code < $1.key.code }) {
            guard let amount = Int64(exactly: total) else { throw .store(.overflow) }
            sums.append(Money(amount: amount, currency: currency))
        }
        return sums
    }

    /// How many orders count, each once.
    static func orders(_ question: TotalsQuestion, _ session: Session) throws(ServiceError) -> Int64 {
        var parameters = Parameters()
        var whole = question
        // By service, an order counts in several groups.
        if question.by == .service, !question.service.isOne { whole.by = .year }
        let sql: String
        if let kind = whole.kept {
            let condition = KeptSums.condition(whole, kind, &parameters)
            sql = "SELECT coalesce(cast(sum(s.orders) AS BIGINT), 0) FROM kept_sums s WHERE \(condition)"
        } else {
            let source = Addition(whole, &parameters).source
            sql = "SELECT \(whole.isOfRows ? "count(DISTINCT o.id)" : "count(*)") FROM \(source)"
        }
        return try storing { () throws(StoreError) in
            try session.first(sql, parameters.values) { $0.integer(0) } ?? 0
        }
    }

    /// The groups, by name or time, then by currency.
    static func groups(_ question: TotalsQuestion, _ session: Session) throws(ServiceError) -> [TotalsGroup] {
        var parameters = Parameters()
        let sql =
            if let kind = question.kept { KeptSums.sums(question, kind, &parameters) } else {
                Addition(question, &parameters).sums
            }
        var sums: [SumRow] = []
        try storing { () throws(StoreError) in
            try session.query(sql, parameters.values) { (row) throws(StoreError) in sums.append(try SumRow(row)) }
        }
        let isByTime = question.by != .customer && question.by != .service
        if isByTime { sums = try joined(sums, question.by) }
        return try sums.map { (sum) throws(ServiceError) in try sum.group() }
    }

    /// Sums of days or months put together to those of longer times.
    private static func joined(
        _ sums: [SumRow],
        _ by: TotalsReport.Grouping
    ) throws(ServiceError) -> [SumRow] {
        struct Place: Hashable {
            var start: CalendarDay
            var currency: Currency
        }
        var joined: [Place: SumRow] = [:]
        for var sum in sums {
            // A month stands for its first day.
            let text = sum.label ?? ""
            guard let day = CalendarDay(text.utf8.count == 7 ? "\(text)-01" : text), let period = by.period(of: day)
            else { throw .store(.fault("a day of the report can't be read")) }
            (sum.start, sum.label) = (period.from, period.label)
            let place = Place(start: period.from, currency: sum.currency)
            joined[place] = joined[place].map { $0.adding(sum) } ?? sum
        }
        return joined.sorted { first, second in
            let (left, right) = (first.key, second.key)
            return left.start == right.start ? left.currency.code < right.currency.code : left.start < right.start
        }.map(\.value)
    }
}

/// A group's sums as the store gives them.
private struct SumRow {
    var id: Identifier?
    /// The name, or the day or month.
    var label: String?
    var reference: String?
    var start: CalendarDay?
    var orders: Int64
    var total: KeptSums.Halves
    var tax: KeptSums.Halves
    var currency: Currency

    init(_ row: borrowing Row) throws(StoreError) {
        guard let currency = Currency(row.text(8)) else { throw .fault("a currency of the report can't be read") }
        id = row.id(0)
        label = row.optionalText(1)
        reference = row.optionalText(2)
        orders = row.integer(3)
        total = KeptSums.Halves(high: row.integer(4), low: row.integer(5))
        tax = KeptSums.Halves(high: row.integer(6), low: row.integer(7))
        self.currency = currency
    }

    func adding(_ other: SumRow) -> SumRow {
        var sum = self
        sum.orders += other.orders
        sum.total.add(other.total)
        sum.tax.add(other.tax)
        return sum
    }

    func group() throws(ServiceError) -> TotalsGroup {
        guard let total = total.amount, let tax = tax.amount else { throw .store(.overflow) }
        return TotalsGroup(
            id: id,
            label: label,
            reference: reference,
            start: start,
            orders: orders,
            total: Money(amount: total, currency: currency),
            tax: Money(amount: tax, currency: currency)
        )
    }
}
