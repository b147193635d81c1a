extension TextNormalizer {
    /// The text on one line: white space that holds a line break becomes one blank. Then as ``trimmedNormalized(_:)``.
    ///
    /// Line breaks are LF, CR, VT, FF, NEL, and Unicode's line and paragraph separators. Idempotent.
    public static func oneLine(_ text: String) -> String {
        lines(text).joined(separator: " ")
    }

    /// The lines that show anything, each without white space at its ends, joined by LF, in normalization form C.
    ///
    /// Idempotent.
    public static func withoutBlankLines(_ text: String) -> String {
        lines(text).joined(separator: "\n")
    }

    /// The text with LF at the end of each line, where it was CR LF or CR.
    public static func withLineFeeds(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        var bytes: [UInt8] = []
        var isBehindReturn = false
        for byte in text.utf8 {
            if byte == 0x0D { bytes.append(0x0A) } else if byte != 0x0A || !isBehindReturn { bytes.append(byte) }
            isBehindReturn = byte == 0x0D
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines of a text with white space trimmed, those that are all white space left out.
    private static func lines(_ text: String) -> [String] {
        // By scalars: CR LF is one Character, and a combining mark joins the one before it.
        text.unicodeScalars.split(whereSeparator: isLineBreak).map { trimmedNormalized(String($0)) }.filter {
            !$0.isEmpty
        }
    }

    private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
