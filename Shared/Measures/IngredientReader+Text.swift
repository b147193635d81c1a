internal import Messages

/// Words and brackets around amounts.
extension IngredientReader {
    /// For each opening bracket its closing one, found in one pass.
    static func brackets(_ line: LineScanner) -> [Int: Int] {
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        for place in 0..<line.end {
            if line.isOpeningBracket(place) {
                open.append(place)
            } else if line.isClosingBracket(place), let start = open.popLast() {
                closing[start] = place
            }
        }
        for place in open { closing[place] = line.end }
        return closing
    }

    /// Past what may stand before an amount: list signs, `about`, `ca.`, `~`, `another`.
    func skippingOpening(_ place: Int) -> Int {
        var place = line.skippingBlanks(place)
        while place < line.end {
            if let scalar = line[place], Self.bullets.contains(scalar) {
                place = line.skippingBlanks(place + 1)
            } else if line[place] == "~" || line[place] == "≈" {
                place = line.skippingBlanks(place + 1)
            } else if line.isDash(place) || line[place] == "+", line.isBlank(place + 1) {
                place = line.skippingBlanks(place + 1)
            } else if let word = line.word(place), Self.qualifiers.contains(word.text.lowercased()) {
                var end = word.end
                if line[end] == "." { end += 1 }
                guard line.isBlank(end) || line.isDigit(end) else { return place }
                place = line.skippingBlanks(end)
            } else {
                return place
            }
        }
        return place
    }

    private static let bullets: Set<Unicode.Scalar> = [
        "*", "•", "·", "●", "○", "▪", "▫", "■", "□", "☐", "◦", "‣", "✓", "✔", "♥", "♡", "★", "☆", "＊", "◎", "・",
    ]

    private static let qualifiers: Set<String> = [
        "about", "approximately", "approx", "around", "roughly", "ca", "circa", "cirka", "etwa", "ungefähr", "rund",
        "knapp", "gut", "environ", "ongeveer", "ungefär", "scant", "heaping", "generous", "another", "cerca", "de",
        "unos", "unas", "noch",
    ]

    /// Past `of`, `de`, `d'` between a unit and the name.
    func skippingConnector(_ place: Int, _ unit: Unit?) -> Int {
        let start = line.skippingBlanks(place)
        guard unit != nil, let word = line.word(start) else { return start }
        let text = word.text.lowercased()
        if text == "d", line[word.end] == "'" || line[word.end] == "’" { return word.end + 1 }
        guard line.isBlank(word.end), ["of", "de", "di", "von", "van", "av", "du", "des"].contains(text) else {
            return start
        }
        return line.skippingBlanks(word.end)
    }

    /// The place behind the last character that shows.
    func trimmedEnd(_ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, line.isBlank(end - 1) { end -= 1 }
        return end
    }

    /// What the brackets outside of others hold, from `place` on.
    func brackets(_ place: Int, until limit: Int? = nil) -> [String] {
        var (place, found) = (place, [String]())
        while place < limit ?? line.end {
            if line.isOpeningBracket(place), let close = closing[place] {
                if line.endOfPlural(place) == place { found.append(cleaned((place + 1)..<max(place + 1, close))) }
                place = close + 1
            } else {
                place += 1
            }
        }
        return found.filter { !$0.isEmpty }
    }

    /// The text with one space for each run of blanks, without the signs that part name, amount and notes at its ends.
    ///
    /// - Parameter withoutBrackets: leaves brackets out, but for the `(n)` of a plural.
    func cleaned(_ range: Range<Int>, withoutBrackets: Bool = false) -> String {
        var kept: [Unicode.Scalar] = []
        var place = range.lowerBound
        while place < range.upperBound {
            if line.isBlank(place) {
                if kept.last != " " { kept.append(" ") }
                place += 1
            } else if withoutBrackets, line.isOpeningBracket(place), let close = closing[place],
                line.endOfPlural(place) == place
            {
                if kept.last != " " { kept.append(" ") }
                place = close + 1
            } else {
                kept.append(line.scalars[place])
                place += 1
            }
        }
        let first =
            kept.firstIndex { !Self.isEdge($0) && !Self.bullets.contains($0) && $0 != "." && $0 != ")" }
            ?? kept.endIndex
        var end = kept.endIndex
        while end > first, Self.isEdge(kept[end - 1]) { end -= 1 }
        return Self.balanced(kept[first..<end])
    }

    /// Without brackets around the whole, as in `((optional))`.
    private static func balanced(_ text: ArraySlice<Unicode.Scalar>) -> String {
        var text = text
        while text.first == "(", text.last == ")", text.count > 2,
            !text.dropFirst().dropLast().contains(where: { $0 == "(" || $0 == ")" })
        {
            text = text.dropFirst().dropLast()
        }
        return String(String.UnicodeScalarView(text))
    }

    private static func isEdge(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", ",", ";", ":", "-", "–", "—", "*", "/", "、", "，", "：", "＊", "•": true
        default: false
        }
    }
}
