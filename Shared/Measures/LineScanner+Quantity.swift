internal import Messages

/// A number or range with its unit, as it stands in a line.
struct Quantity: Hashable, Sendable {
    var lower: WrittenNumber
    var upper: WrittenNumber?
    var unit: Unit?
    /// What stands between number and unit: `heaping`, `large`.
    var modifier: String?
    /// From the number to the unit, in scalars of the line.
    var range: Range<Int>
    /// Whether it is the smaller part of the amount before it: `2 oz` in `1 lb 2 oz`.
    var isPart = false

    /// Nil only for a range that doesn't rise, which is never read.
    var amount: Amount? { Amount(lower.value, upper?.value) }
    var numbers: [WrittenNumber] { [lower] + (upper.map { [$0] } ?? []) }
    var isMeasured: Bool { unit?.isMeasured ?? false }
}

extension Unit {
    /// Whether it is a mass or a volume.
    var isMeasured: Bool { kind == .mass || kind == .volume }
}

/// What is at a place where an amount could be.
enum QuantityReading {
    case none
    /// A number that is no amount, such as `14-ounce`, `9 inch`, `80%`, `7x5`: up to `end`.
    case other(end: Int)
    /// What can be read in two ways, or as no number: `1,000 g`, `1 - 3 pound`, `4-3`.
    case ambiguous(Range<Int>)
    case quantity(Quantity)

    /// Where to look on: behind what was read at `place`, at least behind one character.
    func end(from place: Int) -> Int {
        switch self {
        case .none: place + 1
        case .other(let end): max(end, place + 1)
        case .ambiguous(let range): max(range.upperBound, place + 1)
        case .quantity(let quantity): quantity.range.upperBound
        }
    }
}

extension LineScanner {
    /// The amount that begins here, with its unit where there is one.
    func quantity(_ place: Int) -> QuantityReading {
        // Units before the number: 大さじ2.
        let before = unpartedUnit(place)
        let start = before.map { skippingBlanks($0.end) } ?? place
        let lower: WrittenNumber
        switch number(start) {
        case .none: return .none
        case .unreadable(let end): return .ambiguous(place..<end)
        case .number(let number): lower = number
        }
        var quantity = Quantity(lower: lower, range: lower.range)
        var end = lower.range.upperBound
        let separator = rangeSeparator(end) ?? unitAndSeparator(end)
        if let separator, case .number(let upper) = number(separator.end) {
            if upper.value > lower.value {
                quantity.upper = upper
                end = upper.range.upperBound
            } else if separator.isDash {
                return .ambiguous(place..<upper.range.upperBound)
            }
        }
        if isOtherNumber(end) { return .other(end: end) }
        if let before, !isGluedToWord(end) {
            quantity.unit = before.unit
        } else if let (unit, modifier, unitEnd) = unitWithModifier(end) {
            quantity.unit = unit
            quantity.modifier = modifier
            if isSizeRange(quantity, separator, unitText: skippingBlanks(end)..<unitEnd) {
                return .ambiguous(place..<unitEnd)
            }
            end = unitEnd
        } else if isGluedToWord(end) {
            return .other(end: end)
        }
        quantity.range = place..<end
        return settled(&quantity) ? .quantity(quantity) : .ambiguous(quantity.range)
    }

    /// Decides what `1.125` means: beside kilograms and litres nobody writes thousands; measures of the United States
    /// and Britain come with a decimal point. False for all else.
    private func settled(_ quantity: inout Quantity) -> Bool {
        func settled(_ number: inout WrittenNumber) -> Bool {
            guard case .decimalOrThousands(let mark) = number.form else { return true }
            let isLarge = quantity.unit == .kilogram || quantity.unit == .liter
            let isEnglish = mark == .point && [.us, .imperial].contains(quantity.unit?.system)
            guard isLarge || isEnglish else { return false }
            number.form = .decimal(mark)
            return true
        }
        var (lower, upper) = (quantity.lower, quantity.upper)
        guard settled(&lower), upper == nil || settled(&upper!) else { return false }
        (quantity.lower, quantity.upper) = (lower, upper)
        return true
    }

    /// `1 - 3 pound chicken` and `2 - 14 oz cans` are ranges, or a count and a size.
    private func isSizeRange(_ quantity: Quantity, _ separator: Separator?, unitText: Range<Int>) -> Bool {
        guard let upper = quantity.upper, let separator, separator.isDash, quantity.isMeasured,
            quantity.lower.form == .whole
        else { return false }
        let isSingular = ["pound", "ounce"].contains(text(unitText).lowercased()) && upper.value > Rational(1)
        return isSingular || unit(unitText.upperBound)?.unit.isContainer ?? false
    }

    // MARK: Ranges

    struct Separator {
        var end: Int
        var isDash: Bool
    }

    /// `-`, `–`, `to`, `bis`, … with the blanks around it.
    func rangeSeparator(_ place: Int) -> Separator? {
        let start = skippingBlanks(place)
        if isDash(start) { return Separator(end: skippingBlanks(start + 1), isDash: true) }
        guard start > place, let word = word(start), isBlank(word.end) else { return nil }
        var end = word.end
        if word.text.lowercased() == "up", let to = self.word(skippingBlanks(end)), to.text.lowercased() == "to" {
            end = to.end
        } else if !Self.rangeWords.contains(word.text.lowercased()) {
            return nil
        }
        return Separator(end: skippingBlanks(end), isDash: false)
    }

    /// In `100 g - 150 g` the unit stands twice: the separator behind the first, where the second is the same.
    private func unitAndSeparator(_ place: Int) -> Separator? {
        guard let (unit, _, end) = unitWithModifier(place), let separator = rangeSeparator(end),
            case .number(let upper) = number(separator.end),
            unitWithModifier(upper.range.upperBound)?.unit == unit
        else { return nil }
        return separator
    }

    private static let rangeWords: Set<String> = [
        "to", "or", "bis", "oder", "tot", "of", "à", "a", "ou", "o", "till", "til", "eller", "do", "až", "al", "ate",
        "até",
    ]

    // MARK: Units

    /// The unit that follows a number, and a word of size or measure before it.
    func unitWithModifier(_ place: Int) -> (unit: Unit, modifier: String?, end: Int)? {
        if let (unit, end) = unit(place) { return (unit, nil, end) }
        let start = skippingBlanks(place)
        guard let word = word(start) else { return nil }
        var end = word.end
        if self[end] == "." { end += 1 }
        guard Self.modifiers.contains(word.text.lowercased()), isBlank(end), let (unit, unitEnd) = unit(end) else {
            return nil
        }
        return (unit, word.text, unitEnd)
    }

    /// The unit whose name begins here, after blanks; the longest name wins.
    func unit(_ place: Int) -> (unit: Unit, end: Int)? {
        var start = skippingBlanks(place)
        if let found = unpartedUnit(start) { return found }
        var (words, ends): ([String], [Int]) = ([], [])
        while words.count < Unit.longestName, let word = word(start) {
            var end = word.end
            if self[end] == "." { end += 1 }
            words.append(word.text)
            ends.append(endOfPlural(end))
            start = skippingBlanks(endOfPlural(end))
        }
        while let end = ends.popLast() {
            if let unit = Unit(words: words), !(isDash(end) && isLetter(end + 1)), !isDigit(end) { return (unit, end) }
            words.removeLast()
        }
        return nil
    }

    /// Behind the `(n)` of `Zehe(n)`: a bracket of a few letters, without a blank before.
    func endOfPlural(_ place: Int) -> Int {
        guard self[place] == "(", isLetter(place - 1) || self[place - 1] == "." else { return place }
        var end = place + 1
        while isLetter(end), end - place <= 4 { end += 1 }
        return end > place + 1 && self[end] == ")" ? end + 1 : place
    }

    /// The unit of a script that doesn't part words, exactly here.
    func unpartedUnit(_ place: Int) -> (unit: Unit, end: Int)? {
        guard isUnparted(place) else { return nil }
        for (name, unit) in Unit.unparted where scalars[place...].starts(with: name) {
            return (unit, place + name.count)
        }
        return nil
    }

    private static let modifiers: Set<String> = [
        "heaping", "heaped", "level", "rounded", "scant", "generous", "packed", "large", "small", "medium", "big",
        "full",
        "gestr", "gestrichene", "gestrichener", "geh", "gehäufte", "gehäufter", "große", "großer", "großes", "kleine",
        "kleiner", "kleines", "volle", "grote", "kleine", "stora", "små", "stor", "liten", "grandes", "grande",
        "petite",
        "petites", "rasa", "rasas",
    ]

    // MARK: What is no amount

    /// Whether a number that ends here says a size or a share: `14-ounce`, `80%`, `9"`, `7x5`, `2 cm`.
    private func isOtherNumber(_ place: Int) -> Bool {
        switch self[place] {
        case "%", "°", "º", "\"", "″", "”", "'", "′", "\u{FF05}", "\u{2103}", "\u{2109}": return true
        default: break
        }
        if isDash(place), isLetter(place + 1) { return true }
        let start = skippingBlanks(place)
        if self[start] == "%" { return true }
        if isDash(start), let word = word(skippingBlanks(start + 1)), Self.lengths.contains(word.text.lowercased()) {
            return true
        }
        guard let word = word(start) else { return false }
        let text = word.text.lowercased()
        if text == "x", start == place, isDigit(word.end) {
            // `2x400g` is a count and a size, `7x5-inch` and `9x13` are sizes.
            guard case .number(let second) = number(word.end), unit(second.range.upperBound)?.unit.isMeasured == true
            else { return true }
            return false
        }
        return Self.lengths.contains(text)
    }

    private static let lengths: Set<String> = [
        "inch", "inches", "cm", "mm", "zoll", "centimeter", "centimeters", "centimetre", "centimetres", "zentimeter",
        "pouce", "pouces", "pulgada", "pulgadas",
    ]

    private func isGluedToWord(_ place: Int) -> Bool {
        guard isLetter(place) else { return false }
        return !(self[place] == "x" && (isBlank(place + 1) || isDigit(place + 1))) && self[place] != "×"
    }
}

extension Unit {
    /// Whether goods are sold in it, so that a size may stand before it.
    var isContainer: Bool {
        switch self {
        case .bag, .bottle, .box, .can, .container, .envelope, .jar, .package, .tube: true
        default: false
        }
    }
}
