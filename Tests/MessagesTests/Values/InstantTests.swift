import Foundation
import Messages
import Testing

@Suite struct InstantTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.000001Z"), (1000, "1970-01-01T00:00:00.001Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (1_711_908_309_123_456, "2024-03-31T18:05:09.123456Z"),
            (1_711_908_309_120_000, "2024-03-31T18:05:09.120Z"), (1_711_908_309_000_000, "2024-03-31T18:05:09Z"),
            (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"), (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)]
    )
    func printsAndReads(_ microseconds: Int64, _ text: String) throws {
        #expect(Instant(microseconds: microseconds).description == text)
        #expect(try Instant(parsing: text).microseconds == microseconds)
    }

    @Test func printsEveryInstantThereIs() {
        #expect(Instant(microseconds: .max).description == "+294247-01-10T04:00:54.775807Z")
        #expect(Instant(microseconds: .min).description == "-290308-12-21T19:59:05.224192Z")
        #expect(Instant(microseconds: -62_135_596_800_000_001).description == "0000-12-31T23:59:59.999999Z")
    }

    @Test(arguments: [
        ("2024-03-31T20:05:09+02:00", "2024-03-31T18:05:09Z"), ("2024-03-31T18:05:09-00:00", "2024-03-31T18:05:09Z"),
        ("2024-03-31t18:05:09z", "2024-03-31T18:05:09Z"), ("2024-12-31T23:30:00-23:59", "2025-01-01T23:29:00Z"),
        ("2024-03-31T18:05:09.5Z", "2024-03-31T18:05:09.500Z"),
        ("2024-03-31T18:05:09.123456789Z", "2024-03-31T18:05:09.123456Z"),
        ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"), ("2015-07-01T01:59:60.25+02:00", "2015-07-01T00:00:00.250Z"),
        ("0001-01-01T00:00:00+01:00", "0000-12-31T23:00:00Z"),
    ])
    func readsOffsetsFractionsAndLeapSeconds(_ text: String, _ expected: String) throws {
        #expect(try Instant(parsing: text).description == expected)
    }

    @Test(
        arguments: [
            ("", .notAnInstant("")), ("2024-03-31", .notAnInstant("2024-03-31")),
            ("2024-03-31T18:05:09", .notAnInstant("2024-03-31T18:05:09")),
            ("2024-03-31 18:05:09Z", .notAnInstant("2024-03-31 18:05:09Z")),
            ("2024-03-31T18:05Z", .notAnInstant("2024-03-31T18:05Z")),
            ("2024-03-31T18:05:09.Z", .notAnInstant("2024-03-31T18:05:09.Z")),
            ("2024-03-31T18:05:09,5Z", .notAnInstant("2024-03-31T18:05:09,5Z")),
            ("2024-03-31T18:05:09+0200", .notAnInstant("2024-03-31T18:05:09+0200")),
            ("2024-03-31T18:05:09Z ", .notAnInstant("2024-03-31T18:05:09Z ")),
            ("2024-03-31T18:05:09Z\u{301}", .notAnInstant("2024-03-31T18:05:09Z\u{301}")),
            ("2024-03-31T24:00:00Z", .noSuchTime("2024-03-31T24:00:00Z")),
            ("2024-03-31T18:60:00Z", .noSuchTime("2024-03-31T18:60:00Z")),
            ("2024-03-31T18:05:61Z", .noSuchTime("2024-03-31T18:05:61Z")),
            ("2024-03-31T18:05:60Z", .noSuchTime("2024-03-31T18:05:60Z")),
            ("2024-03-30T23:59:60Z", .noSuchTime("2024-03-30T23:59:60Z")),
            ("2024-03-31T18:05:09+24:00", .noSuchTime("2024-03-31T18:05:09+24:00")),
            ("2024-03-31T18:05:09+01:60", .noSuchTime("2024-03-31T18:05:09+01:60")),
            ("2023-02-29T18:05:09Z", .noSuchDay(year: 2023, month: 2, day: 29, last: 28)),
            ("0000-01-01T00:00:00Z", .yearOutOfRange(0)),
        ] as [(String, DateError)]
    )
    func refusesOtherTexts(_ text: String, _ expected: DateError) {
        #expect(throws: expected) { try Instant(parsing: text) }
        #expect(Instant(text) == nil)
        #expect(expected.description.hasSuffix("."))
    }

    @Test func comesBackFromItsText() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var source = Seeded(seed)
        for _ in 0..<2000 {
            let range = Int64(-62_135_596_800_000_000)...253_402_300_799_999_999
            let instant = Instant(microseconds: Int64.random(in: range, using: &source))
            #expect(Instant(instant.description) == instant, "seed \(seed)")
        }
    }

    @Test func agreesWithTheClock() {
        let before = Int64(Date().timeIntervalSince1970 * 1_000_000) - 1000
        let now = Instant.now().microseconds
        #expect(before...(before + 60_000_000) ~= now)
    }

    @Test func movesByDurationsAndStopsAtTheEnds() {
        let start = Instant(microseconds: 1_000_000)
        #expect(start.advanced(by: .milliseconds(-1500)).microseconds == -500_000)
        #expect(start.advanced(by: .nanoseconds(999)) == start)
        #expect(Instant(microseconds: .max).advanced(by: .seconds(1)).microseconds == .max)
        #expect(Instant(microseconds: .min).advanced(by: .seconds(-1)).microseconds == .min)
        #expect(start.duration(to: Instant(microseconds: -1)) == .microseconds(-1_000_001))
        #expect(Instant(microseconds: .min).duration(to: Instant(microseconds: .max)) > .zero)
        #expect(start < start.advanced(by: .microseconds(1)))
        #expect(Instant(microseconds: -1).milliseconds == -1)
    }

    @Test func codesAsAnInteger() throws {
        let json = try JSONEncoder().encode([Instant(microseconds: 1_711_908_309_123_456)])
        #expect(String(decoding: json, as: UTF8.self) == "[1711908309123456]")
        #expect(try JSONDecoder().decode([Instant].self, from: json) == [Instant(microseconds: 1_711_908_309_123_456)])
    }
}
