/// Exact sums of orders with their tax, grouped; cancelled orders don't count.
///
/// By service, each row counts with its share of its rate's tax, so that the groups add up to the total. Of one service,
/// only its rows count.
public struct TotalsReport: Request {
    public static let operation = "report.totals"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public enum Grouping: String, Codable, Sendable, Hashable, CaseIterable {
        case customer
        case service
        case day
        /// Of ISO 8601: Monday to Sunday.
        case week
        case month
        case quarter
        case year
    }

    public struct Reply: FramedReply, Hashable {
        /// By name for customers and services (collated), by time for days to years; then by currency. Where only the
        /// largest are asked for: by currency, the largest sum first.
        public var groups: [TotalsGroup]
        /// One for each currency, by its code: the sum of all groups, also of those that are not shown.
        public var totals: [Money]
        /// How many orders were counted, each once.
        public var orders: Int64
        /// What the report shows, where it was asked for a moment; in the first part only.
        public var asOf: AsOf.Reached?

        public init(groups: [TotalsGroup], totals: [Money], orders: Int64, asOf: AsOf.Reached? = nil) {
            self.groups = groups
            self.totals = totals
            self.orders = orders
            self.asOf = asOf
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(groups, of: count) {
                $1
                    ? Reply(groups: Array($0), totals: totals, orders: orders, asOf: asOf)
                    : Reply(groups: Array($0), totals: [], orders: 0)
            }
        }

        public mutating func append(_ part: Reply) {
            groups += part.groups
            totals += part.totals
            orders = Int64(clamping: Int128(orders) + Int128(part.orders))
        }
    }

    public var by: Grouping
    /// Inclusive; nil is open.
    public var from: CalendarDay?
    /// Inclusive; nil is open.
    public var through: CalendarDay?
    /// Only this customer's.
    public var customer: Identifier?
    /// Only rows of this service.
    public var service: Identifier?
    /// nil for both.
    public var made: Bool?
    /// nil for both.
    public var paid: Bool?
    /// Only so many groups of each currency, those with the largest sums; nil for all. At least 1.
    public var limit: Int?
    /// nil for now.
    public var asOf: AsOf?

    public init(
        by: Grouping,
        from: CalendarDay? = nil,
        through: CalendarDay? = nil,
        customer: Identifier? = nil,
        service: Identifier? = nil,
        made: Bool? = nil,
        paid: Bool? = nil,
        limit: Int? = nil,
        asOf: AsOf? = nil
    ) {
        self.by = by
        self.from = from
        self.through = through
        self.customer = customer
        self.service = service
        self.made = made
        self.paid = paid
        self.limit = limit
        self.asOf = asOf
    }
}

/// One line of a totals report.
public struct TotalsGroup: Codable, Sendable, Hashable {
    /// The customer or service; nil in the group of those without one, and for days to years.
    public var id: Identifier?
    /// `1996-07-04`, `1996-W27`, `1996-07`, `1996-Q3` or `1996`; or the name, now or then, of a customer or service; nil
    /// without one.
    public var label: String?
    /// How the customer or service is called elsewhere: tells two of one name apart.
    public var reference: String?
    /// The first day of the day, week, month, quarter or year; nil for customers and services.
    public var start: CalendarDay?
    /// Orders with something in this group.
    public var orders: Int64
    /// Tax included.
    public var total: Money
    /// The tax in the total.
    public var tax: Money

    /// - Parameter tax: nil for none.
    public init(
        id: Identifier?,
        label: String?,
        reference: String?,
        start: CalendarDay? = nil,
        orders: Int64,
        total: Money,
        tax: Money? = nil
    ) {
        self.id = id
        self.label = label
        self.reference = reference
        self.start = start
        self.orders = orders
        self.total = total
        self.tax = tax ?? .zero(total.currency)
    }

    /// The total without its tax; nil where that is no amount.
    public var net: Money? { try? total.subtracting(tax) }

    /// The largest of each currency, the largest first; those of one sum stay in their order. By currency.
    ///
    /// - Parameter limit: how many of each currency.
    public static func largest(of groups: [TotalsGroup], _ limit: Int) -> [TotalsGroup] {
        let places = groups.enumerated().sorted { first, second in
            let (left, right) = (first.element.total, second.element.total)
            if left.currency != right.currency { return left.currency.code < right.currency.code }
            return left.amount == right.amount ? first.offset < second.offset : left.amount > right.amount
        }
        var counts: [Currency: Int] = [:]
        return places.map(\.element).filter { group in
            counts[group.total.currency, default: 0] += 1
            return counts[group.total.currency, default: 0] <= limit
        }
    }
}

extension TotalsReport.Grouping {
    /// The days that a day is put together with, and what they are called; nil for customers and services.
    public func period(of day: CalendarDay) -> (from: CalendarDay, through: CalendarDay, label: String)? {
        switch self {
        case .customer, .service: return nil
        case .day: return (day, day, day.description)
        case .week:
            let monday = (try? day.adding(days: 1 - day.weekday.rawValue)) ?? day
            // The calendar ends on a Friday.
            let sunday = (try? monday.adding(days: 6)) ?? CalendarDay.last
            return (monday, sunday, day.week.description)
        case .month, .quarter, .year:
            let count = self == .month ? 1 : self == .quarter ? 3 : 12
            let first = (day.month - 1) / count * count + 1
            let last = first + count - 1
            let end = CalendarDay.days(inMonth: last, of: day.year)
            guard let from = try? CalendarDay(year: day.year, month: first, day: 1),
                let through = try? CalendarDay(year: day.year, month: last, day: end)
            else { return nil }
            let year = String(day.description.prefix(4))
            let month = String(day.description.prefix(7))
            return (from, through, self == .month ? month : self == .year ? year : "\(year)-Q\((last + 2) / 3)")
        }
    }
}
