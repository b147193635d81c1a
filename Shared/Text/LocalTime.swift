/// Instants as people read and write them: in a time zone, in a locale.
///
/// An instant is a count of microseconds since 1970-01-01 00:00 UTC. Days are Gregorian for all years, before 1582 too,
/// except in ``dateTime(microseconds:locale:zone:relativeTo:)``, which follows the locale's calendar.
public enum LocalTime {
    /// The instant as a short date and a medium time, the date a word where the locale has one for its distance in
    /// calendar days from `now`, capitalised as at the start of a line.
    ///
    /// `zh_CN`: `今天 18:05:09`, `昨天 18:05:09`, `2024/3/28 18:05:09`. `en_US`: `Today, 6:05:09 PM`, `3/28/24, 6:05:09 PM`.
    /// Many locales also have words for tomorrow, and for two days off (`前天`, `Vorgestern`), as ICU's relative styles
    /// do. The locale `C` never uses words: `2024-03-31 18:05:09`.
    ///
    /// The text is ICU's as it is. Between time and `AM` or `PM` stands U+202F (narrow no-break space) since CLDR 42,
    /// other locales bring U+200F or digits of their own: it is for eyes, not for parsing.
    ///
    /// Takes a few µs, the first call in a locale about 1 ms.
    public static func dateTime(
        microseconds: Int64,
        locale: LocaleName,
        zone: Zone,
        relativeTo now: Int64
    ) -> String {
        let clock = wallClock(of: microseconds, in: zone)
        guard let identifier = locale.identifier else { return clock.iso }
        let days = clock.daysSince1970 - wallClock(of: now, in: zone).daysSince1970
        return DateStyle.of(identifier).format(clock, days: days)
    }

    /// The calendar day that an instant falls on in a zone.
    public static func calendarDay(of microseconds: Int64, in zone: Zone) -> (year: Int, month: Int, day: Int) {
        let clock = wallClock(of: microseconds, in: zone)
        return (clock.year, clock.month, clock.day)
    }

    /// The day and time that a clock on the wall shows at an instant, parts of seconds cut off.
    public static func wallClock(of microseconds: Int64, in zone: Zone) -> WallClock {
        let seconds = Int(microseconds).flooredDivision(by: 1_000_000).quotient
        return WallClock(seconds: seconds + zone.offset(at: seconds))
    }

    /// The instant at which a clock on the wall in `zone` shows `clock`.
    ///
    /// A time that is shown twice, as clocks go back, is the first of the two. A time that is skipped moves forward by
    /// as much as the clocks do: 02:30 in Berlin on 2024-03-31 is 03:30.
    /// - Throws: `TextError.noSuchTime` where the calendar has no such day or time, or the year is outside 1...9999.
    public static func microseconds(of clock: WallClock, in zone: Zone) throws(TextError) -> Int64 {
        guard clock.isValid else { throw .noSuchTime(clock) }
        let wall = clock.seconds
        // A day before and after, in UTC, is on either side of a change of clocks near by, and past no other one.
        let before = wall - zone.offset(at: wall - 86400)
        let after = wall - zone.offset(at: wall + 86400)
        let isSkippedBefore = before + zone.offset(at: before) != wall
        let isShownAfter = after + zone.offset(at: after) == wall
        return Int64(isSkippedBefore && isShownAfter ? after : before) * 1_000_000
    }

    /// A day as order lines have it, in English whatever the locale: `Mar 31, 2024`.
    public static func englishDay(year: Int, month: Int, day: Int) -> String {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard 1...12 ~= month else { return WallClock(year: year, month: month, day: day).isoDay }
        return "\(names[month - 1]) \(day), \(year)"
    }
}
