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
        var word: [UInt8] = []
        func finish() {
            guard !word.isEmpty else { return }
            words.append(String(decoding: word.prefix(longestWord), as: UTF8.self))
            word.removeAll(keepingCapacity: true)
        }
        for place in bytes.indices {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(byte | 0x20)
            case 0x80...: return nil
            default: finish()
            }
        }
        finish()
        return words
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
