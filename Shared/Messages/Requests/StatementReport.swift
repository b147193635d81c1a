/// A customer's account over a period: what was charged and what was paid, with the balance before and after.
///
/// Made orders are charged at their dates. Payments count at theirs, also those for orders that are not made yet; where a
/// person's word made an order paid, what remained counts as paid on `paidOn`, or the order's date. Cancelled orders
/// don't count, and neither do their payments. So without an end, the balance is what `report.unpaid` says of the
/// customer, less what was paid in advance or too much.
public struct StatementReport: Request {
    public static let operation = "report.statement"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public struct Reply: FramedReply, Hashable {
        /// The customer's name, now or then; nil where it is not known.
        public var customerName: String?
        /// Of the period; by currency, then date, orders before payments, then number.
        public var entries: [StatementEntry]
        /// One for each currency, by its code.
        public var balances: [StatementBalance]
        /// What the report shows, where it was asked for a moment; in the first part only.
        public var asOf: AsOf.Reached?

        public init(
            customerName: String?,
            entries: [StatementEntry],
            balances: [StatementBalance],
            asOf: AsOf.Reached? = nil
        ) {
            self.customerName = customerName
            self.entries = entries
            self.balances = balances
            self.asOf = asOf
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(entries, of: count) {
                $1
                    ? Reply(customerName: customerName, entries: Array($0), balances: balances, asOf: asOf)
                    : Reply(customerName: nil, entries: Array($0), balances: [])
            }
        }

        public mutating func append(_ part: Reply) {
            entries += part.entries
            balances += part.balances
        }
    }

    public var customer: Identifier
    /// Inclusive; nil is open.
    public var from: CalendarDay?
    /// Inclusive; nil is open.
    public var through: CalendarDay?
    /// nil for now.
    public var asOf: AsOf?

    public init(customer: Identifier, from: CalendarDay? = nil, through: CalendarDay? = nil, asOf: AsOf? = nil) {
        self.customer = customer
        self.from = from
        self.through = through
        self.asOf = asOf
    }
}

/// One line of a statement.
public struct StatementEntry: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, Hashable {
        /// An order that is made: it is owed.
        case order
        /// What was paid for one.
        case payment
    }

    public var date: CalendarDay
    public var kind: Kind
    /// The order that it is about.
    public var order: Identifier
    public var number: Int64
    /// The year that the number counts in, where numbers start anew each year.
    public var numberYear: Int?
    /// What is owed more by it; negative for a payment.
    public var amount: Money
    /// What is owed after it.
    public var balance: Money

    public init(
        date: CalendarDay,
        kind: Kind,
        order: Identifier,
        number: Int64,
        numberYear: Int? = nil,
        amount: Money,
        balance: Money
    ) {
        self.date = date
        self.kind = kind
        self.order = order
        self.number = number
        self.numberYear = numberYear
        self.amount = amount
        self.balance = balance
    }

    /// The number as people write it: see ``Order/label``.
    public var label: String { Order.label(number, year: numberYear) }
}

/// What a customer owed before and after a period, in one currency: `opening + charged - paid == closing`.
public struct StatementBalance: Codable, Sendable, Hashable {
    /// Before the first day.
    public var opening: Money
    /// The sum of the period's orders.
    public var charged: Money
    /// The sum of the period's payments.
    public var paid: Money
    /// After the last day.
    public var closing: Money

    public init(opening: Money, charged: Money, paid: Money, closing: Money) {
        self.opening = opening
        self.charged = charged
        self.paid = paid
        self.closing = closing
    }
}
