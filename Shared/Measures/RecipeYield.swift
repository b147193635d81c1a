public import Messages

/// How much a recipe makes: a number or range where one can be read, and the text.
///
///     RecipeYield("2 to 4 servings").amount   // 2-4
///     RecipeYield("about 3 dozen").amount     // 36
public struct RecipeYield: Hashable, Sendable {
    /// As it was written, without outer blanks; of several the one that says most.
    public let text: String
    /// How many; above 0; nil where that can't be read.
    public let amount: Amount?
    /// Where the numbers stand in ``text``, in scalars.
    private let numbers: [WrittenNumber]

    /// Reads one text: the first number outside brackets is how much it makes.
    public init(_ text: String) {
        let whole = LineScanner(text)
        let line = LineScanner(whole.text(Self.trimmed(whole)))
        self.text = line.text(0..<line.end)
        (amount, numbers) = Self.amount(line) ?? (nil, [])
    }

    /// Reads the several values that sites give for one recipe: `4` and `4 servings`, `8` and `8-10 servings`.
    ///
    /// A bare number decides, with the range or the dozens of a text that begins with it; the text that says more than a
    /// number is kept.
    public init(_ values: [String]) {
        let yields = values.map { RecipeYield($0) }
        let bare = yields.first { $0.isBareNumber }
        let words = yields.first { !$0.text.isEmpty && !$0.isBareNumber }
        guard let number = bare?.amount, let words else {
            self = words ?? bare ?? RecipeYield("")
            return
        }
        if words.amount?.lower == number.lower || words.startsWithDozens(of: number) {
            self = words
        } else {
            self.init(text: words.text, amount: number, numbers: [])
        }
    }

    private init(text: String, amount: Amount?, numbers: [WrittenNumber]) {
        (self.text, self.amount, self.numbers) = (text, amount, numbers)
    }

    /// The text for `factor` times as much: `Serves 6` for `Serves 4` and 3/2; nil where no number of it can be scaled.
    ///
    /// - Parameters:
    ///   - factor: above 0.
    ///   - mark: the decimal mark of new numbers; that of each old number where it is nil.
    public func scaled(by factor: Rational, mark: DecimalMark? = nil) -> String? {
        guard !numbers.isEmpty, factor > Rational(0) else { return nil }
        var replacements: [(range: Range<Int>, text: String)] = []
        for number in numbers {
            guard let value = try? number.value.multiplied(by: factor) else { return nil }
            replacements.append((number.range, number.format(mark).text(value)))
        }
        return LineScanner(text).replacing(replacements)
    }

    private var isBareNumber: Bool {
        let line = LineScanner(text)
        guard case .number(let number) = line.number(0) else { return false }
        return number.range.upperBound == line.end
    }

    /// Whether the text is of `number` dozens, so that the number beside it leaves out the word.
    private func startsWithDozens(of number: Amount) -> Bool {
        guard let amount, let dozens = try? amount.lower.divided(by: Rational(12)) else { return false }
        return dozens == number.lower
    }

    private static func trimmed(_ line: LineScanner) -> Range<Int> {
        let start = line.skippingBlanks(0)
        var end = line.end
        while end > start, line.isBlank(end - 1) { end -= 1 }
        return start..<end
    }

    private static func amount(_ line: LineScanner) -> (Amount?, [WrittenNumber])? {
        let closing = IngredientReader.brackets(line)
        var place = 0
        while place < line.end {
            if line.isOpeningBracket(place), let close = closing[place] {
                place = close + 1
            } else if line.isDigit(place) || line[place].map({ LineScanner.fractions[$0] != nil }) ?? false {
                return amount(line, place)
            } else {
                place += 1
            }
        }
        return nil
    }

    private static func amount(_ line: LineScanner, _ place: Int) -> (Amount?, [WrittenNumber])? {
        let before = line[place - 1]
        if line.isDash(place - 1), !line.isBlank(place - 2) || place == 1, before != "\u{2014}" { return nil }
        if line.isWordPart(place - 1) && !line.isUnparted(place - 1) || before == "." || before == "," { return nil }
        let numbers = line.numbers(place)
        guard let lower = numbers.first, lower.value > Rational(0), let end = numbers.last?.range.upperBound,
            let found = Amount(lower.value, numbers.dropFirst().first?.value)
        else { return nil }
        guard let word = line.word(line.skippingBlanks(end)), dozens.contains(word.text.lowercased()) else {
            return (found, numbers)
        }
        guard let dozens = try? found.scaled(by: Rational(12)) else { return nil }
        return (dozens, numbers)
    }

    private static let dozens: Set<String> = [
        "dozen", "dozens", "doz", "dutzend", "dozijn", "douzaine", "douzaines", "docena", "docenas", "dozzina",
        "dozzine",
        "dussin", "dusin", "dúzia", "dúzias",
    ]
}

extension LineScanner {
    /// The number or the two of a range that begins here, whatever follows; none where it has two readings.
    func numbers(_ place: Int) -> [WrittenNumber] {
        guard case .number(let lower) = number(place), !lower.isAmbiguous else { return [] }
        if let separator = rangeSeparator(lower.range.upperBound), case .number(let upper) = number(separator.end),
            !upper.isAmbiguous, upper.value > lower.value
        {
            // In `1 - 14-inch pizza` and `2 to 3-inch` the second number is a size.
            let next = upper.range.upperBound
            if !(isDash(next) && isLetter(next + 1)) { return [lower, upper] }
        }
        return [lower]
    }

    /// The line with ranges, which rise, replaced.
    func replacing(_ replacements: [(range: Range<Int>, text: String)]) -> String {
        var changed = String.UnicodeScalarView()
        var place = 0
        for (range, text) in replacements {
            changed.append(contentsOf: scalars[place..<range.lowerBound])
            changed.append(contentsOf: text.unicodeScalars)
            place = range.upperBound
        }
        changed.append(contentsOf: scalars[place...])
        return String(changed)
    }
}

extension WrittenNumber {
    var isAmbiguous: Bool {
        if case .decimalOrThousands = form { return true }
        return false
    }
}
