/// A day and a time of day as a clock on the wall shows them, with no time zone. Gregorian, also for years before it.
public struct WallClock: Hashable, Sendable {
    /// The year, in which 0 is 1 BC.
    public var year: Int
    /// 1...12.
    public var month: Int
    /// 1...31.
    public var day: Int
    /// 0...23.
    public var hour: Int
    /// 0...59.
    public var minute: Int
    /// 0...59; there are no leap seconds.
    public var second: Int

    /// A day and time, midnight unless told. Nothing is checked here; ``LocalTime/microseconds(of:in:)`` does.
    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }
}

extension WallClock {
    private static let secondsPerDay = 86400

    /// The clock at `seconds` after its 1970-01-01 00:00:00.
    init(seconds: Int) {
        let (days, rest) = seconds.flooredDivision(by: Self.secondsPerDay)
        // Years are counted from March, so that the leap day comes last, in eras of 400 years.
        let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1,
            hour: rest / 3600,
            minute: rest / 60 % 60,
            second: rest % 60
        )
    }

    /// Days from 1970-01-01 to this day. Meaningless when ``isValid`` is false.
    var daysSince1970: Int {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = yearFromMarch.flooredDivision(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Seconds from this clock's 1970-01-01 00:00:00.
    var seconds: Int { daysSince1970 * Self.secondsPerDay + hour * 3600 + minute * 60 + second }

    /// Whether the calendar has the day and the day has the time, with the year in 1...9999.
    var isValid: Bool {
        guard 1...9999 ~= year, 1...12 ~= month, 1...31 ~= day else { return false }
        guard 0...23 ~= hour, 0...59 ~= minute, 0...59 ~= second else { return false }
        // The 31st of a month of 30 days comes back as the 1st of the next.
        return WallClock(seconds: seconds) == self
    }

    /// `2024-03-31 18:05:09`; ISO 8601 with a space, which sorts.
    var iso: String {
        "\(isoDay) \(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))"
    }

    /// `2024-03-31`.
    var isoDay: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
        return (number < 0 ? "-" : "") + zeros + text
    }
}

extension Int {
    /// Quotient rounded down and remainder of at least 0, for a positive divisor.
    func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
