import Foundation
import Messages
import Testing

@Suite struct CalendarDayTests {
    @Test func goesThroughEveryDayOfTheCalendar() throws {
        var (year, month, day, number, weekday) = (1, 1, 1, -719_162, 1)
        var last = try CalendarDay(year: 1, month: 1, day: 1)
        var wrong = 0
        while year <= 9999 {
            guard let date = CalendarDay(daysSince1970: number) else {
                Issue.record("no day \(number)")
                return
            }
            let same = date.year == year && date.month == month && date.day == day
            let ordered = number == -719_162 || last < date
            if !same || !ordered || date.daysSince1970 != number || date.weekday.rawValue != weekday { wrong += 1 }
            last = date
            (number, weekday, day) = (number + 1, weekday % 7 + 1, day + 1)
            let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            if day > [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] {
                (day, month) = (1, month + 1)
            }
            if month > 12 { (month, year) = (1, year + 1) }
        }
        #expect(wrong == 0)
        #expect(number == 2_932_897)
        #expect(CalendarDay(daysSince1970: number) == nil)
        #expect(CalendarDay(daysSince1970: -719_163) == nil)
        #expect(CalendarDay(daysSince1970: .max) == nil)
        #expect(CalendarDay(daysSince1970: .min) == nil)
        #expect(try CalendarDay(year: 1970, month: 1, day: 1).daysSince1970 == 0)
        #expect(try CalendarDay(year: 1970, month: 1, day: 1).weekday == .thursday)
    }

    @Test(arguments: [
        "0001-01-01", "0001-12-31", "1900-02-28", "2000-02-29", "2023-02-28", "2024-02-29", "2024-03-31", "2024-12-31",
        "2400-02-29", "9999-12-31",
    ])
    func printsWhatItReads(_ text: String) throws {
        let day = try CalendarDay(parsing: text)
        #expect(day.description == text)
        #expect(CalendarDay(text) == day)
        #expect(CalendarDay(daysSince1970: day.daysSince1970) == day)
    }

    @Test(
        arguments: [
            ("2023-02-29", .noSuchDay(year: 2023, month: 2, day: 29, last: 28)),
            ("1900-02-29", .noSuchDay(year: 1900, month: 2, day: 29, last: 28)),
            ("2024-02-30", .noSuchDay(year: 2024, month: 2, day: 30, last: 29)),
            ("2024-04-31", .noSuchDay(year: 2024, month: 4, day: 31, last: 30)),
            ("2024-01-00", .noSuchDay(year: 2024, month: 1, day: 0, last: 31)),
            ("2024-01-32", .noSuchDay(year: 2024, month: 1, day: 32, last: 31)),
            ("2024-13-01", .noSuchMonth(13)), ("2024-00-01", .noSuchMonth(0)), ("0000-01-01", .yearOutOfRange(0)),
        ] as [(String, DateError)]
    )
    func saysWhichPartIsWrong(_ text: String, _ expected: DateError) {
        #expect(throws: expected) { try CalendarDay(parsing: text) }
        #expect(CalendarDay(text) == nil)
    }

    @Test(arguments: [
        "", "2024", "2024-3-31", "24-03-31", "2024/03/31", "31.03.2024", "20240331", "2024-03-31 ", " 2024-03-31",
        "2024-03-31T00:00:00Z", "2024-03-3\u{661}", "2024-03-31\u{301}", "2024-03-1\u{301}", "-024-03-31",
        "10000-01-01",
        "2024-W13-7", "2024-03-+1", "2024\u{2212}03\u{2212}31",
    ])
    func refusesOtherForms(_ text: String) {
        #expect(throws: DateError.notADay(text)) { try CalendarDay(parsing: text) }
    }

    @Test func tellsTheLastDayInItsSentence() {
        let error = #expect(throws: DateError.self) { try CalendarDay(parsing: "2023-02-29") }
        #expect(error?.description == "There is no day 2023-02-29: the last of that month is 2023-02-28.")
        let other = #expect(throws: DateError.self) { try CalendarDay(parsing: "31/3/2024") }
        #expect(other?.description.contains("2024-03-31") == true)
    }

    @Test(arguments: [
        (2024, 2, 29), (2023, 2, 28), (1900, 2, 28), (2000, 2, 29), (2024, 1, 31), (2024, 4, 30), (2024, 13, 0),
        (2024, 0, 0),
        (2024, .max, 0), (2024, .min, 0),
    ])
    func countsTheDaysOfAMonth(_ year: Int, _ month: Int, _ expected: Int) {
        #expect(CalendarDay.days(inMonth: month, of: year) == expected)
    }

    @Test(arguments: [
        ("2024-01-31", 1, "2024-02-29"), ("2023-01-31", 1, "2023-02-28"), ("2024-03-31", -1, "2024-02-29"),
        ("2024-12-15", 1, "2025-01-15"), ("2024-01-15", -1, "2023-12-15"), ("2024-02-29", 12, "2025-02-28"),
        ("2024-02-29", 48, "2028-02-29"), ("0001-01-01", 0, "0001-01-01"), ("9999-11-30", 1, "9999-12-30"),
    ])
    func addsMonths(_ text: String, _ months: Int, _ expected: String) throws {
        #expect(try CalendarDay(parsing: text).adding(months: months).description == expected)
    }

    @Test(arguments: [
        ("2024-02-28", 1, "2024-02-29"), ("2024-02-28", 2, "2024-03-01"), ("2023-02-28", 1, "2023-03-01"),
        ("2024-12-31", 1, "2025-01-01"), ("2024-01-01", -1, "2023-12-31"), ("0001-01-01", 3_652_058, "9999-12-31"),
    ])
    func addsDays(_ text: String, _ days: Int, _ expected: String) throws {
        #expect(try CalendarDay(parsing: text).adding(days: days).description == expected)
        #expect(try CalendarDay(parsing: expected).adding(days: -days).description == text)
    }

    @Test(arguments: [Int.max, .min, 10_000_000, -10_000_000]) func refusesToLeaveTheCalendar(_ count: Int) throws {
        let day = try CalendarDay(parsing: "2024-03-31")
        #expect(throws: DateError.yearOutOfRange(count < 0 ? 0 : 10_000)) { try day.adding(days: count) }
        #expect(throws: DateError.yearOutOfRange(count < 0 ? 0 : 10_000)) { try day.adding(months: count) }
    }

    @Test func stopsAtBothEnds() throws {
        let (first, last) = (try CalendarDay(parsing: "0001-01-01"), try CalendarDay(parsing: "9999-12-31"))
        #expect(throws: DateError.yearOutOfRange(0)) { try first.adding(days: -1) }
        #expect(throws: DateError.yearOutOfRange(0)) { try first.adding(months: -1) }
        #expect(throws: DateError.yearOutOfRange(10_000)) { try last.adding(days: 1) }
        #expect(throws: DateError.yearOutOfRange(10_000)) { try last.adding(months: 1) }
        #expect(throws: DateError.yearOutOfRange(10_000)) { try CalendarDay(year: 10_000, month: 1, day: 1) }
    }

    @Test(arguments: [
        ("2024-03-31", "2024-W13"), ("2024-12-30", "2025-W01"), ("2021-01-03", "2020-W53"), ("2021-01-04", "2021-W01"),
        ("2026-12-31", "2026-W53"), ("0001-01-01", "0001-W01"), ("9999-12-31", "9999-W52"), ("2016-01-01", "2015-W53"),
    ])
    func findsTheWeek(_ text: String, _ expected: String) throws {
        #expect(try CalendarDay(parsing: text).week.description == expected)
    }

    @Test func printsEnglish() throws {
        #expect(try CalendarDay(parsing: "2024-03-31").english == "Mar 31, 2024")
        #expect(try CalendarDay(parsing: "0987-12-01").english == "Dec 1, 987")
    }

    // No zone has a part in the text.
    @Test func staysThatDayWhenLoadedAndSaved() throws {
        var day = try CalendarDay(parsing: "2024-03-31")
        for _ in 0..<10 {
            let json = try JSONEncoder().encode(["date": day])
            #expect(String(decoding: json, as: UTF8.self) == #"{"date":"2024-03-31"}"#)
            day = try #require(try JSONDecoder().decode([String: CalendarDay].self, from: json)["date"])
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CalendarDay].self, from: Data(#"["2023-02-29"]"#.utf8))
        }
    }

    // "Today" is the day of the client's zone. Each zone in a process of its own, for `setenv` is not safe
    // beside other threads.
    @Test func knowsTodayInLosAngeles() async {
        await #expect(processExitsWith: .success) { expectToday("America/Los_Angeles", "2024-03-31") }
    }

    @Test func knowsTodayOnKiritimati() async {
        await #expect(processExitsWith: .success) { expectToday("Pacific/Kiritimati", "2024-04-01") }
    }

    @Test func knowsTodayInUTC() async {
        await #expect(processExitsWith: .success) { expectToday("UTC", "2024-04-01") }
    }
}

private func expectToday(_ zone: String, _ expected: String) {
    setenv("TZ", zone, 1)
    // 23:30 of the evening before in Los Angeles, where the clocks were seven hours behind.
    let instant = Instant("2024-04-01T06:30:00Z")!
    #expect(CalendarDay.today(at: instant).description == expected)
    #expect(CalendarDay.today(at: Instant(microseconds: .max)).description == "9999-12-31")
    #expect(CalendarDay.today(at: Instant(microseconds: .min)).description == "0001-01-01")
}
