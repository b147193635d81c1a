import ArgumentParser
import Messages
import Text

/// When a walk was.
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
    /// A repetition with the same key must mean the same time: what is relative is seen from the key's own time.
    ///
    /// - Throws: ``CLIError/usage(_:)``, also for a relative time with a key that has no time of its own.
    func instant(key: Identifier?) throws(CLIError) -> Instant? {
        try text.map { text throws(CLIError) in
            let now = WallTime.isRelative(text) ? try Self.now(key: key) : .now()
            return try WallTime(zone: Self.zone(), now: now).instant(text)
        }
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

    private static func zone() throws(CLIError) -> Zone {
        do throws(TextError) {
            return try LocalTime.currentZone()
        } catch {
            throw .usage("The time zone of this machine is unknown: set TZ, like TZ=Europe/Berlin, or write RFC 3339.")
        }
    }
}
