internal import Messages

/// Reads one ingredient line: the amount in front or at the end, then name and notes.
struct IngredientReader {
    let line: LineScanner
    /// For each opening bracket the place of its closing one; `end` for one that is never closed.
    let closing: [Int: Int]

    var quantities: [Quantity] = []
    var amount: Amount?
    var unit: Unit?
    var name = ""
    var notes: [String] = []
    var isHeading = false
    var unread: UnreadAmount?
    var hasOtherNumbers = false

    init(_ text: String) {
        line = LineScanner(text)
        closing = Self.brackets(line)
    }

    mutating func read() {
        let start = line.skippingBlanks(0)
        let last = trimmedEnd(start, line.end)
        if line[start] == ",", line.isBlank(start + 1) {
            return setHeading(start + 1, last)
        }
        if let problem = secondLine(start) { return leaveUnread(problem) }
        let first = skippingOpening(start)
        switch line.quantity(first) {
        case .quantity(let quantity): readLeading(quantity)
        case .ambiguous(let range): leaveUnread(.ambiguous(clipped(line.text(range))))
        case .none, .other:
            if last > start, line[last - 1] == ":" || line[last - 1] == "\u{FF1A}" { return setHeading(start, last) }
            readTrailing(start)
        }
    }

    private mutating func setHeading(_ start: Int, _ last: Int) {
        isHeading = true
        unread = .heading
        name = cleaned(start..<last)
    }

    private mutating func leaveUnread(_ reason: UnreadAmount) {
        unread = reason
        name = cleaned(0..<line.end)
    }

    /// Two amounts on two lines are two ingredients; other line ends are blanks.
    private func secondLine(_ start: Int) -> UnreadAmount? {
        var hasText = false
        var place = start
        while place < line.end {
            if line.isLetter(place) { hasText = true }
            if hasText, line[place]?.isLineEnd ?? false {
                place = line.skippingBlanks(place)
                if case .quantity = line.quantity(place) { return .severalIngredients }
            } else {
                place += 1
            }
        }
        return nil
    }

    // MARK: The amount in front

    private mutating func readLeading(_ first: Quantity) {
        var (main, place) = (first, first.range.upperBound)
        if main.unit == nil, main.lower.form == .whole { place = readCount(&main, place) }
        if let modifier = main.modifier { notes.append(modifier) }
        place = readFurther(&main, place)
        readRest(skippingConnector(place, main.unit))
        finish()
    }

    /// What may stand between a count and its unit: `2 x`, a size in brackets, a size.
    private mutating func readCount(_ main: inout Quantity, _ place: Int) -> Int {
        var place = place
        let sign = line.skippingBlanks(place)
        if line[sign] == "x" || line[sign] == "X" || line[sign] == "×",
            line.isBlank(sign + 1) || line.isDigit(sign + 1)
        {
            place = sign + 1
        }
        let bracket = line.skippingBlanks(place)
        if line.isOpeningBracket(bracket), let close = closing[bracket], close < line.end, startsWithNumber(bracket + 1)
        {
            notes.append(cleaned((bracket + 1)..<close))
            hasOtherNumbers = true
            place = close + 1
        } else if let size = size(bracket) {
            notes.append(cleaned(bracket..<size))
            hasOtherNumbers = true
            place = size
        }
        if place > main.range.upperBound, let (unit, modifier, end) = line.unitWithModifier(place) {
            main.unit = unit
            main.modifier = modifier
            place = end
        }
        return place
    }

    /// The end of a size such as `14-ounce`, `400 g`, `400 g / 14 oz`.
    private func size(_ place: Int) -> Int? {
        guard case .number(let number) = line.number(place) else { return nil }
        var end = number.range.upperBound
        if line.isDash(end) { end += 1 }
        guard let (unit, unitEnd) = line.unit(end), unit.isMeasured else { return nil }
        let slash = line.skippingBlanks(unitEnd)
        if line.isSlash(slash), let second = size(line.skippingBlanks(slash + 1)) { return second }
        return unitEnd
    }

    private func startsWithNumber(_ place: Int) -> Bool {
        if case .number = line.number(skippingOpening(place)) { return true }
        return false
    }

    // MARK: Amounts that follow the first one

    /// Takes what continues the amount: `1 lb 2 oz`, `400 g / 14 oz`, `1.8 oz 50 g`, `1/4 cup plus 2 Tbsp`.
    private mutating func readFurther(_ main: inout Quantity, _ place: Int) -> Int {
        var place = place
        var total = main.amount
        quantities.append(main)
        while true {
            let next = line.skippingBlanks(place)
            if main.isMeasured, var other = measured(next) {
                other.isPart = isPart(other, of: main)
                if other.isPart { total = sum(total, main.unit, other) }
                add(other)
                place = other.range.upperBound
            } else if main.isMeasured, line.isSlash(next) || line[next] == "=" || line[next] == "|",
                let other = measured(line.skippingBlanks(next + 1))
            {
                add(other)
                place = other.range.upperBound
            } else if let sign = endOfPlus(next), case .quantity(let other) = line.quantity(line.skippingBlanks(sign)),
                other.unit != nil
            {
                total = sum(total, main.unit, other)
                add(other)
                place = other.range.upperBound
            } else {
                break
            }
        }
        amount = total
        unit = main.unit
        return place
    }

    private mutating func add(_ quantity: Quantity) {
        quantities.append(quantity)
        if let modifier = quantity.modifier { notes.append(modifier) }
    }

    private func measured(_ place: Int) -> Quantity? {
        guard case .quantity(let quantity) = line.quantity(place), quantity.isMeasured else { return nil }
        return quantity
    }

    /// Whether `other` is the smaller part of one amount: the ounces behind the pounds.
    private func isPart(_ other: Quantity, of main: Quantity) -> Bool {
        guard main.upper == nil, other.upper == nil else { return false }
        switch (main.unit, other.unit) {
        case (.pound, .ounce): return main.lower.form == .whole && other.lower.value < Rational(16)
        case (.kilogram, .gram), (.liter, .milliliter): return main.lower.form == .whole
        default: return false
        }
    }

    /// The sum in `unit`, where there is one.
    private func sum(_ total: Amount?, _ unit: Unit?, _ other: Quantity) -> Amount? {
        guard let total, total.upper == nil, other.upper == nil, let unit, let otherUnit = other.unit,
            let converted = try? Converter.convert(other.lower.value, from: otherUnit, to: unit),
            let sum = try? total.lower.adding(converted)
        else { return nil }
        return Amount(sum)
    }

    /// Behind `+`, `plus`, `and`, `und`, …; nil where none stands.
    func endOfPlus(_ place: Int) -> Int? {
        if line[place] == "+" || line[place] == "\u{FF0B}" || line[place] == "&" { return place + 1 }
        guard let word = line.word(place), Self.plusWords.contains(word.text.lowercased()) else { return nil }
        return word.end
    }

    private static let plusWords: Set<String> = ["plus", "and", "und", "et", "y", "e", "en", "och", "og"]

    // MARK: The amount at the end

    /// `Mehl 500 g`, `Öl, 3-4 EL`: one amount with a unit, and nothing but notes behind it.
    private mutating func readTrailing(_ start: Int) {
        let lastMeasure = lastMeasure(start)
        var place = start
        while place < line.end {
            if line.isOpeningBracket(place), let close = closing[place] {
                place = close + 1
                continue
            }
            guard mayBegin(place) else {
                place += 1
                continue
            }
            let reading = line.quantity(place)
            let end = reading.end(from: place)
            if case .ambiguous(let range) = reading, line.skippingBlanks(end) == line.end {
                return leaveUnread(.ambiguous(clipped(line.text(range))))
            }
            place = end
            if case .quantity(let quantity) = reading, quantity.unit != nil {
                guard let end = readEnd(quantity, start, lastMeasure) else { return }
                place = end
            }
        }
        unread = .noAmount
        readRest(start)
        // Without an amount a comma lists things as often as it adds a note.
        name = cleaned(start..<line.end, withoutBrackets: true)
        notes = brackets(start)
        finish()
    }

    /// Takes the line as a name, this amount, and notes; where it is none, gives the place to look on from.
    private mutating func readEnd(_ quantity: Quantity, _ start: Int, _ lastMeasure: Int) -> Int? {
        let before = (quantities, notes)
        var main = quantity
        let place = readFurther(&main, quantity.range.upperBound)
        let next = line.skippingBlanks(place)
        let isEnd =
            next == line.end || line.isOpeningBracket(next) || [",", ";", "+", "."].contains(line[next])
        guard isEnd, next > lastMeasure else {
            (quantities, notes) = before
            (amount, unit) = (nil, nil)
            return place
        }
        if let modifier = main.modifier { notes.append(modifier) }
        name = cleaned(start..<quantity.range.lowerBound, withoutBrackets: true)
        readNumbers(start..<quantity.range.lowerBound)
        notes += brackets(start, until: quantity.range.lowerBound)
        if name.isEmpty {
            readRest(place)
        } else {
            readNotes(place)
        }
        finish()
        return nil
    }

    /// Where the last mass or volume outside brackets begins; -1 for none.
    private func lastMeasure(_ start: Int) -> Int {
        var (place, last) = (start, -1)
        while place < line.end {
            if line.isOpeningBracket(place), let close = closing[place] {
                place = close + 1
            } else if mayBegin(place) {
                let reading = line.quantity(place)
                if case .quantity(let quantity) = reading, quantity.isMeasured { last = place }
                place = reading.end(from: place)
            } else {
                place += 1
            }
        }
        return last
    }

    /// A number inside a word or behind another number's digits begins nothing.
    func mayBegin(_ place: Int) -> Bool {
        if line.isUnparted(place) { return line.unpartedUnit(place) != nil }
        guard line.isDigit(place) || line[place].map({ LineScanner.fractions[$0] != nil }) ?? false else {
            return false
        }
        if line.isUnparted(place - 1) { return true }
        return !line.isWordPart(place - 1) && !line.isDigit(place - 1) && line[place - 1] != "."
    }
}

extension Unicode.Scalar {
    /// LF, VT, FF, CR, NEL, and the separators of lines and paragraphs.
    var isLineEnd: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

/// Foreign text for an error: its first 40 characters.
func clipped(_ text: String) -> String {
    let beginning = text.unicodeScalars.prefix(41)
    return beginning.count > 40 ? String(String.UnicodeScalarView(beginning.prefix(40))) + "…" : text
}
