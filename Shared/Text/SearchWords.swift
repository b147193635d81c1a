/// The words of a text, as full-text search compares them.
public enum SearchWords {
    /// A word is cut behind this many Unicode scalars, in texts and in what is looked for alike.
    public static let longestWord = 64

    /// The words in order, folded as ``TextNormalizer/folded(_:)``: runs of letters, digits and marks.
    ///
    /// An ideograph is a word by itself, for nothing stands between the words of Chinese and Japanese; so is a symbol that
    /// is a picture, such as an emoji.
    ///
    ///     SearchWords.words(of: "Björn's Käse-Brot")   // ["bjorn", "s", "kase", "brot"]
    public static func words(of text: String) -> [String] {
        asciiWords(text) ?? foldedWords(of: text)
    }

    /// The same for a text of ASCII alone, by its bytes; nil for any other.
    private static func asciiWords(_ text: String) -> [String]? {
        let bytes = text.utf8.span
        var words: [String] = []
        var start = 0
        while start < bytes.count {
            guard bytes[start] < 0x80 else { return nil }
            var end = start
            while end < bytes.count, isInWord(bytes[end]) { end += 1 }
            if end > start {
                let count = min(end - start, longestWord)
                words.append(
                    unsafe String(unsafeUninitializedCapacity: count) { word in
                        for place in 0..<count {
                            let byte = bytes[start + place]
                            unsafe word[place] = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
                        }
                        return count
                    }
                )
            }
            start = max(end, start + 1)
        }
        return words
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    private static func foldedWords(of text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        func finish() {
            guard !word.isEmpty else { return }
            words.append(String(word))
            word = String.UnicodeScalarView()
        }
        var count = 0
        for scalar in TextNormalizer.folded(text).unicodeScalars {
            let isAlone = !scalar.isASCII && isWordAlone(scalar)
            guard isAlone || isInWord(scalar) else {
                finish()
                count = 0
                continue
            }
            if isAlone {
                finish()
                words.append(String(scalar))
                count = 0
                continue
            }
            count += 1
            if count <= longestWord { word.append(scalar) }
        }
        finish()
        return words
    }

    private static func isWordAlone(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isIdeographic || scalar.properties.generalCategory == .otherSymbol
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            switch scalar {
            case "a"..."z", "0"..."9", "A"..."Z": return true
            default: return false
            }
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            return true
        default: return false
        }
    }
}
