/// Why a text or a set of numbers is no ``CalendarDay`` or ``Instant``. The text found is clipped to 40 characters.
public enum DateError: Error, Hashable, Sendable {
    /// Not of the form `2024-03-31`.
    case notADay(String)
    /// Not of the form `2024-03-31T18:05:09Z`.
    case notAnInstant(String)
    /// The year is not within 1 to 9999, or a sum of days or months would leave that range.
    case yearOutOfRange(Int)
    /// The month is not within 1 to 12.
    case noSuchMonth(Int)
    /// The month of that year has only `last` days.
    case noSuchDay(year: Int, month: Int, day: Int, last: Int)
    /// Hour, minute, second or offset out of range, or a leap second where none can be.
    case noSuchTime(String)
}

extension DateError: CustomStringConvertible {
    /// What was found.
    public var found: String {
        switch self {
        case .notADay(let text), .notAnInstant(let text), .noSuchTime(let text): text
        case .yearOutOfRange(let number), .noSuchMonth(let number): String(number)
        case .noSuchDay(let year, let month, let day, _):
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        }
    }

    /// A sentence: what was found and what to try.
    public var description: String {
        switch self {
        case .notADay: "\"\(found)\" is not a date: write year, month and day like 2024-03-31."
        case .notAnInstant: "\"\(found)\" is not a time: write it like 2024-03-31T18:05:09Z."
        case .yearOutOfRange: "Year \(found) is out of range: use 0001 to 9999."
        case .noSuchMonth: "There is no month \(found): use 01 to 12."
        case .noSuchDay(let year, let month, _, let last):
            "There is no day \(found): the last of that month is \(padded(year, 4))-\(padded(month, 2))-\(last)."
        case .noSuchTime: "\"\(found)\" holds a time that does not exist: use 00:00:00 to 23:59:59."
        }
    }
}
