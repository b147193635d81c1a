internal import CUnicode
private import Synchronization

/// ICU's short date and medium time in one locale, with words for the days around today.
final class DateStyle: Sendable {
    private let object: ICUObject

    private init(_ identifier: String) {
        let pointer = unsafe cunicode_date_style_open(identifier)
        guard let object = unsafe ICUObject(pointer, close: { unsafe cunicode_date_style_close($0) }) else {
            preconditionFailure("ICU failed to open its date formats: is its data installed?")
        }
        self.object = object
    }

    /// The style last used. A process writes in one locale, and opening costs a hundred times what writing does.
    private static let last = Mutex<(identifier: String, style: DateStyle)?>(nil)

    static func of(_ identifier: String) -> DateStyle {
        last.withLock { last in
            if let last, last.identifier == identifier { return last.style }
            let style = DateStyle(identifier)
            last = (identifier, style)
            return style
        }
    }

    /// The wall clock in words: `days` is its day's distance from today, -1 for yesterday.
    func format(_ clock: WallClock, days: Int) -> String {
        let milliseconds = Int64(clock.seconds) * 1000
        let near = Int32(clamping: days)
        return unsafe object.use { pointer in
            unsafe ICUBuffer.string(capacity: 96) { out, capacity in
                unsafe cunicode_date_style_format(pointer, milliseconds, near, out, capacity)
            }
        }
    }
}
