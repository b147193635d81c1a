import ArgumentParser
import Messages

/// The option of what can go back to a moment.
struct AsOfOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What was known then, with the names of then: the end of a day or period (2024-03-31, yesterday, last month), a "
                + "time ('yesterday 18:05', RFC 3339), or the number of an event (1234, orders:1234).",
            valueName: "moment"
        )
    )
    var asOf: String?

    /// The moment that was given; nil for now.
    ///
    /// - Parameters:
    ///   - log: whose events are numbered.
    ///   - watch: whether what is shown is to be kept up to date, which goes with no moment.
    /// - Throws: ``CLIError/usage(_:)``.
    func moment(
        of log: ServiceName = .orders,
        watch: Bool = false,
        today: CalendarDay = .today()
    ) throws(CLIError) -> AsOf? {
        guard let asOf else { return nil }
        if watch { throw .usage("What was is over: leave --watch or --as-of out.") }
        var number = asOf[...]
        if let colon = asOf.firstIndex(of: ":"), ServiceName.all.contains(where: { $0.rawValue == asOf[..<colon] }) {
            guard asOf[..<colon] == log.rawValue else {
                throw .usage(
                    "--as-of: \(quoted(asOf)) is no event of \(log), which keeps these: write \(log):1234, or a time."
                )
            }
            number = asOf[asOf.index(after: colon)...]
        }
        if let sequence = Int64(number), number.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return AsOf(sequence: sequence)
        }
        if number.contains(":") { return AsOf(time: try TimeOptions.instant(asOf, option: "--as-of", key: nil)) }
        let span = try DayText.span(asOf, option: "--as-of", today: today)
        guard let end = try span.instants(in: TimeOptions.zone()).through else {
            throw .usage("--as-of: \(quoted(asOf)) has no end: write a day like 2024-03-31, yesterday or -3d.")
        }
        return AsOf(time: end)
    }
}

extension AsOf.Listed {
    /// For people: `As of event 17 of catalog, 2024-03-31 18:05:09.`
    func words(of log: ServiceName) -> String {
        let time = time.map { ", " + CellText.current.text(.instant($0), idDigits: nil) } ?? ""
        return "As of event \(sequence) of \(log)\(time)."
    }
}
