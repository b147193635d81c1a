internal import Messages

/// A line as Unicode scalars, with what is read at one place of it. Places are offsets into ``scalars``.
///
/// Every method looks at the number, word or blanks at its place only, and at most at ``longestWord`` letters of a word,
/// so that a line is read in time that grows with its length.
struct LineScanner {
    let scalars: [Unicode.Scalar]

    /// Longer words are no unit and no word that is known here.
    static let longestWord = 24

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    var end: Int { scalars.count }

    subscript(place: Int) -> Unicode.Scalar? {
        scalars.indices.contains(place) ? scalars[place] : nil
    }

    /// White space of any kind, and characters that show nothing. With `place` for text that was decoded wrongly: a
    /// blank that does not break, U+00A0, is two bytes in UTF-8, which Latin-1 shows as `Â` and itself.
    func isBlank(_ place: Int) -> Bool {
        guard let scalar = self[place] else { return false }
        switch scalar.value {
        case 0x20, 0x09...0x0D, 0x85, 0xA0, 0xAD, 0x1680, 0x180E, 0x2000...0x200B, 0x200E, 0x200F, 0x2028...0x202F,
            0x205F...0x2064, 0x3000, 0xFEFF:
            return true
        case 0xC2: return self[place + 1] == "\u{A0}"
        default: return false
        }
    }

    func skippingBlanks(_ place: Int) -> Int {
        var place = place
        while isBlank(place) { place += 1 }
        return place
    }

    func isDigit(_ place: Int) -> Bool { digit(place) != nil }

    /// ASCII digits, and their full-width forms of Japanese text.
    func digit(_ place: Int) -> Int64? {
        switch self[place]?.value {
        case let value? where 0x30...0x39 ~= value: Int64(value - 0x30)
        case let value? where 0xFF10...0xFF19 ~= value: Int64(value - 0xFF10)
        default: nil
        }
    }

    func isLetter(_ place: Int) -> Bool {
        guard let scalar = self[place], !isBlank(place) else { return false }
        return scalar.properties.isAlphabetic && Self.fractions[scalar] == nil
    }

    /// A letter or a mark that stands on one.
    func isWordPart(_ place: Int) -> Bool { isLetter(place) || isMark(place) }

    func isMark(_ place: Int) -> Bool {
        switch self[place]?.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether a script is used here that doesn't part words by blanks.
    func isUnparted(_ place: Int) -> Bool {
        self[place].map { 0x3040...0x9FFF ~= $0.value || 0xF900...0xFAFF ~= $0.value } ?? false
    }

    /// The word that begins here, without blanks, digits and signs; nil for none, and for one of too many letters.
    func word(_ place: Int) -> (text: String, end: Int)? {
        guard isLetter(place) else { return nil }
        var end = place + 1
        while isWordPart(end), isUnparted(end) == isUnparted(place) {
            end += 1
            if end - place > Self.longestWord { return nil }
        }
        return (text(place..<end), end)
    }

    func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    /// Whether the text at this place is `text`, which is ASCII.
    func isAt(_ place: Int, _ text: String) -> Bool {
        zip(text.unicodeScalars.indices, place...).allSatisfy { text.unicodeScalars[$0] == self[$1] }
    }

    /// A hyphen or dash, or the wave of Japanese ranges.
    func isDash(_ place: Int) -> Bool {
        switch self[place]?.value ?? 0 {
        case 0x2D, 0x2010...0x2015, 0x2212, 0x7E, 0x301C, 0xFF5E, 0xFE58, 0xFE63, 0xFF0D: true
        default: false
        }
    }

    /// `/`, U+2044 FRACTION SLASH, U+2215 DIVISION SLASH, U+FF0F FULLWIDTH SOLIDUS.
    func isSlash(_ place: Int) -> Bool {
        switch self[place]?.value ?? 0 {
        case 0x2F, 0x2044, 0x2215, 0xFF0F: true
        default: false
        }
    }

    func isOpeningBracket(_ place: Int) -> Bool { ["(", "[", "\u{FF08}"].contains(self[place]) }
    func isClosingBracket(_ place: Int) -> Bool { [")", "]", "\u{FF09}"].contains(self[place]) }

    /// Unicode's fractions of one character, as numerator and denominator; U+215F, `⅟`, lacks its denominator and is not
    /// among them.
    static let fractions: [Unicode.Scalar: (Int64, Int64)] = [
        "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3), "⅔": (2, 3),
        "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8),
        "⅝": (5, 8), "⅞": (7, 8), "↉": (0, 3),
    ]
}
