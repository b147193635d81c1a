/// How old what is unpaid is: sums of a customer's orders by their age on a day.
///
/// An order's age is the days since it was due, or since its date where no day is due; what is not due yet counts among
/// the youngest.
///
///     let lines = try AgeingLine.lines(of: reply.orders, on: .today())
public struct AgeingLine: Codable, Sendable, Hashable {
    public var customer: Identifier?
    public var customerName: String?
    public var orders: Int64
    /// Up to 30 days.
    public var upTo30: Money
    /// 31 to 60 days.
    public var upTo60: Money
    /// 61 to 90 days.
    public var upTo90: Money
    /// More than 90 days.
    public var over90: Money
    /// All of it.
    public var open: Money

    private init(customer: Identifier?, customerName: String?, _ currency: Currency) {
        self.customer = customer
        self.customerName = customerName
        orders = 0
        upTo30 = .zero(currency)
        upTo60 = .zero(currency)
        upTo90 = .zero(currency)
        over90 = .zero(currency)
        open = .zero(currency)
    }

    /// One line for each customer and currency, in the order in which they first occur.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public static func lines(of orders: [ReportedOrder], on day: CalendarDay) throws(AmountError) -> [AgeingLine] {
        struct Key: Hashable {
            var customer: Identifier?
            var currency: Currency
        }
        var places: [Key: Int] = [:]
        var lines: [AgeingLine] = []
        for order in orders {
            let key = Key(customer: order.customer, currency: order.open.currency)
            let place = places[key] ?? lines.count
            if place == lines.count {
                places[key] = place
                lines.append(AgeingLine(customer: order.customer, customerName: order.customerName, key.currency))
            }
            try lines[place].add(order, on: day)
        }
        return lines
    }

    private mutating func add(_ order: ReportedOrder, on day: CalendarDay) throws(AmountError) {
        orders += 1
        open = try open.adding(order.open)
        switch day.daysSince1970 - (order.due ?? order.date).daysSince1970 {
        case ...30: upTo30 = try upTo30.adding(order.open)
        case ...60: upTo60 = try upTo60.adding(order.open)
        case ...90: upTo90 = try upTo90.adding(order.open)
        default: over90 = try over90.adding(order.open)
        }
    }
}
