/// One row of an order: a service and what it costs, or just a sum.
public struct OrderRow: Codable, Hashable, Sendable {
    public var id: Identifier
    public var service: Identifier?
    /// The name of `service` as it is known; set by the orders service.
    public var serviceName: String?
    /// What the row is for, beside the service or where there is none; up to 200 characters.
    public var text: String?
    public var quantity: Quantity?
    /// For one, in minor units of the order's currency; goes with a quantity.
    public var unitPrice: Int64?
    /// The tax that is added to the sum, or that it holds where the order says so; nil where none is stated.
    public var taxRate: TaxRate?
    /// In minor units of the order's currency; may be negative. Where there is a unit price, the orders service sets it:
    /// quantity times price, rounded half away from zero.
    public var sum: Int64

    public init(
        id: Identifier = .make(),
        service: Identifier? = nil,
        serviceName: String? = nil,
        text: String? = nil,
        quantity: Quantity? = nil,
        unitPrice: Int64? = nil,
        taxRate: TaxRate? = nil,
        sum: Int64
    ) {
        self.id = id
        self.service = service
        self.serviceName = serviceName
        self.text = text
        self.quantity = quantity
        self.unitPrice = unitPrice
        self.taxRate = taxRate
        self.sum = sum
    }
}

/// What was paid for an order on a day.
public struct Payment: Codable, Hashable, Sendable {
    public var id: Identifier
    public var date: CalendarDay
    /// In minor units of the order's currency, never 0; negative for what was given back.
    public var amount: Int64
    public var note: String?

    public init(id: Identifier = .make(), date: CalendarDay, amount: Int64, note: String? = nil) {
        self.id = id
        self.date = date
        self.amount = amount
        self.note = note
    }
}

/// A dog's part in a walk, as an order bills it.
public struct BilledWalk: Codable, Hashable, Sendable {
    public var walk: Identifier
    public var dog: Identifier
    /// The order's row that bills it: with it, the walk is free again. nil where none does alone.
    public var row: Identifier?
    /// The walk's running number, for people.
    public var number: Int64?

    public init(walk: Identifier, dog: Identifier, row: Identifier? = nil, number: Int64? = nil) {
        self.walk = walk
        self.dog = dog
        self.row = row
        self.number = number
    }

    /// The same dog's part in the same walk, whatever bills it.
    public var part: BilledWalk { BilledWalk(walk: walk, dog: dog) }
}

/// An order with its rows and payments: one record, one event.
public struct Order: Record {
    public static let entity = "order"
    public static let service = ServiceName.orders

    public var id: Identifier
    public var version: Int
    /// The running number for people, from 1; set by the service and never used twice.
    public var number: Int64
    /// The year that the number counts in, where numbers start anew each year; set by the service.
    public var numberYear: Int?
    /// A calendar day, not an instant.
    public var date: CalendarDay
    /// When it is to be made.
    public var due: CalendarDay?
    public var customer: Identifier?
    /// The name of `customer` as it is known; set by the service.
    public var customerName: String?
    /// An order has one currency; its rows' sums are minor units of it.
    public var currency: Currency
    /// In the order in which they were entered.
    public var rows: [OrderRow]
    /// True where the rows' sums hold their tax already; otherwise nil.
    public var taxIncluded: Bool?
    public var note: String?
    public var made: Bool
    /// Only where it is made.
    public var madeOn: CalendarDay?
    /// By a person's word, or because the payments cover the total.
    public var paid: Bool
    /// Only where it is paid: where the payments cover the total, the day of the last of them, set by the service;
    /// otherwise as it was given.
    public var paidOn: CalendarDay?
    /// True where it is paid by a person's word, so that it stays paid without payments; set by the service.
    public var paidByHand: Bool?
    /// In the order in which they were entered; nil for none.
    public var payments: [Payment]?
    /// True where it is cancelled: it keeps its number, and counts nowhere. Otherwise nil.
    public var cancelled: Bool?
    /// When it was first printed for the customer; once set it stays, and the order can't be deleted any more.
    public var printed: Instant?
    /// The total without tax in minor units; set by the service, nil where no row has a tax rate.
    public var net: Int64?
    /// The tax in the total; as `net`.
    public var tax: Int64?
    /// What the customer owes for it, tax included, in minor units; set by the service.
    public var total: Int64
    /// What remains to be paid, negative where more was paid than is owed; set by the service. See ``Order/remaining``.
    public var open: Int64?
    /// The walks that its rows bill; nil for none. No two orders that aren't cancelled bill the same one.
    public var walks: [BilledWalk]?
    /// What the order is called elsewhere: the key under which it was imported.
    public var reference: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        number: Int64 = 0,
        numberYear: Int? = nil,
        date: CalendarDay,
        due: CalendarDay? = nil,
        customer: Identifier? = nil,
        customerName: String? = nil,
        currency: Currency,
        rows: [OrderRow] = [],
        taxIncluded: Bool? = nil,
        note: String? = nil,
        made: Bool = false,
        madeOn: CalendarDay? = nil,
        paid: Bool = false,
        paidOn: CalendarDay? = nil,
        paidByHand: Bool? = nil,
        payments: [Payment]? = nil,
        cancelled: Bool? = nil,
        printed: Instant? = nil,
        net: Int64? = nil,
        tax: Int64? = nil,
        total: Int64 = 0,
        open: Int64? = nil,
        walks: [BilledWalk]? = nil,
        reference: String? = nil
    ) {
        self.id = id
        self.version = version
        self.number = number
        self.numberYear = numberYear
        self.date = date
        self.due = due
        self.customer = customer
        self.customerName = customerName
        self.currency = currency
        self.rows = rows
        self.taxIncluded = taxIncluded
        self.note = note
        self.made = made
        self.madeOn = madeOn
        self.paid = paid
        self.paidOn = paidOn
        self.paidByHand = paidByHand
        self.payments = payments
        self.cancelled = cancelled
        self.printed = printed
        self.net = net
        self.tax = tax
        self.total = total
        self.open = open
        self.walks = walks
        self.reference = reference
    }
}
