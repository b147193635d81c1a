import Messages

/// How long events are kept, as it is written: an age, a size, or both joined by a comma.
///
/// The services read the text themselves; this is so that a wrong one is refused before anything is started.
enum KeptEvents {
    /// The factors by which a number may be multiplied without leaving 62 bits of microseconds or bytes.
    private static let units: [(names: [String], factors: [Int64])] = [
        (["h", "d", "w"], [3_600_000_000, 86_400_000_000, 604_800_000_000]),
        (["kB", "KB", "MB", "GB", "TB"], [1000, 1000, 1_000_000, 1_000_000_000, 1_000_000_000_000]),
    ]

    /// - Throws: ``CLIError/usage(_:)``.
    static func check(_ value: Settings.Value) throws(CLIError) {
        var seen: Set<Int> = []
        for part in value.text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = kind(part), seen.insert(kind).inserted else {
                throw .usage(
                    "\(value.name) is \(quoted(value.text)), of which \(quoted(String(part))) can't be right: give an age "
                        + "such as 90d or 12h, a size such as 500MB, or one of each joined by a comma; leave it out to "
                        + "keep everything."
                )
            }
        }
    }

    /// 0 for an age, 1 for a size.
    private static func kind(_ part: Substring) -> Int? {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        let unit = String(part.dropFirst(digits.count))
        guard let number = Int64(digits), number > 0 else { return nil }
        for (kind, (names, factors)) in units.enumerated() {
            guard let index = names.firstIndex(of: unit) else { continue }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: factors[index])
            return isTooLarge || product >= 1 << 62 ? nil : kind
        }
        return nil
    }
}
