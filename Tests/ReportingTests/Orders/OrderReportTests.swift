import Messages
import Support
import Testing

@testable import Orders
@testable import Reporting
@testable import Service

/// What reports make of taxes, payments and cancelled orders.
struct OrderReportTests {
    private let orders: Bench
    private let reporting: Bench

    init() throws {
        orders = try Bench(Orders.definition)
        reporting = try Bench(Reporting.definition)
    }

    private func put(_ rows: [OrderRow], _ change: (inout Order) -> Void = { _ in }) throws -> Order {
        var order = Order(date: try #require(CalendarDay("2024-03-31")), currency: .eur, rows: rows, made: true)
        change(&order)
        return try orders.send(Put(order))
    }

    private func follow() throws {
        try reporting.apply(orders.events(), of: .orders, epoch: orders.engine.log.epoch)
    }

    @Test func unpaidShowsWhatRemains() throws {
        let day = try #require(CalendarDay("2024-04-01"))
        let part = try put([OrderRow(sum: 5000)]) { order in
            order.payments = [Payment(date: day, amount: 2000)]
            order.due = day
        }
        _ = try put([OrderRow(sum: 700)]) { $0.cancelled = true }
        _ = try put([OrderRow(sum: 900)]) { $0.payments = [Payment(date: day, amount: 900)] }
        try follow()
        let report = try reporting.send(UnpaidReport())
        #expect(report.orders.map(\.id) == [part.id])
        #expect(report.orders.map(\.open.amount) == [3000] && report.orders.map(\.total.amount) == [5000])
        #expect(report.orders.map(\.due) == [day])
        #expect(report.totals.map(\.amount) == [3000])
    }

    @Test func rowsAddUpToWhatOrdersAreWorthTaxIncluded() throws {
        var random = SeededGenerator("rowsAddUpToWhatOrdersAreWorthTaxIncluded")
        var owed: Int64 = 0
        for _ in 0..<40 {
            let rows = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                OrderRow(
                    taxRate: [nil, 700, 1900, 1].randomElement(using: &random)?.flatMap(TaxRate.init(hundredths:)),
                    sum: Int64.random(in: -500...9999, using: &random)
                )
            }
            let isCancelled = Int.random(in: 0..<5, using: &random) == 0
            let isIncluded = Bool.random(using: &random)
            let order = try put(rows) { order in
                order.cancelled = isCancelled
                order.taxIncluded = isIncluded
            }
            if !isCancelled { owed += order.total }
        }
        try follow()
        for grouping in TotalsReport.Grouping.allCases {
            let report = try reporting.send(TotalsReport(by: grouping))
            #expect(report.totals.map(\.amount) == [owed], "\(grouping)")
        }
    }

    @Test func rowsTakeTheirSumsFromQuantityAndPrice() throws {
        let half = try Quantity(parsing: "1.5")
        let row = OrderRow(quantity: half, unitPrice: 9244, taxRate: TaxRate(hundredths: 1900), sum: 1)
        let order = try put([row])
        #expect(order.rows.map(\.sum) == [13_866])
        #expect((order.net, order.tax, order.total, order.open) == (13_866, 2635, 16_501, 16_501))
        let plain = try put([OrderRow(quantity: half, sum: 500)])
        #expect((plain.rows[0].sum, plain.net, plain.tax, plain.total) == (500, nil, nil, 500))
    }
}
