import Documents
import Messages
import Testing

@testable import CLI

struct StatementPageTests {
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
