internal import Text

/// How texts of files become those of a draft.
enum DraftText {
    /// On one line, blanks between words single; nil where nothing can be seen.
    static func line(_ text: String) -> String? {
        visible(words(text).joined(separator: " "))
    }

    /// Several lines, as ``line(_:)`` each, and at most one blank line between two; nil where nothing can be seen.
    static func paragraphs(_ text: String) -> String? {
        var lines: [String] = []
        for line in self.lines(text) where !line.isEmpty || lines.last?.isEmpty == false { lines.append(line) }
        return visible(lines.joined(separator: "\n"))
    }

    /// Several lines, none of them blank; nil where nothing can be seen.
    static func block(_ text: String) -> String? {
        visible(lines(text).filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    /// The lines, blank ones too, as ``line(_:)`` each.
    static func lines(_ text: String) -> [String] {
        // By scalars: CR LF is one Character.
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if isLineEnd(scalar) {
                if !(scalar == "\n" && last == "\r") {
                    lines.append(words(String(line)).joined(separator: " "))
                    line.removeAll()
                }
            } else {
                line.append(scalar)
            }
            last = scalar
        }
        return lines + [words(String(line)).joined(separator: " ")]
    }

    /// No-break spaces hold a number and its unit together, and stay.
    private static func words(_ text: String) -> [String] {
        text.unicodeScalars.split { isLineEnd($0) || $0 == " " || $0 == "\t" || $0.value == 0 }.map { String($0) }
    }

    private static func visible(_ text: String) -> String? {
        let text = TextNormalizer.trimmedNormalized(text)
        return TextNormalizer.isBlank(text) ? nil : text
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
