/// A sum of money: whole minor units of one currency, exact in 64 bits.
///
/// 1250 of EUR is `12.50`; 1250 of JPY is `1250`. Not `Comparable`, because amounts of two currencies have no order.
public struct Money: Hashable, Sendable, Codable {
    /// Minor units, such as cents; may be negative.
    public let amount: Int64
    /// What the minor units are of.
    public let currency: Currency

    /// `amount` minor units of `currency`.
    public init(amount: Int64, currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    /// Reads an amount such as `12`, `12.5`, `-12.50` or `+5`; see ``DecimalText/minorUnits(_:decimals:)``.
    ///
    /// - Throws: ``AmountError``; nothing is ever rounded.
    public init(parsing text: some StringProtocol, currency: Currency) throws(AmountError) {
        self.init(amount: try DecimalText.minorUnits(text, decimals: currency.decimals), currency: currency)
    }

    /// Nothing, in `currency`.
    public static func zero(_ currency: Currency) -> Money { Money(amount: 0, currency: currency) }

    /// The amount without its currency, with all decimals: `-1234.50`. The form of CSV and of ``init(parsing:currency:)``.
    public var plain: String { DecimalText.text(amount, decimals: currency.decimals) }
}

extension Money: CustomStringConvertible {
    /// `-1234.50 EUR`.
    public var description: String { "\(plain) \(currency)" }
}

extension Money {
    /// The exact sum.
    ///
    /// - Throws: ``AmountError/differentCurrencies(_:_:)`` or ``AmountError/sumOutOfRange(_:)``.
    public func adding(_ other: Money) throws(AmountError) -> Money {
        try Self.sum([self, other], currency: currency)
    }

    /// The exact difference.
    ///
    /// - Throws: ``AmountError/differentCurrencies(_:_:)`` or ``AmountError/sumOutOfRange(_:)``.
    public func subtracting(_ other: Money) throws(AmountError) -> Money {
        guard other.currency == currency else { throw .differentCurrencies(currency, other.currency) }
        return try Money(checking: Int128(amount) - Int128(other.amount), currency: currency)
    }

    /// The amount with the other sign.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)`` for the smallest number, which has no positive twin.
    public func negated() throws(AmountError) -> Money {
        try Money(checking: -Int128(amount), currency: currency)
    }

    /// The exact sum of all; zero when there are none. The order makes no difference: only the total must fit.
    ///
    /// - Throws: ``AmountError/differentCurrencies(_:_:)`` or ``AmountError/sumOutOfRange(_:)``.
    public static func sum(_ values: some Sequence<Money>, currency: Currency) throws(AmountError) -> Money {
        // 128 bits hold more sums of 64 bits than a sequence can have.
        var total = Int128(0)
        for value in values {
            guard value.currency == currency else { throw .differentCurrencies(currency, value.currency) }
            total += Int128(value.amount)
        }
        return try Money(checking: total, currency: currency)
    }

    private init(checking amount: Int128, currency: Currency) throws(AmountError) {
        guard let amount = Int64(exactly: amount) else { throw .sumOutOfRange(currency) }
        self.init(amount: amount, currency: currency)
    }
}
