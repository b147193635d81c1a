internal import LiveList
internal import Messages
internal import Service
internal import Store

/// A group of the totals: what an order touches when it changes.
///
/// As text it is `customer/018e…/EUR`, with nothing between the slashes for those without one; `month/1996-07-01/EUR`.
struct TotalsKey: Hashable {
    var by: TotalsReport.Grouping
    /// The customer's or service's id, empty for none, or the first day.
    var group: String
    /// Its code.
    var currency: String

    init(by: TotalsReport.Grouping, id: Identifier?, currency: String) {
        self.by = by
        group = id?.description ?? ""
        self.currency = currency
    }

    init(by: TotalsReport.Grouping, start: CalendarDay, currency: String) {
        self.by = by
        group = start.description
        self.currency = currency
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let by = TotalsReport.Grouping(rawValue: parts[0]) else { return nil }
        (self.by, group, currency) = (by, parts[1], parts[2])
    }

    var row: TouchedRow { TouchedRow(key: "\(by.rawValue)/\(group)/\(currency)") }

    /// The groups that an order has a part in.
    static func groups(_ order: OrderFact) -> [TotalsKey] {
        var keys = [TotalsKey(by: .customer, id: order.customer, currency: order.currency)]
        keys += Set(order.rows.map(\.service)).map { TotalsKey(by: .service, id: $0, currency: order.currency) }
        guard let day = CalendarDay(order.date) else { return keys }
        for by in TotalsReport.Grouping.allCases {
            if let start = by.period(of: day)?.from {
                keys.append(TotalsKey(by: by, start: start, currency: order.currency))
            }
        }
        return keys
    }
}

extension TotalsQuestion {
    /// The same of this group alone; nil where the group has no part in it.
    func of(_ key: TotalsKey) -> TotalsQuestion? {
        guard key.by == by else { return nil }
        var question = self
        question.currency = key.currency
        switch by {
        case .customer:
            let id = Identifier(key.group)
            if case .only(let other) = customer, other != id { return nil }
            question.customer = .only(id)
        case .service:
            let id = Identifier(key.group)
            if case .only(let other) = service, other != id { return nil }
            question.service = .only(id)
        default:
            guard let start = CalendarDay(key.group), let period = by.period(of: start) else { return nil }
            let first = max(from ?? period.from, period.from)
            let last = min(through ?? period.through, period.through)
            guard first <= last else { return nil }
            (question.from, question.through) = (first, last)
        }
        return question
    }
}

extension Reporting {
    /// The sums as a live list: a group comes with its first order, goes with its last, and has its customer's or
    /// service's name as it is now.
    static let totalsList = ListSource(
        report: "totals",
        of: TotalsReport.self,
        columns: [
            ListSchema.Column("label", .text), ListSchema.Column("group", .id), ListSchema.Column("reference", .text),
            ListSchema.Column("orders", .integer), ListSchema.Column("total", .integer),
            ListSchema.Column("currency", .text),
        ],
        sort: [SortKey("label"), SortKey("group"), SortKey("currency")],
        check: { (report) throws(ServiceError) in
            _ = try Period(from: report.from, through: report.through)
            try checkIsOfNow(report.asOf)
            guard report.limit == nil else {
                throw .invalid(
                    field: "parameters",
                    "a live list shows all groups, or a window of them: leave limit out"
                )
            }
        },
        row: { (report, touched, session) throws(ServiceError) in
            guard let key = touched.key.flatMap(TotalsKey.init),
                let question = try TotalsQuestion(report, asOf: nil).of(key)
            else { return nil }
            return try Totals.groups(question, session).first.map { (group) throws(ServiceError) in
                try totalsRow(group, report.by)
            }
        },
        rows: { (report, session, each) throws(ServiceError) in
            let question = try TotalsQuestion(report, asOf: nil)
            for group in try Totals.groups(question, session) { each(try totalsRow(group, report.by)) }
        }
    )

    private static func totalsRow(
        _ group: TotalsGroup,
        _ by: TotalsReport.Grouping
    ) throws(ServiceError) -> ListSource.Row {
        let currency = group.total.currency.code
        let key =
            group.start.map { TotalsKey(by: by, start: $0, currency: currency) }
            ?? TotalsKey(by: by, id: group.id, currency: currency)
        let values: [FieldValue] = [
            .text(of: group.label), group.id.map(FieldValue.id) ?? .absent, .text(of: group.reference),
            .integer(group.orders), .integer(group.total.amount), .text(of: currency),
        ]
        return (RowValues(id: key.row.id, values), try encodedRow(group))
    }
}
