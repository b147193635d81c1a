extension RecipeStep {
    /// The texts of the steps that instructions consist of, which were written as one text.
    ///
    /// A step begins behind a blank line, and at a line that is numbered: `1. Mix.`, `2) Bake.`. Within a paragraph a
    /// number counts only where it goes on from the one before or is 1, so that a line which happens to begin with a
    /// number stays text. The numbers are taken off; line breaks within a step stay.
    public static func texts(in instructions: String) -> [String] {
        var texts: [[Substring.UnicodeScalarView]] = []
        var next = 1
        var isBehindBlank = true
        // By scalars: CR LF is one Character.
        for line in instructions.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isLineEnd) {
            let line = trimmed(line)
            guard !line.isEmpty else {
                isBehindBlank = true
                continue
            }
            if let (number, rest) = numbered(line), isBehindBlank || number == next || number == 1 {
                next = number + 1
                texts.append([rest])
            } else if isBehindBlank || texts.isEmpty {
                texts.append([line])
            } else {
                texts[texts.count - 1].append(line)
            }
            isBehindBlank = false
        }
        return texts.map { lines in
            lines.filter { !$0.isEmpty }.map { String($0) }.joined(separator: "\n")
        }.filter { !$0.isEmpty }
    }

    /// The number in front of a line, up to three digits with a full stop or a bracket and a blank behind them, and the
    /// rest.
    private static func numbered(_ line: Substring.UnicodeScalarView) -> (Int, Substring.UnicodeScalarView)? {
        let digits = line.prefix { ("0"..."9").contains($0) }
        guard (1...3).contains(digits.count), let number = Int(String(digits)) else { return nil }
        let behind = line.dropFirst(digits.count)
        guard let mark = behind.first, mark == "." || mark == ")" else { return nil }
        let rest = behind.dropFirst()
        guard rest.first?.properties.isWhitespace ?? true else { return nil }
        return (number, trimmed(rest))
    }

    private static func trimmed(_ line: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let start = line.drop(while: \.properties.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return start }
        return start[...last]
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }
}
