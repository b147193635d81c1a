/// How long events are kept. Without a limit all of them are.
///
/// Written as an age, a size, or both joined by a comma: `90d`, `12h`, `500MB`, `90d,2GB`. What is beyond either limit
/// goes. The last transaction always stays.
public struct RetentionPolicy: Equatable, Sendable {
    /// Older events go; in microseconds.
    public var age: Int64?
    /// While the events kept are more than this many bytes together, the oldest go.
    public var bytes: Int64?

    public var keepsAll: Bool { age == nil && bytes == nil }

    /// Keeps everything.
    public init() {}

    /// - Throws: where the text is neither an age nor a size, or names one of them twice.
    public init(_ text: String) throws(RetentionError) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let digits = part.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int64(digits), number > 0 else { throw Self.refusal(part, of: text) }
            let unit = part.dropFirst(digits.count)
            if let microseconds = Self.ages[String(unit)], age == nil {
                age = try Self.product(number, microseconds, part, of: text)
            } else if let size = Self.sizes[String(unit)], bytes == nil {
                bytes = try Self.product(number, size, part, of: text)
            } else {
                throw Self.refusal(part, of: text)
            }
        }
    }

    /// Whether an event of this time is beyond the limit of age.
    public func isTooOld(_ time: Instant, now: Instant) -> Bool {
        age.map { time.microseconds < now.microseconds - $0 } ?? false
    }

    private static let ages: [String: Int64] = [
        "h": 3_600_000_000, "d": 86_400_000_000, "w": 604_800_000_000,
    ]
    private static let sizes: [String: Int64] = [
        "kB": 1000, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000,
    ]

    private static func product(
        _ number: Int64,
        _ unit: Int64,
        _ part: Substring,
        of text: String
    ) throws(RetentionError) -> Int64 {
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
        // Room for a subtraction from any clock.
        guard !isTooLarge, product < 1 << 62 else { throw refusal(part, of: text) }
        return product
    }

    private static func refusal(_ part: Substring, of text: String) -> RetentionError {
        RetentionError(text: text, part: String(part))
    }
}

/// Why a text says nothing about how long events are kept.
public struct RetentionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was given.
    public let text: String
    /// The part of it that can't be right.
    public let part: String

    public var description: String {
        """
        '\(text)', of which '\(part)' can't be right: give an age such as 90d or 12h, a size such as 500MB, or one of \
        each joined by a comma; leave it out to keep everything
        """
    }
}
