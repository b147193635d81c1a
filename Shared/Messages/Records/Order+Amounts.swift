extension OrderRow {
    /// Sets the sum of a row with a unit price.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public mutating func settle(_ currency: Currency) throws(AmountError) {
        guard let quantity, let unitPrice else { return }
        sum = try quantity.times(unitPrice, currency: currency)
    }
}

// What follows from an order's rows and payments: the same for the service that stores it and for whoever reads it.
extension Order {
    /// Net, tax and gross for each rate; one share for each row.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public func taxSummary() throws(AmountError) -> TaxSummary {
        try TaxSummary(rows.map { ($0.sum, $0.taxRate) }, isIncluded: taxIncluded == true, currency: currency)
    }

    /// The sum of the payments.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public func paidSum() throws(AmountError) -> Money {
        try Money.sum((payments ?? []).map { Money(amount: $0.amount, currency: currency) }, currency: currency)
    }

    /// Whether the payments come to the total or more; without payments they don't, even where nothing is owed.
    ///
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public func isCoveredByPayments() throws(AmountError) -> Bool {
        guard payments?.isEmpty == false else { return false }
        let sum = try paidSum().amount
        return total < 0 ? sum <= total : sum >= total
    }

    /// What remains to be paid in minor units, also where an event of an earlier release doesn't say it: nothing where it
    /// is cancelled, or paid by a person's word.
    public var remaining: Int64 { open ?? (paid || cancelled == true ? 0 : total) }

    /// The number as people write it: `17`, or `2024-17` where numbers start anew each year.
    public var label: String { Self.label(number, year: numberYear) }

    /// See ``label``.
    public static func label(_ number: Int64, year: Int?) -> String {
        year.map { "\($0)-\(number)" } ?? String(number)
    }

    /// Sets the sums of rows with a unit price, and what the service sets of amounts and payment: `net`, `tax`, `total`,
    /// `open`; also `paid`, `paidOn` and `paidByHand`, as follows from the order before.
    ///
    /// Where someone turns `paid` on or off, that is their word, unless the payments cover the total anyhow. Otherwise it
    /// is paid as long as the payments cover the total, or a word said so before.
    ///
    /// - Parameter old: the order as it was; nil for a new one.
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public mutating func settle(after old: Order?) throws(AmountError) {
        for index in rows.indices { try rows[index].settle(currency) }
        let summary = try taxSummary()
        total = summary.gross
        net = summary.hasRates ? summary.net : nil
        tax = summary.hasRates ? summary.tax : nil
        if payments?.isEmpty == true { payments = nil }
        let isCovered = try isCoveredByPayments()
        let wasByHand = old?.paidByHand == true
        let isByHand = paid == (old?.paid ?? false) ? wasByHand : paid && !isCovered
        paid = isCovered || isByHand
        paidByHand = isByHand ? true : nil
        if !paid { paidOn = nil }
        if isCovered, !isByHand { paidOn = payments?.map(\.date).max() }
        let isSettled = isByHand || cancelled == true
        let (left, overflows) = total.subtractingReportingOverflow(try paidSum().amount)
        guard !overflows else { throw .sumOutOfRange(currency) }
        open = isSettled ? 0 : left
    }
}
