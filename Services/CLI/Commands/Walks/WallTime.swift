import Messages
import Text

/// A time as people write it, in their own zone.
///
/// RFC 3339 (`2024-03-31T18:05:09+02:00`), a day and a time (`2024-03-31 18:05`, also with `T` and with seconds), a time
/// of today (`18:05`, `today 18:05`) or of yesterday (`yesterday 18:05`), and `now`.
struct WallTime {
    var zone: Zone
    /// What today and yesterday are seen from.
    var now: Instant

    /// The option that refusals name.
    var option = "--at"

    /// Whether the text means another time tomorrow.
    static func isRelative(_ text: String) -> Bool {
        // Every form with a day has hyphens, and no other has.
        !text.utf8.contains(UInt8(ascii: "-"))
    }

    /// - Throws: ``CLIError/usage(_:)`` for other text, and for a time that doesn't exist, in the calendar or in the zone.
    func instant(_ text: String) throws(CLIError) -> Instant {
        let text = TextNormalizer.trimmedNormalized(text)
        if text.lowercased() == "now" { return now }
        do throws(DateError) {
            return try Instant(parsing: text)
        } catch .notAnInstant {
            return try local(text)
        } catch {
            throw refusal(error)
        }
    }

    private func local(_ text: String) throws(CLIError) -> Instant {
        let isDated = !Self.isRelative(text)
        var words = text.split { $0 == " " || isDated && ($0 == "T" || $0 == "t") }
        guard let last = words.popLast(), words.count <= 1, let time = Self.time(last) else { throw unreadable(text) }
        let day = try day(words.first.map(String.init) ?? "today", of: text)
        let clock = WallClock(
            year: day.year,
            month: day.month,
            day: day.day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
        guard let found = try? LocalTime.microseconds(of: clock, in: zone) else {
            throw .usage("\(option): there is no time \(quoted(String(last))); use 00:00:00 to 23:59:59.")
        }
        let shown = LocalTime.wallClock(of: found, in: zone)
        guard shown == clock else {
            throw .usage(
                "\(option): there is no \(last) on \(day) in \(zone.name): the clocks go forward; "
                    + "write \(Self.text(shown)) if that is meant."
            )
        }
        return Instant(microseconds: found)
    }

    private func day(_ word: String, of text: String) throws(CLIError) -> CalendarDay {
        let now = LocalTime.calendarDay(of: self.now.microseconds, in: zone)
        do throws(DateError) {
            let today = try CalendarDay(year: now.year, month: now.month, day: now.day)
            switch word.lowercased() {
            case "today": return today
            case "yesterday": return try today.adding(days: -1)
            default: return try CalendarDay(parsing: word)
            }
        } catch .notADay {
            throw unreadable(text)
        } catch {
            throw refusal(error)
        }
    }

    /// `18:05` and `18:05:09`, with one digit for the hour too; nil for another form, whatever the numbers are.
    private static func time(_ text: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, parts.dropFirst().allSatisfy({ $0.count == 2 }), 1...2 ~= parts[0].count,
            parts.joined().allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1) - 0x30 } }
        return (numbers[0], numbers[1], parts.count > 2 ? numbers[2] : 0)
    }

    private static func text(_ clock: WallClock) -> String {
        [clock.hour, clock.minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private func unreadable(_ text: String) -> CLIError {
        .usage(
            "\(option): \(quoted(text)) is no time; write 18:05, 'yesterday 18:05', '2024-03-31 18:05', "
                + "or 2024-03-31T18:05:00+02:00."
        )
    }

    private func refusal(_ error: DateError) -> CLIError { .usage("\(option): \(error)") }
}
