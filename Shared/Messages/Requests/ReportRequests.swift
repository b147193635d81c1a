/// Orders made and not paid, by date, then the customer's name; cancelled ones don't count.
public struct UnpaidReport: Request {
    public static let operation = "report.unpaid"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public struct Reply: FramedReply, Hashable {
        public var orders: [ReportedOrder]
        /// What remains to be paid of all, one for each currency, by its code.
        public var totals: [Money]
        /// What the report shows, where it was asked for a moment; in the first part only.
        public var asOf: AsOf.Reached?

        public init(orders: [ReportedOrder], totals: [Money], asOf: AsOf.Reached? = nil) {
            self.orders = orders
            self.totals = totals
            self.asOf = asOf
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(orders, of: count) { Reply(orders: Array($0), totals: $1 ? totals : [], asOf: $1 ? asOf : nil) }
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
    /// Only this customer's.
    public var customer: Identifier?
    /// Only those with a row of this service; their amounts are the whole orders'.
    public var service: Identifier?
    /// nil for now.
    public var asOf: AsOf?

    public init(
        from: CalendarDay? = nil,
        through: CalendarDay? = nil,
        customer: Identifier? = nil,
        service: Identifier? = nil,
        asOf: AsOf? = nil
    ) {
        self.from = from
        self.through = through
        self.customer = customer
        self.service = service
        self.asOf = asOf
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
    /// The customer's name as it is now, or was then; nil where there is none.
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
