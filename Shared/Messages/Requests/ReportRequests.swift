/// Orders made and not paid, by date, then the customer's name; cancelled ones don't count.
public struct UnpaidReport: Request {
    public static let operation = "report.unpaid"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public struct Reply: FramedReply, Hashable {
        public var orders: [ReportedOrder]
        /// What remains to be paid of all, one for each currency, by its code.
        public var totals: [Money]

        public init(orders: [ReportedOrder], totals: [Money]) {
            self.orders = orders
            self.totals = totals
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(orders, of: count) { Reply(orders: Array($0), totals: $1 ? totals : []) }
        }

        public mutating func append(_ part: Reply) {
            orders += part.orders
            totals += part.totals
        }
    }

    /// Inclusive; nil is open.
    public var from: CalendarDay?
    /// Inclusive; nil is open.
    public var through: CalendarDay?

    public init(from: CalendarDay? = nil, through: CalendarDay? = nil) {
        self.from = from
        self.through = through
    }
}

/// An order as a report shows it.
public struct ReportedOrder: Codable, Sendable, Hashable {
    public var id: Identifier
    public var number: Int64
    /// The year that the number counts in, where numbers start anew each year.
    public var numberYear: Int?
    public var date: CalendarDay
    public var due: CalendarDay?
    public var customer: Identifier?
    /// The customer's name as it is now; nil where there is none.
    public var customerName: String?
    public var total: Money
    /// What remains to be paid of the total.
    public var open: Money

    public init(
        id: Identifier,
        number: Int64,
        numberYear: Int? = nil,
        date: CalendarDay,
        due: CalendarDay? = nil,
        customer: Identifier?,
        customerName: String?,
        total: Money,
        open: Money
    ) {
        self.id = id
        self.number = number
        self.numberYear = numberYear
        self.date = date
        self.due = due
        self.customer = customer
        self.customerName = customerName
        self.total = total
        self.open = open
    }

    /// The number as people write it: see ``Order/label``.
    public var label: String { Order.label(number, year: numberYear) }
}

/// Exact sums of orders' rows with their tax, grouped; cancelled orders don't count.
///
/// By service, each row counts with its share of its rate's tax, so that the groups add up to the total.
public struct TotalsReport: Request {
    public static let operation = "report.totals"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public enum Grouping: String, Codable, Sendable, Hashable, CaseIterable {
        case customer
        case service
        case month
        case year
    }

    public struct Reply: FramedReply, Hashable {
        /// By name for customers and services (collated), by time for months and years; then by currency.
        public var groups: [TotalsGroup]
        /// One for each currency, by its code: the sum of the groups.
        public var totals: [Money]
        /// How many orders were counted, each once.
        public var orders: Int64

        public init(groups: [TotalsGroup], totals: [Money], orders: Int64) {
            self.groups = groups
            self.totals = totals
            self.orders = orders
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(groups, of: count) { Reply(groups: Array($0), totals: $1 ? totals : [], orders: $1 ? orders : 0) }
        }

        public mutating func append(_ part: Reply) {
            groups += part.groups
            totals += part.totals
            orders += part.orders
        }
    }

    public var by: Grouping
    /// Inclusive; nil is open.
    public var from: CalendarDay?
    /// Inclusive; nil is open.
    public var through: CalendarDay?
    /// nil for both.
    public var made: Bool?
    /// nil for both.
    public var paid: Bool?

    public init(
        by: Grouping,
        from: CalendarDay? = nil,
        through: CalendarDay? = nil,
        made: Bool? = nil,
        paid: Bool? = nil
    ) {
        self.by = by
        self.from = from
        self.through = through
        self.made = made
        self.paid = paid
    }
}

/// One line of a totals report.
public struct TotalsGroup: Codable, Sendable, Hashable {
    /// The customer or service; nil in the group of those without one, and for months and years.
    public var id: Identifier?
    /// `1996-07` for a month, `1996` for a year, the name now for a customer or service; nil without one.
    public var label: String?
    /// How the customer or service is called elsewhere: tells two of one name apart.
    public var reference: String?
    /// Orders with something in this group.
    public var orders: Int64
    public var total: Money

    public init(id: Identifier?, label: String?, reference: String?, orders: Int64, total: Money) {
        self.id = id
        self.label = label
        self.reference = reference
        self.orders = orders
        self.total = total
    }
}
