internal import LiveList
internal import Messages
internal import Service
internal import Store

/// A group of the totals: what an order touches when it changes.
///
/// As text it is `customer/018e…/EUR`, with nothing between the slashes for those without one; `month/1996-07/EUR`.
struct TotalsKey: Hashable {
    var by: TotalsReport.Grouping
    /// The customer's or service's id, the month or the year; empty for none.
    var group: String
    /// Its code.
    var currency: String

    init(by: TotalsReport.Grouping, group: String, currency: String) {
        self.by = by
        self.group = group
        self.currency = currency
    }

    init(by: TotalsReport.Grouping, id: Identifier?, currency: String) {
        self.init(by: by, group: id?.description ?? "", currency: currency)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let by = TotalsReport.Grouping(rawValue: parts[0]) else { return nil }
        self.init(by: by, group: parts[1], currency: parts[2])
    }

    var row: TouchedRow { TouchedRow(key: "\(by.rawValue)/\(group)/\(currency)") }

    /// What holds for the group's orders, beside the currency; with `values` as $4 and behind.
    var condition: String {
        switch by {
        case .customer: "o.customer IS $4"
        case .service: "r.service IS $4"
        case .month, .year: "o.date BETWEEN $4 AND $5"
        }
    }

    var values: [Value] {
        switch by {
        case .customer, .service: [.optional(Identifier(group))]
        case .month, .year: [.text("\(group)-00"), .text("\(group)-99")]
        }
    }

    /// The groups that an order has a part in.
    ///
    /// - Parameter date: as ISO 8601 text.
    static func groups(
        date: String,
        currency: String,
        customer: Identifier?,
        services: Set<Identifier?>
    ) -> [TotalsKey] {
        [
            TotalsKey(by: .year, group: String(date.prefix(4)), currency: currency),
            TotalsKey(by: .month, group: String(date.prefix(7)), currency: currency),
            TotalsKey(by: .customer, id: customer, currency: currency),
        ] + services.map { TotalsKey(by: .service, id: $0, currency: currency) }
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
        check: { (report) throws(ServiceError) in _ = try Period(from: report.from, through: report.through) },
        row: { (report, touched, session) throws(ServiceError) in
            guard let key = touched.key.flatMap(TotalsKey.init), key.by == report.by else { return nil }
            return try Totals.groups(report, of: key, session).first.map { (group) throws(ServiceError) in
                try totalsRow(group, report.by)
            }
        },
        rows: { (report, session, each) throws(ServiceError) in
            for group in try Totals.groups(report, session) { each(try totalsRow(group, report.by)) }
        }
    )

    private static func totalsRow(
        _ group: TotalsGroup,
        _ by: TotalsReport.Grouping
    ) throws(ServiceError) -> ListSource.Row {
        let currency = group.total.currency.code
        let key =
            switch by {
            case .customer, .service: TotalsKey(by: by, id: group.id, currency: currency)
            case .month, .year: TotalsKey(by: by, group: group.label ?? "", currency: currency)
            }
        let values: [FieldValue] = [
            .text(of: group.label), group.id.map(FieldValue.id) ?? .absent, .text(of: group.reference),
            .integer(group.orders), .integer(group.total.amount), .text(of: currency),
        ]
        return (RowValues(id: key.row.id, values), try encodedRow(group))
    }
}
