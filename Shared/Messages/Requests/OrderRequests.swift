/// Notes that an order was printed for its customer: from then on it can only be cancelled, not deleted. Doing it again
/// changes nothing.
public struct PrintOrder: Request {
    public typealias Reply = Order
    public static let operation = "order.print"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .orders

    public var id: Identifier

    public init(id: Identifier) {
        self.id = id
    }
}

/// Enters a payment of an order, which is named by its id or its number: so it needs no look before, and may be sent later.
public struct PayOrder: Request {
    public typealias Reply = Order
    public static let operation = "order.pay"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .orders

    /// The order's; or else `number`.
    public var order: Identifier?
    public var number: Int64?
    /// The year that the number counts in; nil for whatever order has the number alone.
    public var numberYear: Int?
    /// The order's, so that an amount is never taken for one of another.
    public var currency: Currency
    public var payment: Payment

    public init(order: Identifier, currency: Currency, payment: Payment) {
        self.order = order
        self.currency = currency
        self.payment = payment
    }

    public init(number: Int64, year: Int?, currency: Currency, payment: Payment) {
        self.number = number
        numberYear = year
        self.currency = currency
        self.payment = payment
    }
}

/// Accounts for the numbers of orders: each from 1 to the last is an order's, or that of one that was deleted.
public struct OrderNumbers: Request {
    public static let operation = "order.numbers"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .orders

    /// The most numbers of a page, and how many it has where no limit is given.
    public static let longestPage = 1000

    public enum State: String, Codable, Sendable, Hashable {
        case kept
        case cancelled
        case deleted
    }

    public struct Number: Codable, Sendable, Hashable {
        public var number: Int64
        /// The order's.
        public var id: Identifier
        /// The order's; of a deleted one the last it had.
        public var date: CalendarDay
        public var state: State
        /// When it was deleted.
        public var deleted: Instant?

        public init(number: Int64, id: Identifier, date: CalendarDay, state: State, deleted: Instant? = nil) {
            self.number = number
            self.id = id
            self.date = date
            self.state = state
            self.deleted = deleted
        }
    }

    public struct Reply: Codable, Sendable, Hashable {
        /// Rising by one.
        public var numbers: [Number]
        /// The years in which numbers began anew.
        public var years: [Int]
        /// Given as `after` it continues; nil on the last page.
        public var next: Int64?

        public init(numbers: [Number], years: [Int], next: Int64?) {
            self.numbers = numbers
            self.years = years
            self.next = next
        }
    }

    /// The year they count in; nil for those that run on over the years.
    public var year: Int?
    public var after: Int64?
    /// 1 to ``longestPage``.
    public var limit: Int?

    public init(year: Int? = nil, after: Int64? = nil, limit: Int? = nil) {
        self.year = year
        self.after = after
        self.limit = limit
    }
}

/// Changes many orders in the same way: all of them, or none.
public struct SetOrders: Request {
    public static let operation = "order.set"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .orders

    /// The most orders of one command: their events are one transaction, during which nobody else is served.
    public static let mostOrders = 10_000

    /// An order, as it was seen.
    public struct Target: Codable, Sendable, Hashable {
        public var id: Identifier
        /// The version that was seen: an order changed since is a conflict. nil takes it as it is.
        public var version: Int?

        public init(id: Identifier, version: Int? = nil) {
            self.id = id
            self.version = version
        }
    }

    /// What is changed; nil leaves it.
    public struct Change: Codable, Sendable, Hashable {
        public var made: Bool?
        /// Of the orders that become made by this.
        public var madeOn: CalendarDay?
        public var paid: Bool?
        /// Of the orders that become paid by this.
        public var paidOn: CalendarDay?
        public var cancelled: Bool?
        public var due: CalendarDay?

        public init(
            made: Bool? = nil,
            madeOn: CalendarDay? = nil,
            paid: Bool? = nil,
            paidOn: CalendarDay? = nil,
            cancelled: Bool? = nil,
            due: CalendarDay? = nil
        ) {
            self.made = made
            self.madeOn = madeOn
            self.paid = paid
            self.paidOn = paidOn
            self.cancelled = cancelled
            self.due = due
        }

        /// Changes an order.
        public func apply(to order: inout Order) {
            if let made, made != order.made { (order.made, order.madeOn) = (made, made ? madeOn : nil) }
            if let paid, paid != order.paid { (order.paid, order.paidOn) = (paid, paid ? paidOn : nil) }
            if let cancelled { order.cancelled = cancelled ? true : nil }
            if let due { order.due = due }
        }
    }

    public struct Reply: Codable, Sendable, Hashable {
        /// How many were named.
        public var orders: Int
        /// How many were not so already.
        public var changed: Int

        public init(orders: Int, changed: Int) {
            self.orders = orders
            self.changed = changed
        }
    }

    /// Up to ``mostOrders``.
    public var orders: [Target]
    public var change: Change

    public init(orders: [Target], change: Change) {
        self.orders = orders
        self.change = change
    }
}

/// Finds which of some walks are billed by orders.
public struct FindBilledWalks: Request {
    public static let operation = "order.billed-walks"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = .orders

    /// So many can be asked for at a time.
    public static let mostWalks = 5000

    public struct Reply: Codable, Sendable, Hashable {
        /// In the order of the walks that were asked for.
        public var billed: [BilledWalk]

        public init(billed: [BilledWalk]) {
            self.billed = billed
        }
    }

    public var walks: [Identifier]

    public init(walks: [Identifier]) {
        self.walks = walks
    }
}
