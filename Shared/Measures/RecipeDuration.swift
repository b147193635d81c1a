/// How long something takes, read from what recipes say: ISO 8601 (`PT1H30M`), and people's forms (`1 hr 30 min`,
/// `1½ Std.`, `1h30`, `45`).
///
/// Durations of common recipe sites that break ISO 8601 and have one sensible meaning are read as well, and say so by
/// ``isRepaired``: `P2H30M` without its T, `PTH5M` with a part left empty, `PT0D0H30M`, and `P30M`, which strictly is 30
/// months. All else is no duration; nothing is cut to fit.
public struct RecipeDuration: Hashable, Sendable {
    /// 0 to ``longest``.
    public let seconds: Int
    /// Whether the text breaks ISO 8601 and was read for what it most likely means.
    public let isRepaired: Bool

    /// A year of 365 days, in seconds.
    public static let longest = 31_536_000

    /// A time of `minutes`; nil below 0 and beyond ``longest``.
    public init?(minutes: Int) {
        let (seconds, overflow) = minutes.multipliedReportingOverflow(by: 60)
        guard !overflow else { return nil }
        self.init(seconds: seconds)
    }

    init?(seconds: Int, isRepaired: Bool = false) {
        guard 0...Self.longest ~= seconds else { return nil }
        self.seconds = seconds
        self.isRepaired = isRepaired
    }

    /// Reads a text; nil for one that names no time for sure: `overnight`, `PT`, `PTNaNM`, `30-40 min`.
    public init?(_ text: String) {
        let line = LineScanner(text)
        var reader = DurationReader(line: line)
        guard let seconds = reader.seconds() else { return nil }
        self.init(seconds: seconds, isRepaired: reader.isRepaired)
    }

    /// Whole minutes, the nearest; at least 1 for any time.
    public var minutes: Int { seconds == 0 ? 0 : max(1, (seconds + 30) / 60) }

    /// ISO 8601 with hours and minutes: `PT1H30M`, `PT0M`, `PT168H10M`; seconds where there are any.
    public var iso8601: String {
        let parts = [(seconds / 3600, "H"), (seconds / 60 % 60, "M"), (seconds % 60, "S")]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined()
        return "PT" + (text.isEmpty ? "0M" : text)
    }
}

extension RecipeDuration: CustomStringConvertible {
    /// As people write it: `1 h 10 min`, `45 min`, `7 d 10 min`, `30 s`; `0 min` for none.
    public var description: String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
        return text.isEmpty ? "0 min" : text
    }
}
