import ArgumentParser
import Messages

/// Calendar days as they are written on the command line: `2024-03-31`, `today` or `yesterday`.
///
/// Today is that of the user's own zone, whatever that of the services.
enum DayText {
    /// - Parameters:
    ///   - option: what a refusal names.
    ///   - today: the user's day.
    /// - Throws: ``CLIError/usage(_:)``.
    static func day(_ text: String, option: String, today: CalendarDay = .today()) throws(CLIError) -> CalendarDay {
        do throws(DateError) {
            switch text.lowercased() {
            case "today": return today
            case "yesterday": return try today.adding(days: -1)
            default: return try CalendarDay(parsing: text)
            }
        } catch {
            let hint = if case .notADay = error { " Or write today or yesterday." } else { "" }
            throw .usage("\(option): \(error.description)\(hint)")
        }
    }
}

/// The options of a span of days, both ends included.
struct PeriodOptions: ParsableArguments {
    @Option(help: ArgumentHelp("From this day on: 2024-03-31, today or yesterday.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("Up to and including this day.", valueName: "day"))
    var to: String?

    /// The days that were given.
    ///
    /// - Throws: ``CLIError/usage(_:)``, also for a period that ends before it begins.
    func days() throws(CLIError) -> (from: CalendarDay?, to: CalendarDay?) {
        let from = try from.map { text throws(CLIError) in try DayText.day(text, option: "--from") }
        let to = try to.map { text throws(CLIError) in try DayText.day(text, option: "--to") }
        if let from, let to, to < from {
            throw .usage("--to is \(to), before --from, which is \(from): turn the two around.")
        }
        return (from, to)
    }
}

/// The options of what is made and paid.
struct ProgressOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that are made, or are not.")
    var made: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that are paid, or are not.")
    var paid: Bool?
}
