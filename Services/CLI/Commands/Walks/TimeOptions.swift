import ArgumentParser
import Measures
import Messages
import Text

/// When something of a walk was.
struct TimeOptions: ParsableArguments {
    @Option(
        name: .customLong("at"),
        help: ArgumentHelp(
            "When it was, in your zone: 18:05, 'yesterday 18:05', '2024-03-31 18:05', or RFC 3339.",
            valueName: "time"
        )
    )
    var text: String?

    /// The time that was given; nil where none was.
    ///
    /// - Throws: as ``instant(_:option:key:)``.
    func instant(key: Identifier?) throws(CLIError) -> Instant? {
        try text.map { text throws(CLIError) in try Self.instant(text, option: "--at", key: key) }
    }

    /// A time as it is written.
    ///
    /// A repetition with the same key must mean the same time: what is relative is seen from the key's own time.
    ///
    /// - Throws: ``CLIError/usage(_:)``, also for a relative time with a key that has no time of its own.
    static func instant(_ text: String, option: String, key: Identifier?) throws(CLIError) -> Instant {
        let now = WallTime.isRelative(text) ? try now(key: key) : .now()
        return try WallTime(zone: zone(), now: now, option: option).instant(text)
    }

    /// Now; with a key, the time that the key was made.
    ///
    /// - Throws: ``CLIError/usage(_:)`` for a key that isn't of version 7.
    static func now(key: Identifier?) throws(CLIError) -> Instant {
        guard let key else { return .now() }
        guard let milliseconds = key.milliseconds else {
            throw .usage(
                "A repetition with this --key could not mean the same time, as the key has none: "
                    + "take a key of 'daybook key', or give --at with a day."
            )
        }
        return Instant(microseconds: milliseconds * 1000)
    }

    /// The user's own zone.
    ///
    /// - Throws: ``CLIError/usage(_:)`` where none is known.
    static func zone() throws(CLIError) -> Zone {
        do throws(TextError) {
            return try LocalTime.currentZone()
        } catch {
            throw .usage("The time zone of this machine is unknown: set TZ, like TZ=Europe/Berlin, or write RFC 3339.")
        }
    }
}

/// How long a walk took: until when, or for how long.
struct LengthOptions: ParsableArguments {
    @Option(name: .customLong("end"), help: ArgumentHelp("When it ended, written as --at.", valueName: "time"))
    var endText: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("How long it took: 45min, '1 h 30 min'.", valueName: "time"))
    var lengthText: String?

    mutating func validate() throws {
        if endText != nil, lengthText != nil { throw ValidationError("--for and --end both say the end: give one.") }
    }

    /// What tells the end of a walk from its start; nil where nothing was given.
    ///
    /// - Throws: ``CLIError/usage(_:)``.
    func end(key: Identifier?) throws(CLIError) -> (@Sendable (Instant) -> Instant)? {
        if let endText {
            let end = try TimeOptions.instant(endText, option: "--end", key: key)
            return { _ in end }
        }
        guard let lengthText else { return nil }
        guard let length = RecipeDuration(lengthText) else {
            throw .usage("--for: \(quoted(lengthText)) is no length of time; write 45min, 1h30 or '2 h'.")
        }
        return { $0.advanced(by: .seconds(length.seconds)) }
    }
}
