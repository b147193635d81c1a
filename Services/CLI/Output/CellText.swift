import Messages
import Text

/// Values as people read them, in tables and records.
struct CellText: Sendable {
    /// An instant in the user's zone and locale.
    var instant: @Sendable (Instant) -> String

    /// The zone and locale of this process; where no zone can be found, instants stand in UTC.
    static let current = CellText(
        instant: {
            let locale = LocalTime.currentLocale()
            let now = Instant.now().microseconds
            guard let zone = try? LocalTime.currentZone() else { return \.description }
            return {
                LocalTime.dateTime(microseconds: $0.microseconds, locale: locale, zone: zone, relativeTo: now)
            }
        }()
    )

    /// The text of a value, safe for a terminal, on one line; empty where it is absent.
    ///
    /// - Parameter idDigits: how many digits from its end stand for an id; nil for the whole UUID.
    func text(_ value: FieldValue, idDigits: Int?) -> String {
        switch value {
        case .absent: ""
        case .text(let value): Self.escaped(value)
        case .integer(let value): String(value)
        case .boolean(let value): value ? "yes" : "no"
        case .day(let value): value.description
        case .instant(let value): Self.escaped(instant(value))
        case .money(let value): value.description
        case .id(let value): idDigits.map { value.tail($0) } ?? value.description
        case .list(let rows): rows.map(item).joined(separator: ", ")
        }
    }

    /// The first two values of a record within a record, apart from ids: `Bath 10.00 EUR`.
    private func item(_ values: [FieldValue]) -> String {
        let shown = values.filter { value in
            if case .id = value { false } else { value != .absent }
        }
        return shown.prefix(2).map { text($0, idDigits: nil) }.joined(separator: " ")
    }

    /// The text without anything that steers a terminal.
    static func escaped(_ text: String) -> String { TerminalText.escapedForTerminal(text) }

    /// The fewest digits, 4 or more, by whose end all these ids differ.
    ///
    /// The end, because version 7 ids of one minute begin alike.
    static func idDigits(_ ids: [Identifier]) -> Int {
        let distinct = Set(ids)
        var digits = 4
        while digits < 32, Set(distinct.map { $0.tail(digits) }).count < distinct.count { digits += 1 }
        return digits
    }
}
