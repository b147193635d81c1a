import Messages

@testable import Reporting

/// What the reports say, as lines of text that a person can compare.
enum ReportText {
    static func of(_ bench: Bench) throws -> String {
        var lines = ["unpaid"]
        let unpaid = try bench.send(UnpaidReport())
        for order in unpaid.orders {
            lines.append(
                "\(order.date)\t\(order.number)\t\(order.customerName ?? "-")\t\(text(order.total))\t\(text(order.open))"
            )
        }
        lines += unpaid.totals.map { "\t\t\t\(text($0))" }
        // Those of the first release.
        for grouping in [TotalsReport.Grouping.customer, .service, .month, .year] {
            let report = try bench.send(TotalsReport(by: grouping))
            lines.append("totals by \(grouping), \(report.orders) orders")
            lines += report.groups.map { "\($0.label ?? "-")\t\($0.reference ?? "-")\t\($0.orders)\t\(text($0.total))" }
            lines += report.totals.map { "\t\t\t\(text($0))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Minor units, so that no other code takes part.
    private static func text(_ money: Money) -> String { "\(money.amount) \(money.currency.code)" }
}
