import ArgumentParser
import Messages
import Testing

@testable import CLI

struct AsOfOptionsTests {
    private func moment(_ text: String) throws -> AsOf? {
        let today = try #require(CalendarDay("2024-03-31"))
        return try ReportTop.parse(["--as-of", text]).options.moment.moment(today: today)
    }

    @Test func aNumberIsAnEventOfOrders() throws {
        #expect(try moment("1234") == AsOf(sequence: 1234))
        #expect(try moment("orders:7") == AsOf(sequence: 7))
        #expect(try ReportTop.parse([]).options.moment.moment() == nil)
    }

    @Test(arguments: [
        ("2024-03-30", "2024-03-30"), ("yesterday", "2024-03-30"), ("2024-02", "2024-02-29"),
        ("last month", "2024-02-29"),
    ])
    func aDayIsItsLastMomentInTheUsersZone(text: String, day: String) throws {
        let time = try #require(try moment(text)?.time)
        #expect(CalendarDay.today(at: time).description == day)
        let next = CalendarDay.today(at: time.advanced(by: .microseconds(1)))
        #expect(try next == CalendarDay(parsing: day).adding(days: 1))
    }

    @Test func aTimeIsTaken() throws {
        let zone = try TimeOptions.zone()
        let written = WallTime(zone: zone, now: .now())
        #expect(try moment("2024-03-31 18:05") == AsOf(time: written.instant("2024-03-31 18:05")))
        #expect(try moment("2024-03-31T18:05:09Z") == AsOf(time: Instant(parsing: "2024-03-31T18:05:09Z")))
    }

    @Test func aNumberIsOneOfTheLogOfTheRecords() throws {
        let options = try CustomersList.parse(["--as-of", "catalog:7"]).list.past
        #expect(try options.moment(of: .catalog) == AsOf(sequence: 7))
        let error = #expect(throws: CLIError.self) { try options.moment(of: .orders) }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.contains("no event of orders") == true, "\(error?.description ?? "")")
    }

    @Test func whatWasIsNotWatched() throws {
        let options = try CustomersList.parse(["--as-of", "7", "--watch"]).list.past
        let error = #expect(throws: CLIError.self) { try options.moment(of: .catalog, watch: true) }
        #expect(error?.description == "What was is over: leave --watch or --as-of out.")
    }

    @Test(arguments: ["2024-02-30", "never", "2024-03-31..", "-5", "orders:"])
    func whatIsNoMomentIsRefused(text: String) throws {
        #expect(throws: (any Error).self) { try moment(text) }
    }
}
