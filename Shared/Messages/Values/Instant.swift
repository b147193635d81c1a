import Glibc

/// A moment in time: microseconds since 1970-01-01T00:00:00 UTC, leap seconds not counted (as POSIX has it).
///
/// A time zone is applied where it is shown, never here. Days of the calendar are ``CalendarDay``.
public struct Instant: Hashable, Sendable {
    /// Microseconds since 1970 UTC; negative before.
    public let microseconds: Int64

    /// Any number of microseconds since 1970 UTC.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Whole milliseconds since 1970 UTC, rounded towards the past.
    public var milliseconds: Int64 { floorDivided(microseconds, by: 1000).quotient }

    /// The system's clock now (`CLOCK_REALTIME`); it may step back when the clock is set.
    public static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

extension Instant: InstantProtocol {
    public static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }

    /// The instant `duration` later, in whole microseconds (the rest is dropped); held at the ends of the range.
    public func advanced(by duration: Duration) -> Instant {
        let sum = Int128(microseconds) + duration.attoseconds / 1_000_000_000_000
        return Instant(microseconds: Int64(clamping: sum))
    }

    /// The time from here to `other`; negative when `other` is earlier.
    public func duration(to other: Instant) -> Duration {
        .microseconds(other.microseconds) - .microseconds(microseconds)
    }
}

extension Instant: LosslessStringConvertible {
    /// RFC 3339 in UTC: `2024-03-31T18:05:09Z`, with `.123` or `.123456` when there are milliseconds or microseconds.
    ///
    /// RFC 3339 ends with the years 0000 and 9999; beyond them the year has six digits and a sign (ISO 8601, expanded).
    public var description: String {
        let (days, inDay) = floorDivided(microseconds, by: 86_400_000_000)
        let date = CalendarDay.civil(daysSince1970: Int(days))
        let seconds = Int(inDay / 1_000_000)
        let fraction = Int(inDay % 1_000_000)
        var text = ""
        if 0...9999 ~= date.year {
            append(date.year, 4)
        } else {
            text += date.year < 0 ? "-" : "+"
            append(abs(date.year), 6)
        }
        for (mark, number) in [
            ("-", date.month), ("-", date.day), ("T", seconds / 3600), (":", seconds / 60 % 60), (":", seconds % 60),
        ] {
            text += mark
            append(number, 2)
        }
        if fraction % 1000 != 0 {
            text += "."
            append(fraction, 6)
        } else if fraction != 0 {
            text += "."
            append(fraction / 1000, 3)
        }
        return text + "Z"

        func append(_ number: Int, _ width: Int) { text += padded(number, width) }
    }

    /// As ``init(parsing:)``, with `nil` for what it refuses.
    public init?(_ text: String) {
        guard let value = try? Instant(parsing: text) else { return nil }
        self = value
    }

    /// Reads RFC 3339, section 5.6: `2024-03-31T20:05:09.5+02:00`, years 0001 to 9999, `T` and `Z` in either case.
    ///
    /// Digits after the microseconds are dropped, so the value is never later than the text. A leap second (`:60`) is
    /// accepted where one can be, at the end of the last day of a month in UTC, and counted as the second after it.
    ///
    /// - Throws: ``DateError``.
    public init(parsing text: String) throws(DateError) {
        var rest = DateScanner(text)
        guard let day = try rest.calendarDay(), rest.take("T", "t"),
            let hour = rest.number(2), rest.take(":"),
            let minute = rest.number(2), rest.take(":"), let second = rest.number(2)
        else { throw .notAnInstant(clipped(text)) }
        guard hour < 24, minute < 60, second <= 60 else { throw .noSuchTime(clipped(text)) }
        var fraction = 0
        if rest.take(".") {
            guard let digits = rest.fraction(6) else { throw .notAnInstant(clipped(text)) }
            fraction = digits
        }
        guard let offset = rest.offset(), rest.isAtEnd else { throw .notAnInstant(clipped(text)) }
        guard abs(offset) < 24 * 60 else { throw .noSuchTime(clipped(text)) }
        let seconds = day.daysSince1970 * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        if second == 60 {
            let next = floorDivided(Int64(seconds), by: 86_400)
            guard next.remainder == 0, CalendarDay.civil(daysSince1970: Int(next.quotient)).day == 1 else {
                throw .noSuchTime(clipped(text))
            }
        }
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(fraction))
    }
}

extension Instant: Codable {
    /// Reads an integer of microseconds since 1970 UTC.
    public init(from decoder: any Decoder) throws {
        self.init(microseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes an integer of microseconds since 1970 UTC.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }
}

/// Division rounded towards the past, so that the remainder is never negative; `divisor` is positive.
func floorDivided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
