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

    /// Reads one text: the first number outside brackets is how much it makes.
    public init(_ text: String) {
        let line = LineScanner(text)
        self.text = line.text(Self.trimmed(line))
        amount = Self.amount(line)
    }

    /// Reads the several values that sites give for one recipe: `4` and `4 servings`, `8` and `8-10 servings`.
    ///
    /// A bare number decides, with the range or the dozens of a text that begins with it; the text that says more than a
    /// number is kept.
    public init(_ values: [String]) {
        let yields = values.map { RecipeYield($0) }
        let bare = yields.first { $0.isBareNumber }
        let words = yields.first { !$0.text.isEmpty && !$0.isBareNumber }
        text = (words ?? bare)?.text ?? ""
        guard let number = bare?.amount, let words else {
            amount = bare?.amount ?? words?.amount
            return
        }
        let isSame = words.amount?.lower == number.lower || words.startsWithDozens(of: number)
        amount = isSame ? words.amount : number
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

    private static func amount(_ line: LineScanner) -> Amount? {
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

    private static func amount(_ line: LineScanner, _ place: Int) -> Amount? {
        let before = line[place - 1]
        if line.isDash(place - 1), !line.isBlank(place - 2) || place == 1, before != "\u{2014}" { return nil }
        if line.isWordPart(place - 1) && !line.isUnparted(place - 1) || before == "." || before == "," { return nil }
        guard let (found, end) = line.amount(place), found.lower > Rational(0) else { return nil }
        guard let word = line.word(line.skippingBlanks(end)), dozens.contains(word.text.lowercased()) else {
            return found
        }
        return try? found.scaled(by: Rational(12))
    }

    private static let dozens: Set<String> = [
        "dozen", "dozens", "doz", "dutzend", "dozijn", "douzaine", "douzaines", "docena", "docenas", "dozzina",
        "dozzine",
        "dussin", "dusin", "dúzia", "dúzias",
    ]
}

extension LineScanner {
    /// The number or range that begins here, whatever follows it; nil for one that has two readings.
    func amount(_ place: Int) -> (Amount, end: Int)? {
        guard case .number(let lower) = number(place), !lower.isAmbiguous else { return nil }
        let end = lower.range.upperBound
        if let separator = rangeSeparator(end), case .number(let upper) = number(separator.end), !upper.isAmbiguous,
            let range = Amount(lower.value, upper.value)
        {
            // In `1 - 14-inch pizza` and `2 to 3-inch` the second number is a size.
            let next = upper.range.upperBound
            if !(isDash(next) && isLetter(next + 1)) { return (range, next) }
        }
        return Amount(lower.value).map { ($0, end) }
    }
}

extension WrittenNumber {
    var isAmbiguous: Bool {
        if case .decimalOrThousands = form { return true }
        return false
    }
}
