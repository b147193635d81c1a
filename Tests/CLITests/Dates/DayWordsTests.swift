import ArgumentParser
import Messages
import Testing

@testable import CLI

struct DayWordsTests {
    // A Wednesday.
    private let today = CalendarDay("2024-03-06")!

    private func read(_ text: String, _ leaning: DayWords.Leaning = .past) throws -> String? {
        try DayWords(today: today, leaning: leaning).span(text).map { span in
            span.day?.description ?? "\(span.from?.description ?? "")..\(span.through?.description ?? "")"
        }
    }

    @Test(arguments: [
        ("2024-02-29", "2024-02-29"), ("today", "2024-03-06"), ("Yesterday", "2024-03-05"), ("TOMORROW", "2024-03-07"),
        ("+3d", "2024-03-09"), ("-2w", "2024-02-21"), ("+1m", "2024-04-06"), ("-1y", "2023-03-06"),
        ("+0d", "2024-03-06"),
        ("last wed", "2024-02-28"), ("next wednesday", "2024-03-13"), ("next-thu", "2024-03-07"),
    ])
    func readsDays(text: String, day: String) throws {
        #expect(try read(text) == day)
        #expect(try read(text, .coming) == day)
    }

    @Test(arguments: [
        ("mon", "2024-03-04", "2024-03-11"), ("tuesday", "2024-03-05", "2024-03-12"),
        ("wed", "2024-03-06", "2024-03-06"),
        ("thurs", "2024-02-29", "2024-03-07"), ("Sun", "2024-03-03", "2024-03-10"),
    ])
    func weekdaysLean(text: String, past: String, coming: String) throws {
        #expect(try read(text) == past)
        #expect(try read(text, .coming) == coming)
    }

    @Test(arguments: [
        ("2024", "2024-01-01..2024-12-31"), ("2024-02", "2024-02-01..2024-02-29"),
        ("2023-02", "2023-02-01..2023-02-28"),
        ("2024-Q1", "2024-01-01..2024-03-31"), ("2024-q4", "2024-10-01..2024-12-31"),
        ("2024-W01", "2024-01-01..2024-01-07"), ("2020-W53", "2020-12-28..2021-01-03"),
        ("9999-12", "9999-12-01..9999-12-31"),
        ("this week", "2024-03-04..2024-03-10"), ("this-week", "2024-03-04..2024-03-10"),
        ("last week", "2024-02-26..2024-03-03"), ("next week", "2024-03-11..2024-03-17"),
        ("last month", "2024-02-01..2024-02-29"), ("this month", "2024-03-01..2024-03-31"),
        ("last quarter", "2023-10-01..2023-12-31"), ("last year", "2023-01-01..2023-12-31"),
        ("2024-01-15..2024-02-14", "2024-01-15..2024-02-14"), ("2024-01..2024-02", "2024-01-01..2024-02-29"),
        ("2024-02..", "2024-02-01.."), ("..yesterday", "..2024-03-05"), ("mon .. today", "2024-03-04..2024-03-06"),
    ])
    func readsPeriods(text: String, span: String) throws {
        #expect(try read(text) == span)
    }

    @Test func lastMonthIsACalendarMonth() throws {
        let words = DayWords(today: CalendarDay("2024-03-31")!, leaning: .past)
        let span = try #require(try words.span("last month"))
        #expect(span == DaySpan(from: CalendarDay("2024-02-01"), through: CalendarDay("2024-02-29")))
    }

    @Test(arguments: [
        "", "..", "soon", "last", "this mon", "2024-W54", "2023-W53", "2024-Q5", "+d", "+3x", "last month ago",
    ])
    func isNeither(text: String) throws {
        #expect(try read(text) == nil)
    }

    @Test(arguments: ["2024-02-30", "2024-13", "2024-3-1", "0000", "31.3.2024", "+100000y", "20240-01", "3d"])
    func refusesWhatDoesNotExist(text: String) {
        #expect(throws: DateError.self) { try read(text) }
    }

    @Test func refusesAPeriodWhereADayIsWanted() {
        let error = #expect(throws: CLIError.self) { try DayText.day("2024-02", option: "--date", today: today) }
        #expect(
            error?.description == "--date: '2024-02' is more than a day: write one like 2024-03-31, today, mon or +3d."
        )
        let turned = #expect(throws: CLIError.self) { try DayText.span("today..mon", option: "--period", today: today) }
        #expect(turned?.description.contains("ends on 2024-03-04, before it begins") == true)
    }

    @Test func takesTheEndsOfPeriods() throws {
        let options = try PeriodOptions.parse(["--from", "2024-01", "--to", "2024-02"]).days(today: today)
        #expect(options.from?.description == "2024-01-01" && options.to?.description == "2024-02-29")
        let period = try PeriodOptions.parse(["--period", "last month"]).days(today: today)
        #expect(period.from?.description == "2024-02-01" && period.to?.description == "2024-02-29")
        let both = try PeriodOptions.parse(["--period", "2024", "--to", "today"])
        #expect(throws: CLIError.self) { _ = try both.days(today: today) }
    }
}
