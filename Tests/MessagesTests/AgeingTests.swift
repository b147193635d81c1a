import Messages
import Testing

struct AgeingTests {
    private let day = CalendarDay("2024-03-31")!

    private func order(
        _ days: Int,
        due: Int? = nil,
        _ amount: Int64,
        _ currency: Currency = .eur
    ) throws -> ReportedOrder {
        let money = Money(amount: amount, currency: currency)
        return ReportedOrder(
            id: .make(),
            number: 1,
            date: try day.adding(days: -days),
            due: try due.map { try day.adding(days: -$0) },
            customer: nil,
            customerName: nil,
            total: money,
            open: money
        )
    }

    @Test func countsDaysFromTheDayThatIsDueOrTheDate() throws {
        let orders = [
            try order(-5, 1), try order(0, 2), try order(30, 4), try order(31, 8), try order(60, 16),
            try order(61, 32), try order(90, 64), try order(91, 128), try order(200, due: 30, 256),
            try order(0, due: 91, 512),
        ]
        let lines = try AgeingLine.lines(of: orders, on: day)
        let line = try #require(lines.first)
        #expect(lines.count == 1 && line.orders == 10)
        #expect([line.upTo30, line.upTo60, line.upTo90, line.over90].map(\.amount) == [263, 24, 96, 640])
        #expect(line.open.amount == 1023)
    }

    @Test func addsUpNoCurrencies() throws {
        let lines = try AgeingLine.lines(of: [order(1, 5), order(1, 7, .usd), order(40, -2)], on: day)
        #expect(lines.map(\.open.currency) == [.eur, .usd] && lines.map(\.open.amount) == [3, 7])
    }

    @Test func periodsHoldTheirDays() throws {
        func label(_ by: TotalsReport.Grouping, _ day: String) -> String? {
            CalendarDay(day).flatMap { by.period(of: $0) }.map { "\($0.label) \($0.from) \($0.through)" }
        }
        #expect(label(.week, "2024-12-30") == "2025-W01 2024-12-30 2025-01-05")
        #expect(label(.week, "9999-12-31") == "9999-W52 9999-12-27 9999-12-31")
        #expect(label(.month, "2024-02-10") == "2024-02 2024-02-01 2024-02-29")
        #expect(label(.quarter, "2024-11-10") == "2024-Q4 2024-10-01 2024-12-31")
        #expect(label(.year, "2024-11-10") == "2024 2024-01-01 2024-12-31")
        #expect(label(.day, "2024-11-10") == "2024-11-10 2024-11-10 2024-11-10")
        #expect(label(.customer, "2024-11-10") == nil)
    }
}
