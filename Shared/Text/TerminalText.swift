internal import CUnicode

/// Text in the cells of a terminal.
public enum TerminalText {
    /// The number of cells that the text takes on one line.
    ///
    /// East Asian wide and fullwidth characters (UAX #11) take 2, also emoji with all they are joined to, flags, and
    /// keycaps; combining, zero-width, and control characters 0; ambiguous ones 1. Terminals differ on emoji joined by
    /// U+200D and on Indic conjuncts; this is what those that follow UTS #51 show. Escape control characters first.
    public static func cellWidth(_ text: String) -> Int {
        if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text.utf8.count }
        if text.unicodeScalars.allSatisfy(isPlain) { return text.unicodeScalars.count }
        return text.reduce(0) { $0 + cellWidth($1) }
    }

    /// The text with everything made visible that would steer the terminal or turn the reading direction around.
    ///
    /// `\n`, `\r`, and `\t` are written so, other control characters (C0, DEL, C1), line and paragraph separators, and
    /// bidirectional embeddings, overrides, and isolates as `\u{1B}`. The backslash itself stays as it is: the result
    /// is for eyes, it can't be read back.
    public static func escapedForTerminal(_ text: String) -> String {
        if !text.unicodeScalars.contains(where: isUnsafe) { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": escaped.append(contentsOf: #"\n"#.unicodeScalars)
            case "\r": escaped.append(contentsOf: #"\r"#.unicodeScalars)
            case "\t": escaped.append(contentsOf: #"\t"#.unicodeScalars)
            case _ where isUnsafe(scalar):
                let code = String(scalar.value, radix: 16, uppercase: true)
                escaped.append(contentsOf: "\\u{\(code)}".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Where padding goes.
    public enum Alignment: Sendable {
        /// The text begins in the first cell.
        case leading
        /// The text ends in the last cell, as numbers do.
        case trailing
    }

    /// The text, filled up with spaces to `cells`. Longer text stays as it is.
    public static func padded(_ text: String, toCells cells: Int, alignment: Alignment = .leading) -> String {
        let missing = cells - cellWidth(text)
        if missing <= 0 { return text }
        let padding = String(repeating: " ", count: missing)
        return alignment == .leading ? text + padding : padding + text
    }

    /// The text when it fits into `cells`, else as many whole characters as fit before an ellipsis (`…`, one cell).
    ///
    /// The result may be a cell short, where a wide character would not fit in. It is empty for 0 cells and less.
    public static func truncated(_ text: String, toCells cells: Int) -> String {
        if cellWidth(text) <= cells { return text }
        if cells <= 0 { return "" }
        var kept = ""
        var used = 0
        for character in text {
            used += cellWidth(character)
            if used >= cells { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether the scalar takes one cell and joins nothing but what isn't plain: most of Latin, Greek, and Cyrillic.
    /// Asking for properties and finding characters' borders takes twenty times as long.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0x300, 0x370..<0x483: true
        default: false
        }
    }

    private static func cellWidth(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        if isEmoji(scalars) { return 2 }
        // Not the first scalar alone: a Devanagari conjunct is one character of several letters.
        return scalars.reduce(0) { $0 + cellWidth($1) }
    }

    /// Whether the character shows as a coloured picture: by itself, by U+FE0F, or as a flag of two regional indicators.
    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first, first.properties.isEmoji else { return false }
        // A regional indicator has the property by itself; alone it is a letter in a box, which takes a cell.
        if 0x1F1E6...0x1F1FF ~= first.value { return scalars.count > 1 }
        return first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
    }

    private static func cellWidth(_ scalar: Unicode.Scalar) -> Int {
        // With the soft hyphen: it is a format character, but terminals draw it.
        if isPlain(scalar) { return 1 }
        // Medial vowels and final consonants of Hangul share the cells of the first consonant.
        if 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FF ~= scalar.value { return 0 }
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: return cunicode_is_wide(scalar.value) == 0 ? 1 : 2
        }
    }
}
