/// A day of the calendar, not an instant: no time zone ever shifts it. Proleptic Gregorian, 0001-01-01 to 9999-12-31.
public struct CalendarDay: Hashable, Sendable {
    private let packedYear: Int16
    private let packedMonth: UInt8
    private let packedDay: UInt8

    /// 1 to 9999.
    public var year: Int { Int(packedYear) }
    /// 1 to 12.
    public var month: Int { Int(packedMonth) }
    /// 1 to 31.
    public var day: Int { Int(packedDay) }

    /// The day of these numbers.
    ///
    /// - Throws: ``DateError/yearOutOfRange(_:)``, ``DateError/noSuchMonth(_:)`` or ``DateError/noSuchDay``.
    public init(year: Int, month: Int, day: Int) throws(DateError) {
        guard 1...9999 ~= year else { throw .yearOutOfRange(year) }
        guard 1...12 ~= month else { throw .noSuchMonth(month) }
        let last = Self.days(inMonth: month, of: year)
        guard 1...last ~= day else { throw .noSuchDay(year: year, month: month, day: day, last: last) }
        self.init(trusted: (year, month, day))
    }

    private init(trusted date: (year: Int, month: Int, day: Int)) {
        packedYear = Int16(date.year)
        packedMonth = UInt8(date.month)
        packedDay = UInt8(date.day)
    }

    /// 0001-01-01.
    public static let first = CalendarDay(trusted: (1, 1, 1))

    /// 9999-12-31.
    public static let last = CalendarDay(trusted: (9999, 12, 31))

    /// Whether `year` has a 29th of February.
    public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// 28 to 31; 0 for a month outside 1 to 12.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case 1...12: 31
        default: 0
        }
    }
}

extension CalendarDay: Comparable {
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.order < right.order }

    private var order: Int { year << 9 | month << 5 | day }
}

// Day numbers. A year counted from March has its leap day last, so 153 days make every five months, and 146,097 days
// make every 400 years.
extension CalendarDay {
    /// Days since 1970-01-01, negative before: -719,162 to 2,932,896.
    public var daysSince1970: Int {
        let fromMarch = month > 2 ? (year: year, month: month - 3) : (year: year - 1, month: month + 9)
        // The year is 0 or more here, so plain division rounds down.
        let leapDays = fromMarch.year / 4 - fromMarch.year / 100 + fromMarch.year / 400
        return fromMarch.year * 365 + leapDays + (153 * fromMarch.month + 2) / 5 + day - 1 - 719_468
    }

    /// The day that many days after 1970-01-01; `nil` outside the years 1 to 9999.
    public init?(daysSince1970 days: Int) {
        guard -719_162...2_932_896 ~= days else { return nil }
        self.init(trusted: Self.civil(daysSince1970: days))
    }

    /// Year, month and day of any day number that an ``Instant`` can reach; the year may be 0 or negative.
    static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, inEra) = floorDivided(Int64(days) + 719_468, by: 146_097)
        let dayOfEra = Int(inEra)
        // Take the leap days out first: one each 1,460 days, but not each 36,524, but each 146,096.
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (Int(era) * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    /// The day `count` days later, or earlier when negative.
    ///
    /// - Throws: ``DateError/yearOutOfRange(_:)`` beyond the years 1 to 9999.
    public func adding(days count: Int) throws(DateError) -> CalendarDay {
        let (days, overflow) = daysSince1970.addingReportingOverflow(count)
        guard !overflow, let sum = CalendarDay(daysSince1970: days) else {
            throw .yearOutOfRange(count < 0 ? 0 : 10_000)
        }
        return sum
    }

    /// The same day `count` months later, or the last of that month when it is shorter: 2024-01-31 and 1 give
    /// 2024-02-29.
    ///
    /// - Throws: ``DateError/yearOutOfRange(_:)`` beyond the years 1 to 9999.
    public func adding(months count: Int) throws(DateError) -> CalendarDay {
        let (months, overflow) = (year * 12 + month - 1).addingReportingOverflow(count)
        guard !overflow, 12..<120_000 ~= months else { throw .yearOutOfRange(count < 0 ? 0 : 10_000) }
        let (year, month) = (months / 12, months % 12 + 1)
        return CalendarDay(trusted: (year, month, min(day, Self.days(inMonth: month, of: year))))
    }
}

extension CalendarDay: LosslessStringConvertible {
    /// As ``init(parsing:)``, with `nil` for what it refuses.
    public init?(_ text: String) {
        guard let value = try? CalendarDay(parsing: text) else { return nil }
        self = value
    }

    /// Reads exactly `2024-03-31`: ten ASCII characters, nothing before or after.
    ///
    /// - Throws: ``DateError`` that says which part is wrong.
    public init(parsing text: String) throws(DateError) {
        var rest = DateScanner(text)
        guard let day = try rest.calendarDay(), rest.isAtEnd else { throw .notADay(clipped(text)) }
        self = day
    }

    /// `2024-03-31` (ISO 8601).
    public var description: String { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// Lends `2024-03-31` as its ten bytes.
    func withUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        func digit(_ number: Int) -> UInt8 { UInt8(ascii: "0") + UInt8(number % 10) }
        let hyphen = UInt8(ascii: "-")
        let text = (
            digit(year / 1000), digit(year / 100), digit(year / 10), digit(year), hyphen, digit(month / 10),
            digit(month), hyphen, digit(day / 10), digit(day)
        )
        return withUnsafeBytes(of: text, body)
    }

    /// `Mar 31, 2024`, the month by the first three letters of its English name.
    public var english: String {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(names[month - 1]) \(day), \(year)"
    }
}

extension CalendarDay: Codable {
    /// Reads the text `2024-03-31`.
    ///
    /// - Throws: `DecodingError` with the sentence of the ``DateError``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(DateError) {
            try self.init(parsing: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes the text `2024-03-31`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
