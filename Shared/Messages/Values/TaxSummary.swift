/// Net, tax and gross of amounts, for each tax rate and together.
///
/// The rule: the amounts of one rate are added up exactly, and their tax is computed from that sum and rounded once, half
/// away from zero. 138.66 at 19 % have 26.35 of tax, and are 165.01. Where tax is included in the amounts, it is what the
/// sum holds of it: gross · rate / (100 % + rate). Amounts without a rate have no tax, and are a line of their own.
///
///     let summary = try order.taxSummary()
///     summary.lines.map(\.tax)
public struct TaxSummary: Hashable, Sendable {
    /// What the amounts of one rate come to, in minor units: `net + tax == gross`.
    public struct Line: Hashable, Sendable {
        /// nil for amounts without one.
        public let rate: TaxRate?
        public let net: Int64
        public let tax: Int64
        public let gross: Int64
    }

    /// By rate, those without one first; one for each that occurs.
    public let lines: [Line]
    /// The sums over the lines.
    public let net: Int64
    public let tax: Int64
    public let gross: Int64
    /// For each amount, in their order, its share of its rate's tax; the shares add up to it. What is rounded falls to the
    /// amounts as their running sums pass a half, so that each share is within one minor unit of its own tax.
    public let shares: [Int64]

    /// - Parameters:
    ///   - amounts: in minor units of `currency`; net, or gross where tax is included.
    ///   - isIncluded: whether the tax is in the amounts already.
    /// - Throws: ``AmountError/sumOutOfRange(_:)``.
    public init(
        _ amounts: [(amount: Int64, rate: TaxRate?)],
        isIncluded: Bool,
        currency: Currency
    ) throws(AmountError) {
        func checked(_ number: Int128) throws(AmountError) -> Int64 {
            guard let sum = Int64(exactly: number) else { throw .sumOutOfRange(currency) }
            return sum
        }
        var sums: [TaxRate?: (amount: Int128, tax: Int128)] = [:]
        var shares: [Int64] = []
        for (amount, rate) in amounts {
            let before = sums[rate] ?? (0, 0)
            let sum = before.amount + Int128(amount)
            let tax = rate.map { $0.tax(on: sum, isIncluded: isIncluded) } ?? 0
            shares.append(try checked(tax - before.tax))
            // What the amount comes to with its share of the tax has to be an amount, too.
            if !isIncluded { _ = try checked(Int128(amount) + tax - before.tax) }
            sums[rate] = (sum, tax)
        }
        var lines: [Line] = []
        for (rate, sum) in sums.sorted(by: { $0.key?.hundredths ?? -1 < $1.key?.hundredths ?? -1 }) {
            lines.append(
                Line(
                    rate: rate,
                    net: try checked(isIncluded ? sum.amount - sum.tax : sum.amount),
                    tax: try checked(sum.tax),
                    gross: try checked(isIncluded ? sum.amount : sum.amount + sum.tax)
                )
            )
        }
        self.lines = lines
        self.shares = shares
        net = try checked(lines.reduce(0) { $0 + Int128($1.net) })
        tax = try checked(lines.reduce(0) { $0 + Int128($1.tax) })
        gross = try checked(lines.reduce(0) { $0 + Int128($1.gross) })
    }

    /// Whether any amount has a rate, be it 0 %.
    public var hasRates: Bool { lines.contains { $0.rate != nil } }
}
