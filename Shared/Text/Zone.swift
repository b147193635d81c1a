internal import CUnicode

/// A time zone, by its IANA name. Its rules are those of ICU's data, not of the machine's `/usr/share/zoneinfo`.
public struct Zone: Sendable {
    /// The name it was asked for by, such as `Europe/Berlin`.
    public let name: String

    private let rules: ICUObject

    /// The zone of that name.
    ///
    /// Takes about 2 µs, the first one more; keep it.
    /// - Throws: `TextError.unknownZone` for a name that isn't in the IANA data, also for POSIX rules such as
    ///   `CET-1CEST,M3.5.0,M10.5.0/3` and for offsets such as `GMT+3`.
    public init(named name: String) throws(TextError) {
        // A zero would end the name early in C.
        let pointer = unsafe name.utf8.contains(0) ? nil : cunicode_zone_open(name)
        guard let rules = unsafe ICUObject(pointer, close: { unsafe cunicode_zone_close($0) }) else {
            throw .unknownZone(name)
        }
        self.name = name
        self.rules = rules
    }

    /// Seconds to add to UTC for the wall clock at an instant (seconds since 1970 UTC).
    func offset(at seconds: Int) -> Int {
        let milliseconds = unsafe rules.use { unsafe cunicode_zone_offset($0, Int64(seconds) * 1000) }
        if milliseconds == .min { preconditionFailure("ICU failed to find a zone's offset") }
        return Int(milliseconds) / 1000
    }
}

extension Zone: Hashable {
    public static func == (left: Zone, right: Zone) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
