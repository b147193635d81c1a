/// What a statement is made of: a row of the live list `statement`.
///
/// Balances are not in it, since each change would move all that follow: ``StatementReport/Reply/init(of:asOf:)`` adds them
/// up. The list is in the order that this takes: the customer; then for each currency what was owed before the period, and
/// the entries by date, orders before payments, then number.
public struct StatementLine: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, Hashable {
        /// Whose account it is; there while the customer is.
        case customer
        /// What was owed before the first day; there where anything was charged or paid before.
        case opening
        /// An order that is made.
        case order
        /// What was paid for one.
        case payment
    }

    public var kind: Kind
    /// The customer's name; of ``Kind/customer`` alone.
    public var customerName: String?
    /// Of orders and payments, as are the following.
    public var date: CalendarDay?
    public var order: Identifier?
    public var number: Int64?
    public var numberYear: Int?
    /// What is owed more by it, negative for a payment; absent for ``Kind/customer``.
    public var amount: Money?

    public init(customerName: String) {
        kind = .customer
        self.customerName = customerName
    }

    public init(opening amount: Money) {
        kind = .opening
        self.amount = amount
    }

    public init(
        _ kind: Kind,
        date: CalendarDay,
        order: Identifier,
        number: Int64,
        numberYear: Int?,
        amount: Money
    ) {
        self.kind = kind
        self.date = date
        self.order = order
        self.number = number
        self.numberYear = numberYear
        self.amount = amount
    }
}

extension StatementReport.Reply {
    /// The statement that the lines make.
    ///
    /// - Parameter lines: in the order of the list.
    /// - Throws: ``AmountError/sumOutOfRange(_:)`` for a balance that is no amount.
    public init(of lines: some Sequence<StatementLine>, asOf: AsOf.Reached? = nil) throws(AmountError) {
        self.init(customerName: nil, entries: [], balances: [], asOf: asOf)
        var account: Account?
        for line in lines {
            guard let amount = line.amount else {
                customerName = line.customerName
                continue
            }
            if account?.currency != amount.currency {
                if let account { balances.append(try account.balance()) }
                account = Account(currency: amount.currency)
            }
            if let entry = try account?.add(line, amount.amount) { entries.append(entry) }
        }
        if let account { balances.append(try account.balance()) }
    }
}

/// A customer's account in one currency, as its lines come in order.
private struct Account {
    let currency: Currency
    private var opening: Int128 = 0
    private var charged: Int128 = 0
    private var paid: Int128 = 0

    init(currency: Currency) { self.currency = currency }

    mutating func add(_ line: StatementLine, _ amount: Int64) throws(AmountError) -> StatementEntry? {
        guard let date = line.date, let order = line.order, let number = line.number else {
            opening += Int128(amount)
            return nil
        }
        if line.kind == .payment { paid -= Int128(amount) } else { charged += Int128(amount) }
        return StatementEntry(
            date: date,
            kind: line.kind == .payment ? .payment : .order,
            order: order,
            number: number,
            numberYear: line.numberYear,
            amount: try money(Int128(amount)),
            balance: try money(opening + charged - paid)
        )
    }

    func balance() throws(AmountError) -> StatementBalance {
        StatementBalance(
            opening: try money(opening),
            charged: try money(charged),
            paid: try money(paid),
            closing: try money(opening + charged - paid)
        )
    }

    private func money(_ amount: Int128) throws(AmountError) -> Money {
        guard let amount = Int64(exactly: amount) else { throw .sumOutOfRange(currency) }
        return Money(amount: amount, currency: currency)
    }
}
