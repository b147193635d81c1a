import Messages

/// Calendar days and periods as they are written on the command line; see ``DayWords``.
///
/// Today is that of the user's own zone, whatever that of the services.
enum DayText {
    /// - Parameters:
    ///   - option: what a refusal names.
    ///   - today: the user's day.
    ///   - leaning: which way the name of a weekday means.
    /// - Throws: ``CLIError/usage(_:)``.
    static func day(
        _ text: String,
        option: String,
        today: CalendarDay = .today(),
        leaning: DayWords.Leaning = .past
    ) throws(CLIError) -> CalendarDay {
        do throws(DateError) {
            guard let span = try DayWords(today: today, leaning: leaning).span(text) else {
                throw .notADay(text)
            }
            if let day = span.day { return day }
        } catch {
            throw refusal(error, option, hint: " Or write today, yesterday, mon or +3d.")
        }
        throw .usage("\(option): \(quoted(text)) is more than a day: write one like 2024-03-31, today, mon or +3d.")
    }

    /// A day or a period.
    ///
    /// - Throws: as ``day(_:option:today:leaning:)``, also for a period that ends before it begins.
    static func span(
        _ text: String,
        option: String,
        today: CalendarDay = .today(),
        leaning: DayWords.Leaning = .past
    ) throws(CLIError) -> DaySpan {
        let span: DaySpan
        do throws(DateError) {
            guard let read = try DayWords(today: today, leaning: leaning).span(text) else { throw .notADay(text) }
            span = read
        } catch {
            throw refusal(error, option, hint: " Or write 2024-02, last month, this week or 2024-01-15..2024-02-14.")
        }
        guard let from = span.from, let through = span.through, through < from else { return span }
        throw .usage("\(option): \(quoted(text)) ends on \(through), before it begins: turn the two around.")
    }

    private static func refusal(_ error: DateError, _ option: String, hint: String) -> CLIError {
        let end = if case .notADay = error { hint } else { "" }
        return .usage("\(option): \(error.description)\(end)")
    }
}
