import Messages

/// Days from one to another, both included; a side that is nil is open.
struct DaySpan: Sendable, Hashable {
    var from: CalendarDay?
    var through: CalendarDay?

    static func day(_ day: CalendarDay) -> DaySpan { DaySpan(from: day, through: day) }

    /// The one day that it is; nil for more.
    var day: CalendarDay? { from == through ? from : nil }
}

/// Reads days and periods as people say them. Pure: today is given.
///
/// - days: `2024-03-31`, `today`, `yesterday`, `tomorrow`, `mon`, `last fri`, `next tue`, `+3d`, `-2w`, `+1m`, `-1y`
/// - periods: `2024`, `2024-02`, `2024-Q1`, `2024-W09`, and `this`, `last` or `next` with `week`, `month`, `quarter` or
///   `year`; weeks begin on Monday
/// - from one to another, the last day included: `A..B`, `A..`, `..B`, of days or periods
///
/// Words may be joined by hyphens, `last-month`; case is no matter.
struct DayWords: Sendable {
    /// Which way a bare name of a weekday means.
    enum Leaning: Sendable {
        /// The last one, perhaps today: of what has been.
        case past
        /// The next one, perhaps today: of what is to come.
        case coming
    }

    var today: CalendarDay
    var leaning: Leaning

    /// - Returns: nil for what is neither.
    /// - Throws: ``DateError`` for a day or month that doesn't exist.
    func span(_ text: String) throws(DateError) -> DaySpan? {
        let text = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard let dots = text.firstRange(of: "..") else { return try simple(text) }
        let (left, right) = (text[..<dots.lowerBound], text[dots.upperBound...])
        guard !left.isEmpty || !right.isEmpty else { return nil }
        var span = DaySpan()
        if !left.isEmpty {
            guard let start = try simple(Self.trimmed(left)) else { return nil }
            span.from = start.from
        }
        if !right.isEmpty {
            guard let end = try simple(Self.trimmed(right)) else { return nil }
            span.through = end.through
        }
        return span
    }

    private static func trimmed(_ text: Substring) -> String { text.split(separator: " ").joined(separator: " ") }

    private func simple(_ text: String) throws(DateError) -> DaySpan? {
        switch text {
        case "today": return .day(today)
        case "yesterday": return .day(try today.adding(days: -1))
        case "tomorrow": return .day(try today.adding(days: 1))
        default: break
        }
        if let day = try offset(text) { return .day(day) }
        if text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true { return try numeric(text) }
        let words = text.split { $0 == " " || $0 == "-" }.map(String.init)
        if words.count == 1, let weekday = Self.weekday(words[0]) { return .day(try day(weekday)) }
        guard words.count == 2, let step = ["last": -1, "this": 0, "next": 1][words[0]] else { return nil }
        if let weekday = Self.weekday(words[1]), step != 0 { return .day(try day(weekday, step)) }
        return try period(words[1], step)
    }

    // MARK: Days

    private static func weekday(_ text: String) -> CalendarDay.Weekday? {
        guard text.utf8.count >= 3 else { return nil }
        return CalendarDay.Weekday.allCases.first {
            let name = "\($0)"
            return text == name || text == name.prefix(3) || text.utf8.count >= 4 && name.hasPrefix(text)
        }
    }

    private func day(_ weekday: CalendarDay.Weekday) throws(DateError) -> CalendarDay {
        let ahead = (weekday.rawValue - today.weekday.rawValue + 7) % 7
        return try today.adding(days: leaning == .coming || ahead == 0 ? ahead : ahead - 7)
    }

    /// The nearest before today, or after.
    private func day(_ weekday: CalendarDay.Weekday, _ step: Int) throws(DateError) -> CalendarDay {
        let ahead = (weekday.rawValue - today.weekday.rawValue + 7) % 7
        return try today.adding(days: step > 0 ? (ahead == 0 ? 7 : ahead) : ahead - 7)
    }

    /// `+3d`, `-2w`.
    private func offset(_ text: String) throws(DateError) -> CalendarDay? {
        guard let sign = text.first, sign == "+" || sign == "-", let unit = text.last,
            let number = Int(text.dropFirst().dropLast()), 0...100_000 ~= number
        else { return nil }
        let count = sign == "-" ? -number : number
        switch unit {
        case "d": return try today.adding(days: count)
        case "w": return try today.adding(days: count * 7)
        case "m": return try today.adding(months: count)
        case "y": return try today.adding(months: count * 12)
        default: return nil
        }
    }

    // MARK: Periods

    private func numeric(_ text: String) throws(DateError) -> DaySpan? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts[0].utf8.count == 4, let year = Int(parts[0]) else { return .day(try CalendarDay(parsing: text)) }
        guard parts.count < 3 else { return .day(try CalendarDay(parsing: text)) }
        guard parts.count == 2 else { return try Self.months(12, from: year, 1) }
        let part = parts[1]
        let number = Int(part.dropFirst())
        if part.hasPrefix("q"), let number, 1...4 ~= number { return try Self.months(3, from: year, number * 3 - 2) }
        if part.hasPrefix("w"), part.utf8.count == 3, let number { return try Self.week(number, of: year) }
        guard part.utf8.count == 2, let month = Int(part) else { return nil }
        return try Self.months(1, from: year, month)
    }

    private func period(_ unit: String, _ step: Int) throws(DateError) -> DaySpan? {
        switch unit {
        case "week":
            let monday = try today.adding(days: step * 7 + 1 - today.weekday.rawValue)
            return DaySpan(from: monday, through: try monday.adding(days: 6))
        case "month":
            let day = try today.adding(months: step)
            return try Self.months(1, from: day.year, day.month)
        case "quarter":
            let day = try today.adding(months: step * 3)
            return try Self.months(3, from: day.year, (day.month - 1) / 3 * 3 + 1)
        case "year": return try Self.months(12, from: today.year + step, 1)
        default: return nil
        }
    }

    private static func months(_ count: Int, from year: Int, _ month: Int) throws(DateError) -> DaySpan {
        let first = try CalendarDay(year: year, month: month, day: 1)
        // By the last month's first day, because there is none after the year 9999.
        let last = try first.adding(months: count - 1)
        return DaySpan(from: first, through: try last.adding(days: last.daysInMonth - 1))
    }

    private static func week(_ number: Int, of year: Int) throws(DateError) -> DaySpan? {
        let fourth = try CalendarDay(year: year, month: 1, day: 4)
        let monday = try fourth.adding(days: 1 - fourth.weekday.rawValue + (number - 1) * 7)
        guard monday.week.year == year, monday.week.number == number else { return nil }
        return DaySpan(from: monday, through: try monday.adding(days: 6))
    }
}

extension CalendarDay {
    /// How many days its month has.
    fileprivate var daysInMonth: Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
