import Documents
import Messages
import Testing

@testable import CLI

struct StatementPageTests {
    private func reply(_ days: [(String, Int64)]) throws -> StatementReport.Reply {
        let lines = try days.enumerated().map { number, day in
            StatementLine(
                day.1 < 0 ? .payment : .order,
                date: try #require(CalendarDay(day.0)),
                order: .test(UInt64(number)),
                number: Int64(number),
                numberYear: nil,
                amount: Money(amount: day.1, currency: .eur)
            )
        }
        let opening = StatementLine(opening: Money(amount: 1000, currency: .eur))
        return try StatementReport.Reply(of: [StatementLine(customerName: "Lind"), opening] + lines)
    }

    @Test func theBalanceIsDrawnAtTheEndOfEachDay() throws {
        let reply = try reply([("2024-01-30", 500), ("2024-02-02", 100), ("2024-02-02", -700)])
        let charts = try StatementChart.charts(of: reply)
        #expect(charts.map(\.chart.title) == ["Balance, EUR"] && charts.map(\.chart.kind) == [.line])
        let points = charts[0].chart.points
        #expect(
            points.map(\.label) == ["2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"]
                && points.map(\.text) == ["15.00", "15.00", "15.00", "9.00"]
        )
    }

    @Test func theBalanceOfALongTimeIsDrawnAtTheEndOfEachMonth() throws {
        let reply = try reply([("2024-01-30", 500), ("2024-01-31", 100), ("2024-04-01", -1600)])
        let points = try StatementChart.charts(of: reply)[0].chart.points
        #expect(points.map(\.label) == ["2024-01", "2024-02", "2024-03", "2024-04"])
        #expect(points.map(\.value) == [1600, 1600, 1600, 0])
        #expect(try StatementChart.charts(of: self.reply([])).isEmpty)
    }

    @Test func balancesBeyondAnAmountAreRefused() throws {
        #expect(throws: AmountError.self) { try reply([("2024-01-30", .max)]) }
    }

    @Test func aStatementHasATableOfEachCurrencyBetweenItsBalances() {
        func euros(_ cents: Int64) -> Money { Money(amount: cents, currency: .eur) }
        let day = CalendarDay("2024-01-31")!
        let dollars = Money(amount: 700, currency: .usd)
        let reply = StatementReport.Reply(
            customerName: "Lind",
            entries: [
                StatementEntry(
                    date: day,
                    kind: .order,
                    order: .test(1),
                    number: 17,
                    numberYear: 2024,
                    amount: euros(1000),
                    balance: euros(1500)
                ),
                StatementEntry(
                    date: day,
                    kind: .payment,
                    order: .test(1),
                    number: 17,
                    numberYear: 2024,
                    amount: euros(-1200),
                    balance: euros(300)
                ),
            ],
            balances: [
                StatementBalance(opening: euros(500), charged: euros(1000), paid: euros(1200), closing: euros(300)),
                StatementBalance(opening: dollars, charged: .zero(.usd), paid: .zero(.usd), closing: dollars),
            ]
        )
        let business = Business { ["name": "Daybook Bakery", "address": "Oslo", "bank": "IBAN NO93"][$0] }
        let statement = Statement(customer: .test(0xaa), reply: reply, positions: [:])
        let document = StatementPage.document(
            statement,
            from: business,
            notes: ["All days"],
            time: Instant(microseconds: 0)
        )
        #expect(document.footer == ["Daybook Bakery · IBAN NO93"])
        #expect(document.blocks.prefix(2) == [.columns(["Daybook Bakery\nOslo", "Lind"]), .text("All days")])
        let tables = document.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
        #expect(
            tables.map { $0.columns.map(\.title) } == [
                ["Date", "What", "Amount, EUR", "Balance, EUR"], ["Date", "What", "Amount, USD", "Balance, USD"],
            ]
        )
        #expect(
            tables[0].rows.map(\.cells) == [
                ["", "Opening balance", "", "5.00"], ["Jan 31, 2024", "Order 2024-17", "10.00", "15.00"],
                ["Jan 31, 2024", "Payment for order 2024-17", "-12.00", "3.00"], ["", "Closing balance", "", "3.00"],
            ]
        )
        #expect(
            tables[1].rows.map(\.cells) == [["", "Opening balance", "", "7.00"], ["", "Closing balance", "", "7.00"]]
        )
    }
}
