import ArgumentParser
import Messages

/// The options of a span of days, both ends included.
struct PeriodOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only these days: 2024-02, last month, this week, 2024-01-15..2024-02-14; the last day is included.",
            valueName: "period"
        )
    )
    var period: String?

    @Option(help: ArgumentHelp("From this day on: 2024-03-31, today, mon, -3d, or a month.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("Up to and including this day, or the last of this month.", valueName: "day"))
    var to: String?

    /// The days that were given.
    ///
    /// - Throws: ``CLIError/usage(_:)``, also for a period that ends before it begins.
    func days(today: CalendarDay = .today()) throws(CLIError) -> (from: CalendarDay?, to: CalendarDay?) {
        if let period {
            guard from == nil, to == nil else { throw .usage("--period says both ends: leave --from and --to out.") }
            let span = try DayText.span(period, option: "--period", today: today)
            return (span.from, span.through)
        }
        let from = try from.map { text throws(CLIError) in try DayText.span(text, option: "--from", today: today) }?
            .from
        let to = try to.map { text throws(CLIError) in try DayText.span(text, option: "--to", today: today) }?.through
        if let from, let to, to < from {
            throw .usage("--to is \(to), before --from, which is \(from): turn the two around.")
        }
        return (from, to)
    }
}

extension PeriodOptions {
    /// The days for people: `Jan 1, 2024 – Jan 31, 2024`.
    static func words(_ from: CalendarDay?, _ through: CalendarDay?) -> String {
        switch (from, through) {
        case (let from?, let through?): "\(from.english) – \(through.english)"
        case (let from?, nil): "From \(from.english) on"
        case (nil, let through?): "Up to \(through.english)"
        case (nil, nil): "All days"
        }
    }
}

/// The options of what is made and paid.
struct ProgressOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that are made, or are not.")
    var made: Bool?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that are paid, or are not.")
    var paid: Bool?
}

extension ProgressOptions {
    /// What was chosen for people: `Only orders that are made, not paid.`; nil for all.
    var words: String? {
        let words = [made.map { $0 ? "made" : "not made" }, paid.map { $0 ? "paid" : "not paid" }].compactMap(\.self)
        return words.isEmpty ? nil : "Only orders that are \(words.joined(separator: ", "))."
    }
}
