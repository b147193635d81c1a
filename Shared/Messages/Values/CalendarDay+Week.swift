import Glibc

extension CalendarDay {
    /// A day of the week, numbered as ISO 8601 does: Monday 1 to Sunday 7.
    public enum Weekday: Int, Sendable, CaseIterable {
        case monday = 1
        case tuesday, wednesday, thursday, friday, saturday, sunday
    }

    /// A week of ISO 8601: Monday to Sunday, in the year that holds its Thursday. Prints as `2024-W13`.
    public struct Week: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// 1 to 9999; near New Year it can differ from the day's year.
        public let year: Int
        /// 1 to 53.
        public let number: Int

        public static func < (left: Week, right: Week) -> Bool { (left.year, left.number) < (right.year, right.number) }

        public var description: String { "\(padded(year, 4))-W\(padded(number, 2))" }
    }

    /// The day of the week.
    public var weekday: Weekday {
        Weekday(rawValue: Int(floorDivided(Int64(daysSince1970) + 3, by: 7).remainder) + 1) ?? .monday
    }

    /// The ISO week this day is in. Both ends of the calendar lie in weeks of their own years.
    public var week: Week {
        let thursday = Self.civil(daysSince1970: daysSince1970 + 4 - weekday.rawValue)
        var dayOfYear = thursday.day
        for month in 1..<thursday.month { dayOfYear += Self.days(inMonth: month, of: thursday.year) }
        return Week(year: thursday.year, number: (dayOfYear - 1) / 7 + 1)
    }
}

extension CalendarDay {
    /// The day in the zone of this process (`TZ`, else `/etc/localtime`) at `instant`.
    ///
    /// Instants outside the years 1 to 9999 give the first or the last day. Services must not use it: they run in zones
    /// of their own, and "today" is the client's.
    public static func today(at instant: Instant = .now()) -> CalendarDay {
        var seconds = time_t(floorDivided(instant.microseconds, by: 1_000_000).quotient)
        var local = tm()
        // The zone is read by tzset, which localtime_r need not call (POSIX, localtime).
        tzset()
        localtime_r(&seconds, &local)
        let day = try? CalendarDay(
            year: Int(local.tm_year) + 1900,
            month: Int(local.tm_mon) + 1,
            day: Int(local.tm_mday)
        )
        return day ?? CalendarDay(daysSince1970: seconds < 0 ? -719_162 : 2_932_896)!
    }
}
