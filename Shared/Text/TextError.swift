/// What this module refuses.
public enum TextError: Error, Hashable, Sendable {
    /// No time zone has this name. The name is what the caller, `TZ`, or the machine's configuration gave.
    case unknownZone(String)

    /// No such day or time of day exists in the calendar, such as February 30 or 24:00, or its year is outside 1...9999.
    case noSuchTime(WallClock)
}
