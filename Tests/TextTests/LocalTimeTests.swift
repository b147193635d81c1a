import Testing

@testable import Text

struct LocalTimeTests {
    private func instant(_ clock: WallClock, _ zone: String = "UTC") throws -> Int64 {
        try LocalTime.microseconds(of: clock, in: Zone(named: zone))
    }

    private static let walk = WallClock(year: 2024, month: 3, day: 31, hour: 18, minute: 5, second: 9)

    @Test(arguments: [
        ("zh_CN.UTF-8", 0, "今天 18:05:09"), ("zh_CN.UTF-8", 1, "昨天 18:05:09"), ("zh_CN.UTF-8", 2, "前天 18:05:09"),
        ("zh_CN.UTF-8", 3, "2024/3/31 18:05:09"), ("zh_CN.UTF-8", -1, "明天 18:05:09"),
        ("en_US.UTF-8", 0, "Today, 6:05:09\u{202F}PM"), ("en_US.UTF-8", 1, "Yesterday, 6:05:09\u{202F}PM"),
        ("en_US.UTF-8", 2, "3/31/24, 6:05:09\u{202F}PM"), ("en_US.UTF-8", -1, "Tomorrow, 6:05:09\u{202F}PM"),
        ("en_US.UTF-8", 400, "3/31/24, 6:05:09\u{202F}PM"), ("en_GB", 1, "Yesterday, 18:05:09"),
        ("en_GB", 9, "31/03/2024, 18:05:09"), ("de_DE@euro", 0, "Heute, 18:05:09"), ("de_DE", 3, "31.03.24, 18:05:09"),
        ("fr_FR", 0, "Aujourd’hui 18:05:09"), ("fr_FR", 3, "31/03/2024 18:05:09"), ("ru_RU", 1, "Вчера, 18:05:09"),
        ("sv_SE", 1, "I går 18:05:09"), ("ja_JP", 0, "今日 18:05:09"), ("C", 0, "2024-03-31 18:05:09"),
        ("POSIX", 1, "2024-03-31 18:05:09"), ("C.UTF-8", 9, "2024-03-31 18:05:09"), ("", 0, "2024-03-31 18:05:09"),
    ])
    func writesTheDayAsAWordNearToday(locale: String, daysAgo: Int, expected: String) throws {
        let then = try instant(Self.walk)
        let now = then + Int64(daysAgo) * 86_400_000_000
        let text = LocalTime.dateTime(
            microseconds: then,
            locale: LocaleName(posix: locale),
            zone: try Zone(named: "UTC"),
            relativeTo: now
        )
        #expect(text == expected)
    }

    @Test func countsDaysByTheCalendarOfTheZone() throws {
        // 23:30 and 00:10 in Los Angeles: 40 minutes apart, and yesterday; in UTC it is one day.
        let zone = try Zone(named: "America/Los_Angeles")
        let then = try instant(WallClock(year: 2024, month: 3, day: 30, hour: 23, minute: 30), zone.name)
        let now = then + 40 * 60 * 1_000_000
        let locale = LocaleName(posix: "en_GB")
        #expect(
            LocalTime.dateTime(microseconds: then, locale: locale, zone: zone, relativeTo: now) == "Yesterday, 23:30:00"
        )
        #expect(
            LocalTime.dateTime(microseconds: then, locale: locale, zone: try Zone(named: "UTC"), relativeTo: now)
                == "Today, 06:30:00"
        )
    }

    private static let zones = ["UTC", "Pacific/Kiritimati", "America/Los_Angeles", "Europe/Berlin"]

    /// A day entered in one zone and read there is the same day, all through the night the clocks change.
    @Test(arguments: zones)
    func keepsTheDayThroughAChangeOfClocks(name: String) throws {
        let zone = try Zone(named: name)
        for hour in 0..<24 {
            let instant = try instant(WallClock(year: 2024, month: 3, day: 31, hour: hour, minute: 30), name)
            #expect(LocalTime.calendarDay(of: instant, in: zone) == (2024, 3, 31))
        }
    }

    @Test(arguments: zip(zones, [(2024, 4, 1), (2024, 4, 1), (2024, 3, 31), (2024, 4, 1)]))
    func findsTodayInTheZoneOfTheUser(name: String, day: (Int, Int, Int)) throws {
        let now = try instant(WallClock(year: 2024, month: 3, day: 31, hour: 23, minute: 30), "America/Los_Angeles")
        #expect(LocalTime.calendarDay(of: now, in: try Zone(named: name)) == day)
    }

    @Test(arguments: [
        // zone, wall clock, offset from UTC in seconds
        ("Europe/Berlin", WallClock(year: 2024, month: 3, day: 31, hour: 1, minute: 59, second: 59), 3600),
        ("Europe/Berlin", WallClock(year: 2024, month: 3, day: 31, hour: 3), 7200),
        ("Europe/Berlin", WallClock(year: 2024, month: 10, day: 27, hour: 2), 7200),  // shown twice: the first
        ("Europe/Berlin", WallClock(year: 2024, month: 10, day: 27, hour: 2, minute: 59), 7200),
        ("Europe/Berlin", WallClock(year: 2024, month: 10, day: 27, hour: 3), 3600),
        ("Australia/Lord_Howe", WallClock(year: 2024, month: 4, day: 7, hour: 1, minute: 45), 39600),
        ("Asia/Kolkata", WallClock(year: 2024, month: 1, day: 1), 19800),
        ("Pacific/Kiritimati", WallClock(year: 2024, month: 3, day: 31), 50400),
        ("America/St_Johns", WallClock(year: 2024, month: 7, day: 1), -9000),
        ("UTC", WallClock(year: 1, month: 1, day: 1), 0),
        ("UTC", WallClock(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59), 0),
        ("UTC", WallClock(year: 1500, month: 2, day: 28), 0),
    ])
    func findsTheInstantOfAWallClock(name: String, clock: WallClock, offset: Int64) throws {
        let utc = try instant(clock)
        let local = try instant(clock, name)
        #expect(utc - local == offset * 1_000_000)
        #expect(LocalTime.wallClock(of: local, in: try Zone(named: name)) == clock)
    }

    @Test(arguments: [
        (
            "Europe/Berlin", WallClock(year: 2024, month: 3, day: 31, hour: 2, minute: 30),
            WallClock(year: 2024, month: 3, day: 31, hour: 3, minute: 30)
        ),
        (
            "America/Los_Angeles", WallClock(year: 2024, month: 3, day: 10, hour: 2),
            WallClock(year: 2024, month: 3, day: 10, hour: 3)
        ),
        (
            // Samoa left out the whole day.
            "Pacific/Apia", WallClock(year: 2011, month: 12, day: 30, hour: 12),
            WallClock(year: 2011, month: 12, day: 31, hour: 12)
        ),
    ])
    func movesSkippedTimesForward(name: String, clock: WallClock, expected: WallClock) throws {
        #expect(LocalTime.wallClock(of: try instant(clock, name), in: try Zone(named: name)) == expected)
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01 00:00:00"), (-1, "1969-12-31 23:59:59"), (951_782_400_000_000, "2000-02-29 00:00:00"),
        (1_711_908_309_999_999, "2024-03-31 18:05:09"), (-62_135_596_800_000_000, "0001-01-01 00:00:00"),
        (.max, "294247-01-10 04:00:54"), (.min, "-290308-12-21 19:59:05"),
    ])
    func readsEveryInstant(microseconds: Int64, expected: String) throws {
        let zone = try Zone(named: "UTC")
        #expect(LocalTime.dateTime(microseconds: microseconds, locale: .c, zone: zone, relativeTo: 0) == expected)
        for locale in ["en_US", "th_TH", "fa_IR", "ja_JP"].map(LocaleName.init(posix:)) {
            let text = LocalTime.dateTime(microseconds: microseconds, locale: locale, zone: zone, relativeTo: 0)
            #expect(!text.isEmpty)
        }
    }

    @Test func findsItsWayBackFromEveryInstant() throws {
        var random = SeededGenerator(seed: 0x5EED_0006)
        for name in Self.zones + ["Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia", "America/Caracas"] {
            let zone = try Zone(named: name)
            for _ in 0..<500 {
                let seconds = Int64.random(in: -3_000_000_000...5_000_000_000, using: &random)
                let clock = LocalTime.wallClock(of: seconds * 1_000_000, in: zone)
                let back = try LocalTime.microseconds(of: clock, in: zone)
                // The second showing of a doubled time comes back as the first, so the clock is what must agree.
                #expect(LocalTime.wallClock(of: back, in: zone) == clock, "seed \(random.seed) \(name) \(seconds)")
                #expect(back <= seconds * 1_000_000)
            }
        }
    }

    @Test(arguments: [
        WallClock(year: 2023, month: 2, day: 29), WallClock(year: 2024, month: 2, day: 30),
        WallClock(year: 2024, month: 4, day: 31), WallClock(year: 1900, month: 2, day: 29),
        WallClock(year: 2024, month: 0, day: 1), WallClock(year: 2024, month: 13, day: 1),
        WallClock(year: 2024, month: 1, day: 0), WallClock(year: 0, month: 1, day: 1),
        WallClock(year: 10000, month: 1, day: 1), WallClock(year: .max, month: .max, day: .min),
        WallClock(year: 2024, month: 1, day: 1, hour: 24), WallClock(year: 2024, month: 1, day: 1, minute: 60),
        WallClock(year: 2024, month: 1, day: 1, second: 60), WallClock(year: 2024, month: 1, day: 1, hour: -1),
    ])
    func refusesATimeThatDoesNotExist(clock: WallClock) throws {
        #expect(throws: TextError.noSuchTime(clock)) { try instant(clock) }
    }

    @Test(arguments: [(1, "Jan"), (3, "Mar"), (9, "Sep"), (12, "Dec")])
    func writesOrderDaysInEnglish(month: Int, name: String) {
        #expect(LocalTime.englishDay(year: 2024, month: month, day: 31) == "\(name) 31, 2024")
        #expect(LocalTime.englishDay(year: 2024, month: month, day: 1) == "\(name) 1, 2024")
    }

    @Test(arguments: [0, 13, .min, .max]) func writesAMonthWithoutANameAsANumber(month: Int) {
        #expect(LocalTime.englishDay(year: 2024, month: month, day: 1).hasPrefix("2024-"))
    }
}
