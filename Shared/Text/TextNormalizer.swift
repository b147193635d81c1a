internal import CUnicode

/// The forms of a text: as it is stored, and as it is searched.
///
/// Text of more than 16 MiB that isn't ASCII comes back as it is; refuse it by its length.
public enum TextNormalizer {
    /// The text in normalization form C (UAX #15): `e` and a combining acute become `é`.
    ///
    /// ASCII is returned as it is, without a call. Idempotent. The result may differ from `text` in bytes while `==`
    /// holds, for Swift compares strings by canonical equivalence: compare `utf8` to see the difference.
    public static func normalized(_ text: String) -> String {
        if isASCII(text) { return text }
        return unsafe ICUBuffer.string(from: text) { unsafe cunicode_nfc($0, $1, $2, $3) }
    }

    /// The text without white space at its ends, in normalization form C: what a service stores of what a user typed.
    ///
    /// White space is Unicode's property White_Space, which has the no-break spaces and the line separators but none of
    /// the zero-width characters. Idempotent.
    public static func trimmedNormalized(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return normalized(text) }
        return normalized(String(scalars[first...last]))
    }

    /// Whether nothing of the text can be seen: it is empty, or all white space, zero-width, control or format
    /// characters, or fillers (the property Default_Ignorable_Code_Point). Required names refuse such text.
    public static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
            return properties.generalCategory == .control || properties.generalCategory == .format
        }
    }

    /// The text as it is compared for searching: `björn`, `BJÖRN`, and `Björn` give the same bytes.
    ///
    /// NFKC_Casefold (UAX #44: compatibility forms and case are folded in full, `ß` is `ss`, characters that are ignored
    /// by default such as soft hyphens and joiners are gone), then accents are stripped, then NFC. Only `й` keeps its
    /// breve, being another letter than `и`; `ё` becomes `е`, `å` becomes `a`. Accents are the marks of Latin, Greek,
    /// Cyrillic, Hebrew, and Arabic letters; Hangul, kana voicing, and Indic and Thai vowel signs stay.
    ///
    /// Idempotent. Meant to be compared by bytes: folded text `contains` another where its `utf8` does. The result can
    /// be empty for text that isn't (a lone accent). It can change with ICU: see ``Collation/version``.
    public static func folded(_ text: String) -> String {
        let bytes = text.utf8.span
        // Without a way out, so that many bytes are looked at at once.
        var (all, hasCapitals) = (UInt8(0), false)
        for place in bytes.indices {
            all |= bytes[place]
            hasCapitals = (bytes[place] &- UInt8(ascii: "A") < 26) || hasCapitals
        }
        if all < 0x80 { return hasCapitals ? text.lowercased() : text }
        return unsafe ICUBuffer.string(from: text) { unsafe cunicode_fold($0, $1, $2, $3) }
    }

    private static func isASCII(_ text: String) -> Bool {
        let bytes = text.utf8.span
        var all: UInt8 = 0
        for place in bytes.indices { all |= bytes[place] }
        return all < 0x80
    }
}
