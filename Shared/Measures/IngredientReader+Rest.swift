internal import Messages

/// What follows the amount: the name, notes, and amounts among them.
extension IngredientReader {
    /// Takes name and notes from `place` to the end of the line.
    mutating func readRest(_ place: Int) {
        let comma = endOfName(place)
        name = cleaned(place..<comma, withoutBrackets: true)
        readNumbers(place..<comma)
        notes += brackets(place, until: comma)
        readNotes(comma)
    }

    /// Takes all from `place` to the end as notes.
    mutating func readNotes(_ place: Int) {
        readNumbers(place..<line.end)
        let note = cleaned(place..<line.end, withoutBrackets: true)
        if !note.isEmpty { notes.append(note) }
        notes += brackets(place)
    }

    /// Leaves no line without a name: a count's unit may be the thing itself, as in `5 cloves`.
    mutating func finish() {
        notes.removeAll { $0.isEmpty }
        guard name.isEmpty else { return }
        if let main = quantities.first, main.unit?.kind == .count {
            name = cleaned(main.numbers.map(\.range.upperBound).max().map { $0..<main.range.upperBound } ?? 0..<0)
            unit = nil
            quantities[0].unit = nil
        }
        if name.isEmpty { name = cleaned(0..<line.end) }
    }

    /// The first comma or semicolon outside brackets with something before it; the line's end for none.
    private func endOfName(_ place: Int) -> Int {
        var place = place
        var hasName = false
        while place < line.end {
            if line.isOpeningBracket(place), let close = closing[place] {
                place = min(close + 1, line.end)
                continue
            }
            let isComma = [",", ";", "、", "，"].contains(line[place])
            if isComma, hasName, !line.isDigit(place + 1) || line.isBlank(place - 1) { return place }
            if !isComma, !line.isBlank(place) { hasName = true }
            place += 1
        }
        return line.end
    }

    // MARK: Amounts among the rest

    /// Finds further amounts: those that grow with the main one are kept, all others are told of.
    ///
    /// Only those that end within `range` count. They grow behind `plus` and `or`; and in brackets behind a mass or volume, where they say the same in another unit. Behind
    /// a count, brackets hold the size of one as often as the sum of all.
    mutating func readNumbers(_ range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            if line.isOpeningBracket(place), let close = closing[place] {
                if line.endOfPlural(place) == place { readBracket((place + 1)..<min(close, range.upperBound)) }
                place = close + 1
            } else if let end = readJoined(place, range.upperBound) {
                place = end
            } else {
                place = skipping(place)
            }
        }
    }

    private mutating func readBracket(_ range: Range<Int>) {
        var place = skippingOpening(range.lowerBound)
        while line.isOpeningBracket(place) { place = skippingOpening(place + 1) }
        if let end = readJoined(place, range.upperBound) {
            place = end
        } else if quantities.first?.isMeasured ?? false, !saysEach(range) {
            place = readSame(place, range.upperBound)
        }
        while place < range.upperBound { place = skipping(place) }
    }

    /// The same amount in other units: `6 oz/170 g`, `2/3 cup + 1 tsp`.
    private mutating func readSame(_ place: Int, _ limit: Int) -> Int {
        var place = place
        while case .quantity(let quantity) = line.quantity(place), quantity.isMeasured,
            quantity.range.upperBound <= limit
        {
            quantities.append(quantity)
            place = quantity.range.upperBound
            let next = line.skippingBlanks(place)
            if line.isSlash(next) || line[next] == "=" || line[next] == "," || line[next] == ";" {
                place = line.skippingBlanks(next + 1)
            } else if let sign = endOfPlus(next) {
                place = line.skippingBlanks(sign)
            } else if measuredFollows(next) {
                place = next
            } else {
                break
            }
        }
        return place
    }

    private func measuredFollows(_ place: Int) -> Bool {
        if case .quantity(let quantity) = line.quantity(place) { return quantity.isMeasured }
        return false
    }

    /// An amount behind `plus` or `or`; nil for anything else.
    private mutating func readJoined(_ place: Int, _ limit: Int) -> Int? {
        guard !quantities.isEmpty, !line.isWordPart(place - 1) else { return nil }
        if let sign = endOfPlus(place) { return readAddend(line.skippingBlanks(sign), limit) }
        guard let word = line.word(place), Self.orWords.contains(word.text.lowercased()),
            case .quantity(let quantity) = line.quantity(line.skippingBlanks(word.end)),
            quantity.range.upperBound <= limit
        else { return nil }
        quantities.append(quantity)
        return quantity.range.upperBound
    }

    private static let orWords: Set<String> = ["or", "oder", "ou", "of", "o", "eller", "oppure"]

    /// `plus 2 tablespoons` at the end adds to the amount; `plus 1 egg yolk` is more of something else.
    private mutating func readAddend(_ place: Int, _ limit: Int) -> Int? {
        guard case .quantity(let quantity) = line.quantity(place), quantity.range.upperBound <= limit else {
            return nil
        }
        quantities.append(quantity)
        let next = line.skippingBlanks(quantity.range.upperBound)
        let isLast = next == line.end || line.isClosingBracket(next) || line[next] == ","
        if isLast, let total = amount, total.upper == nil, quantity.upper == nil, let unit, let other = quantity.unit {
            amount = (try? Converter.convert(quantity.lower.value, from: other, to: unit))
                .flatMap { try? total.lower.adding($0) }
                .flatMap { Amount($0) }
        }
        return quantity.range.upperBound
    }

    /// Past a number, which is told of where it could be an amount, or past one character.
    private mutating func skipping(_ place: Int) -> Int {
        guard mayBegin(place) else { return place + 1 }
        let reading = line.quantity(place)
        switch reading {
        case .none, .other: break
        case .ambiguous, .quantity: hasOtherNumbers = true
        }
        return reading.end(from: place)
    }

    /// Whether a bracket tells the size of each piece.
    private func saysEach(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            guard !line.isWordPart(place - 1), let word = line.word(place) else {
                place += 1
                continue
            }
            if Self.eachWords.contains(word.text.lowercased()) { return true }
            place = word.end
        }
        return false
    }

    private static let eachWords: Set<String> = [
        "each", "per", "je", "pro", "chacun", "chacune", "ciascuno", "cad", "styck",
    ]
}
