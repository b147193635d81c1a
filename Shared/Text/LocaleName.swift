/// The language and region that dates are written for.
public struct LocaleName: Hashable, Sendable {
    /// ICU's name, such as `zh_CN` or `sr_Latn_RS`; nil for the locale `C`, which writes dates as ISO 8601 does.
    public let identifier: String?

    /// The locale `C`: neither words nor a region's order, `2024-03-31 18:05:09`.
    public static let c = LocaleName(identifier: nil)

    /// The locale of a POSIX name such as `zh_CN.UTF-8`, `sr_RS@latin`, or `C`.
    ///
    /// The encoding is left out, and of the modifiers all but the script. A name that isn't built like one gives
    /// ``c``; a well-built name that nobody knows gives ICU's root style.
    public init(posix name: String) {
        let base = name.prefix { $0 != "." && $0 != "@" }
        let modifier = name.drop { $0 != "@" }.dropFirst()
        let isWellBuilt = base.utf8.count <= 32 && base.unicodeScalars.allSatisfy(Self.isNameScalar)
        guard isWellBuilt, !base.isEmpty, base != "C", base != "POSIX" else {
            self = .c
            return
        }
        let scripts = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"]
        let subtags = base.split { $0 == "_" || $0 == "-" }
        if subtags.count == 2, let script = scripts[String(modifier)] {
            self.init(identifier: "\(subtags[0])_\(script)_\(subtags[1])")
        } else {
            self.init(identifier: String(base))
        }
    }

    private init(identifier: String?) {
        self.identifier = identifier
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
