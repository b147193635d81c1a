internal import LiveList
internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func statement(
        _ report: StatementReport,
        _ reading: Reading
    ) throws(ServiceError) -> StatementReport.Reply {
        let reached = try report.asOf.map { (asOf) throws(ServiceError) in try Moments.reached(asOf, reading) }
        let lines = try StatementQuestion(report, asOf: reached).lines(reading.session)
        do throws(AmountError) {
            return try StatementReport.Reply(of: lines.map(\.line), asOf: reached)
        } catch {
            throw .store(.overflow)
        }
    }

    /// What statements are made of, as a live list of one customer.
    static let statementList = ListSource(
        report: "statement",
        of: StatementReport.self,
        columns: [
            ListSchema.Column("kind", .text), ListSchema.Column("date", .day), ListSchema.Column("order", .id),
            ListSchema.Column("number", .integer), ListSchema.Column("numberYear", .integer),
            ListSchema.Column("position", .integer), ListSchema.Column("amount", .integer),
            ListSchema.Column("currency", .text),
        ],
        sort: ["currency", "date", "kind", "numberYear", "number", "order", "position"].map { SortKey($0) },
        check: { (report) throws(ServiceError) in
            _ = try Period(from: report.from, through: report.through)
            try checkIsOfNow(report.asOf)
        },
        row: { (report, touched, session) throws(ServiceError) in
            // Most of what is touched is another customer's: nothing is read for it.
            guard let key = touched.key.flatMap(StatementKey.init), key.customer == report.customer else { return nil }
            return try StatementQuestion(report, asOf: nil, only: key.part).lines(session).first.map(statementRow)
        },
        rows: { (report, session, each) throws(ServiceError) in
            for line in try StatementQuestion(report, asOf: nil).lines(session) { each(try statementRow(line)) }
        }
    )

    @Sendable private static func statementRow(_ keyed: StatementQuestion.Line) throws(ServiceError) -> ListSource.Row {
        let line = keyed.line
        let values: [FieldValue] = [
            .text(of: line.kind.rawValue), line.date.map(FieldValue.day) ?? .absent,
            line.order.map(FieldValue.id) ?? .absent, line.number.map(FieldValue.integer) ?? .absent,
            line.numberYear.map { .integer(Int64($0)) } ?? .absent, .integer(keyed.key.position),
            line.amount.map { .integer($0.amount) } ?? .absent, .text(of: line.amount?.currency.code),
        ]
        return (RowValues(id: keyed.key.row.id, values), try encodedRow(line))
    }
}

/// A line of a customer's statement: what an order touches when it changes.
///
/// As text it is `018e…/opening/EUR`, `018e…/order/018f…`, `018e…/payment/018f…/0`, beginning with the customer's id.
struct StatementKey: Hashable {
    enum Part: Hashable {
        case customer
        /// In the currency of this code.
        case opening(String)
        case order(Identifier)
        /// With the payment's place in its order.
        case payment(Identifier, Int64)
    }

    var customer: Identifier
    var part: Part

    init(_ customer: Identifier, _ part: Part) {
        self.customer = customer
        self.part = part
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/").map(String.init)
        guard parts.count > 1, let customer = Identifier(parts[0]) else { return nil }
        self.customer = customer
        switch (parts[1], parts.count) {
        case ("customer", 2): part = .customer
        case ("opening", 3): part = .opening(parts[2])
        case ("order", 3):
            guard let order = Identifier(parts[2]) else { return nil }
            part = .order(order)
        case ("payment", 4):
            guard let order = Identifier(parts[2]), let position = Int64(parts[3]) else { return nil }
            part = .payment(order, position)
        default: return nil
        }
    }

    var row: TouchedRow {
        let text =
            switch part {
            case .customer: "customer"
            case .opening(let currency): "opening/\(currency)"
            case .order(let order): "order/\(order)"
            case .payment(let order, let position): "payment/\(order)/\(position)"
            }
        return TouchedRow(key: "\(customer)/\(text)")
    }

    /// A payment's place in its order.
    var position: Int64 { if case .payment(_, let position) = part { position } else { 0 } }

    /// The lines that an order has a part in.
    static func keys(_ order: OrderFact) -> [StatementKey] {
        guard let customer = order.customer else { return [] }
        let parts =
            [.opening(order.currency), .order(order.id)]
            + order.payments.indices.map { Part.payment(order.id, Int64($0)) }
        return parts.map { StatementKey(customer, $0) }
    }
}

/// What lines of a statement are asked for.
struct StatementQuestion {
    typealias Line = (key: StatementKey, line: StatementLine)

    private let report: StatementReport
    private let period: Period
    private let asOf: AsOf.Reached?
    private let part: StatementKey.Part?

    /// - Parameter part: the one line that is asked for; nil for all.
    init(_ report: StatementReport, asOf: AsOf.Reached?, only part: StatementKey.Part? = nil) throws(ServiceError) {
        self.report = report
        period = try Period(from: report.from, through: report.through)
        self.asOf = asOf
        self.part = part
    }

    /// The lines in the order of the list.
    func lines(_ session: Session) throws(ServiceError) -> [Line] {
        var lines: [Line] = []
        if part == nil || part == .customer, let name = try customerName(session) {
            lines.append((StatementKey(report.customer, .customer), StatementLine(customerName: name)))
        }
        if part == .customer { return lines }
        var opening: (currency: Currency, amount: Int128)?
        var parameters = Parameters()
        let sql = entries(&parameters)
        try storing { () throws(StoreError) in
            func open() throws(StoreError) {
                guard let (currency, sum) = opening else { return }
                guard let amount = Int64(exactly: sum) else { throw .overflow }
                let key = StatementKey(report.customer, .opening(currency.code))
                lines.append((key, StatementLine(opening: Money(amount: amount, currency: currency))))
                opening = nil
            }
            try session.query(sql, parameters.values) { (row) throws(StoreError) in
                let entry = try Entry(row)
                if entry.date.description < period.from {
                    if opening?.currency != entry.currency { try open() }
                    opening = (entry.currency, (opening?.amount ?? 0) + entry.amount)
                } else {
                    try open()
                    lines.append(try entry.line(of: report.customer))
                }
            }
            try open()
        }
        return lines
    }

    private func customerName(_ session: Session) throws(ServiceError) -> String? {
        var parameters = Parameters()
        let view = FactView(asOf, &parameters)
        let sql = "SELECT n.name FROM \(view.names) n WHERE n.id = \(parameters.add(.id(report.customer)))"
        return try storing { () throws(StoreError) in try session.first(sql, parameters.values) { $0.text(0) } }
    }

    /// Orders and payments up to the period's end, those before it included.
    private func entries(_ parameters: inout Parameters) -> String {
        let view = FactView(asOf, &parameters)
        var common = "o.customer = \(parameters.add(.id(report.customer))) AND o.cancelled = 0"
        let through = parameters.add(.text(period.through))
        var (orders, payments) = ("o.made = 1 AND o.date <= \(through)", "p.date <= \(through)")
        switch part {
        case nil, .customer: break
        case .opening(let currency):
            let from = parameters.add(.text(period.from))
            common += " AND o.currency = \(parameters.add(.text(currency)))"
            orders += " AND o.date < \(from)"
            payments += " AND p.date < \(from)"
        case .order(let order):
            common += " AND o.id = \(parameters.add(.id(order)))"
            orders += " AND o.date >= \(parameters.add(.text(period.from)))"
            payments = "0 = 1"
        case .payment(let order, let position):
            common += " AND o.id = \(parameters.add(.id(order)))"
            payments += " AND p.date >= \(parameters.add(.text(period.from)))"
            payments += " AND p.position = \(parameters.add(.integer(position)))"
            orders = "0 = 1"
        }
        return """
            SELECT o.currency, o.date AS date, 0 AS kind, o.id, o.number, o.number_year, 0 AS position, o.total
            FROM \(view.orders) o WHERE \(common) AND \(orders)
            UNION ALL
            SELECT o.currency, p.date, 1, o.id, o.number, o.number_year, p.position, p.amount
            FROM \(view.orders) o JOIN \(view.payments) p ON p."order" = o.id WHERE \(common) AND \(payments)
            ORDER BY 1, 2, 3, 6, 5, 4, 7
            """
    }

    /// An order or a payment as the store gives it.
    private struct Entry {
        let currency: Currency
        let date: CalendarDay
        private let order: Identifier
        private let number: Int64
        private let numberYear: Int?
        /// A payment's place in its order; nil for an order.
        private let position: Int64?
        /// What is owed more by it.
        let amount: Int128

        init(_ row: borrowing Row) throws(StoreError) {
            guard let currency = Currency(row.text(0)), let date = CalendarDay(row.text(1)), let id = row.id(3) else {
                throw .fault("an entry of the statement can't be read")
            }
            (self.currency, self.date, order) = (currency, date, id)
            number = row.integer(4)
            numberYear = row.isNull(5) ? nil : Int(row.integer(5))
            position = row.integer(2) == 1 ? row.integer(6) : nil
            amount = Int128(row.integer(7)) * (position == nil ? 1 : -1)
        }

        func line(of customer: Identifier) throws(StoreError) -> Line {
            guard let amount = Int64(exactly: amount) else { throw .overflow }
            let line = StatementLine(
                position == nil ? .order : .payment,
                date: date,
                order: order,
                number: number,
                numberYear: numberYear,
                amount: Money(amount: amount, currency: currency)
            )
            return (StatementKey(customer, position.map { .payment(order, $0) } ?? .order(order)), line)
        }
    }
}
