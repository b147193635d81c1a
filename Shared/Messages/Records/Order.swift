/// One row of an order: a service and what it costs, or just a sum.
public struct OrderRow: Codable, Hashable, Sendable {
    public var id: Identifier
    public var service: Identifier?
    /// The name of `service` as it is known; set by the orders service.
    public var serviceName: String?
    /// In minor units of the order's currency; may be negative.
    public var sum: Int64

    public init(id: Identifier = .make(), service: Identifier? = nil, serviceName: String? = nil, sum: Int64) {
        self.id = id
        self.service = service
        self.serviceName = serviceName
        self.sum = sum
    }
}

/// An order with its rows: one record, one event.
public struct Order: Record {
    public static let entity = "order"
    public static let service = ServiceName.orders

    public var id: Identifier
    public var version: Int
    /// The running number for people, from 1; set by the service and never used twice.
    public var number: Int64
    /// A calendar day, not an instant.
    public var date: CalendarDay
    public var customer: Identifier?
    /// The name of `customer` as it is known; set by the service.
    public var customerName: String?
    /// An order has one currency; its rows' sums are minor units of it.
    public var currency: Currency
    /// In the order in which they were entered.
    public var rows: [OrderRow]
    public var made: Bool
    public var paid: Bool
    /// The sum of the rows in minor units; set by the service.
    public var total: Int64
    /// What the order is called elsewhere: the key under which it was imported.
    public var reference: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        number: Int64 = 0,
        date: CalendarDay,
        customer: Identifier? = nil,
        customerName: String? = nil,
        currency: Currency,
        rows: [OrderRow] = [],
        made: Bool = false,
        paid: Bool = false,
        total: Int64 = 0,
        reference: String? = nil
    ) {
        self.id = id
        self.version = version
        self.number = number
        self.date = date
        self.customer = customer
        self.customerName = customerName
        self.currency = currency
        self.rows = rows
        self.made = made
        self.paid = paid
        self.total = total
        self.reference = reference
    }
}
