import Messages
import Support
import Testing

@testable import Reporting
@testable import Service

struct StatementTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    private func lines(_ reply: StatementReport.Reply) -> [String] {
        reply.entries.map { "\($0.date) \($0.kind) \($0.label) \($0.amount) \($0.balance)" }
    }

    @Test func tellsOrdersAndPaymentsWithTheBalance() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim")
        let other = try trade.add(customer: "Kim")
        let paid = try day("2024-02-10")
        let first = try trade.put("2024-01-31", kim, [OrderRow(sum: 5000)])
        _ = try trade.change(first) { $0.payments = [Payment(date: paid, amount: 2000)] }
        let byHand = try trade.put("2024-02-05", kim, [OrderRow(sum: 700)])
        _ = try trade.change(byHand) { order in
            order.paid = true
            order.paidOn = paid
        }
        let cancelled = try trade.put("2024-02-06", kim, [OrderRow(sum: 900)])
        _ = try trade.change(cancelled) { $0.cancelled = true }
        _ = try trade.put("2024-02-07", kim, [OrderRow(sum: 123)], made: false)
        _ = try trade.put("2024-02-08", other, [OrderRow(sum: 44)])

        let all = try trade.reporting.send(StatementReport(customer: kim.id))
        #expect(all.customerName == "Kim")
        #expect(
            lines(all) == [
                "2024-01-31 order 1 50.00 EUR 50.00 EUR", "2024-02-05 order 2 7.00 EUR 57.00 EUR",
                "2024-02-10 payment 1 -20.00 EUR 37.00 EUR", "2024-02-10 payment 2 -7.00 EUR 30.00 EUR",
            ]
        )
        let unpaid = try trade.reporting.send(UnpaidReport(customer: kim.id))
        #expect(all.balances.map(\.closing) == unpaid.totals)

        let february = StatementReport(customer: kim.id, from: try day("2024-02-01"), through: paid)
        let balance = try #require(try trade.reporting.send(february).balances.first)
        #expect(
            [balance.opening, balance.charged, balance.paid, balance.closing].map(\.amount) == [5000, 700, 2700, 3000]
        )
        let before = StatementReport(customer: kim.id, through: try day("2024-02-09"))
        #expect(try trade.reporting.send(before).balances.map(\.closing.amount) == [5700])
        let nobody = try trade.reporting.send(StatementReport(customer: .make()))
        #expect(nobody == StatementReport.Reply(customerName: nil, entries: [], balances: []))
    }

    @Test(arguments: 0..<4) func balancesFollowFromTheOrdersWhateverHappens(seed: UInt64) throws {
        var random = SeededGenerator("statement \(seed)")
        let trade = try Trade()
        for _ in 0..<120 { try trade.step(&random) }
        let orders = try trade.all()
        for customer in trade.customers {
            var expected: [String: Int64] = [:]
            for order in orders where order.customer == customer.id && order.cancelled != true {
                let open = order.made ? order.remaining : order.remaining - order.total
                expected[order.currency.code, default: 0] += open
            }
            let whole = try trade.reporting.send(StatementReport(customer: customer.id))
            for balance in whole.balances {
                #expect(balance.closing.amount == expected[balance.closing.currency.code] ?? 0)
                #expect(balance.opening.amount + balance.charged.amount - balance.paid.amount == balance.closing.amount)
            }
            let told = Set(whole.balances.map(\.closing.currency.code))
            #expect(expected.allSatisfy { $0.value == 0 || told.contains($0.key) })
            // What one period ends with, the next begins with.
            let split = try day("2024-01-15")
            let first = try trade.reporting.send(StatementReport(customer: customer.id, through: split))
            let rest = StatementReport(customer: customer.id, from: try split.adding(days: 1))
            let second = try trade.reporting.send(rest)
            #expect(first.entries + second.entries == whole.entries || whole.balances.count > 1)
            for balance in first.balances {
                let next = second.balances.first { $0.opening.currency == balance.closing.currency }
                #expect(next?.opening == balance.closing)
            }
        }
    }

    @Test func unpaidCanBeOfOneCustomerOrService() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim")
        let bath = try trade.catalog.send(Put(SoldService(name: "Bath")))
        try trade.follow()
        let first = try trade.put("2024-01-31", kim, [OrderRow(service: bath.id, sum: 10), OrderRow(sum: 5)])
        let second = try trade.put("2024-02-01", nil, [OrderRow(service: bath.id, sum: 20)])
        let third = try trade.put("2024-02-02", kim, [OrderRow(sum: 40)])
        func numbers(_ report: UnpaidReport) throws -> [Int64] { try trade.reporting.send(report).orders.map(\.number) }
        #expect(try numbers(UnpaidReport(customer: kim.id)) == [first.number, third.number])
        #expect(try numbers(UnpaidReport(service: bath.id)) == [first.number, second.number])
        #expect(try numbers(UnpaidReport(customer: kim.id, service: bath.id)) == [first.number])
        #expect(try trade.reporting.send(UnpaidReport(service: bath.id)).totals.map(\.amount) == [35])
    }
}
