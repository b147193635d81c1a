internal import Messages

/// A number as it stands in a line.
struct WrittenNumber: Hashable, Sendable {
    var value: Rational
    /// In scalars of the line.
    var range: Range<Int>
    var form: Form

    enum Form: Hashable, Sendable {
        case whole
        case fraction
        case decimal(DecimalMark)
        /// A mark before exactly three digits, such as `1,000`: it may part thousands.
        case decimalOrThousands(DecimalMark)
    }
}

/// What parts the decimals from a whole number.
public enum DecimalMark: String, CaseIterable, Hashable, Sendable {
    case point = "."
    case comma = ","
}

/// What is at a place where a number could be.
enum NumberReading {
    case none
    /// Digits that are no number, or not for sure: a date, `1.2.3`, `00`, more digits than 64 bits hold. Up to `end`.
    case unreadable(end: Int)
    case number(WrittenNumber)
}

extension LineScanner {
    /// The number that begins here: `2`, `1.5`, `0,333`, `.5`, `½`, `1/3`, `1⁄3`, `¹⁄₃`, `1 ½`, `1½`, `1 1/2`, `1-1/2`,
    /// `1 and 1/2`.
    func number(_ place: Int) -> NumberReading {
        let reading = numberOnly(place)
        // A mark on a digit or another digit behind a fraction makes something else of it.
        if case .number(let number) = reading, isMark(number.range.upperBound) || isDigit(number.range.upperBound) {
            return .unreadable(end: digits(number.range.upperBound).end)
        }
        return reading
    }

    private func numberOnly(_ place: Int) -> NumberReading {
        if let fraction = fraction(place) { return fraction }
        if self[place] == ".", isDigit(place + 1) { return decimals(0, from: place, mark: place) }
        let (whole, end) = digits(place)
        guard end > place else { return .none }
        guard let whole else { return .unreadable(end: endOfDigits(end)) }
        if isDecimalMark(end), isDigit(end + 1) { return decimals(whole, from: place, mark: end) }
        guard end - place == 1 || digit(place) != 0 else { return .unreadable(end: end) }
        if let (fraction, fractionEnd) = fractionBehindWhole(end), whole > 0 {
            guard let value = try? Rational(whole).adding(fraction) else { return .unreadable(end: fractionEnd) }
            return .number(WrittenNumber(value: value, range: place..<fractionEnd, form: .fraction))
        }
        return .number(WrittenNumber(value: Rational(whole), range: place..<end, form: .whole))
    }

    /// `½`, `1/3`, `¹⁄₃`, `⅟8`; nil where no fraction begins.
    private func fraction(_ place: Int) -> NumberReading? {
        if let scalar = self[place], let (top, bottom) = Self.fractions[scalar] {
            return made(top, bottom, place..<(place + 1))
        }
        if self[place] == "\u{215F}" {
            let (bottom, end) = digits(place + 1)
            return made(1, bottom ?? 0, place..<max(end, place + 1))
        }
        var (top, slash) = digits(place)
        if slash == place { (top, slash) = raisedDigits(place) }
        guard slash > place, isSlash(slash) else { return nil }
        var (bottom, end) = digits(slash + 1)
        if end == slash + 1 { (bottom, end) = loweredDigits(slash + 1) }
        guard end > slash + 1 else { return nil }
        guard let top, let bottom, !isDecimalMark(end) || !isDigit(end + 1), !isSlash(end) || !isDigit(end + 1) else {
            return .unreadable(end: endOfDigits(end))
        }
        return made(top, bottom, place..<end)
    }

    private func made(_ top: Int64, _ bottom: Int64, _ range: Range<Int>) -> NumberReading {
        guard let value = try? Rational(top, bottom) else { return .unreadable(end: range.upperBound) }
        return .number(WrittenNumber(value: value, range: range, form: .fraction))
    }

    /// A fraction below 1 that belongs to the whole number before `place`, with what joins them: nothing, blanks, a
    /// hyphen, `and`, `&`.
    private func fractionBehindWhole(_ place: Int) -> (Rational, Int)? {
        var start = skippingBlanks(place)
        if start == place, isDash(start) { start += 1 }
        if start > place {
            if self[start] == "&" {
                start = skippingBlanks(start + 1)
            } else if let word = word(start), ["and", "und", "et", "en", "och", "og"].contains(word.text.lowercased()) {
                start = skippingBlanks(word.end)
            }
        }
        guard case .number(let number) = fraction(start), number.value < Rational(1), number.value > Rational(0) else {
            return nil
        }
        return (number.value, number.range.upperBound)
    }

    private func decimals(_ whole: Int64, from place: Int, mark: Int) -> NumberReading {
        let (decimals, end) = digits(mark + 1)
        let count = end - mark - 1
        guard !isDecimalMark(end) || !isDigit(end + 1), count <= 18, let decimals else {
            return .unreadable(end: endOfDigits(end))
        }
        var scale = Int64(1)
        for _ in 0..<count { scale *= 10 }
        guard let value = try? Rational(decimals, scale).adding(Rational(whole)) else { return .unreadable(end: end) }
        let sign: DecimalMark = self[mark] == "," ? .comma : .point
        let mayBeThousands = count == 3 && whole > 0 && mark - place <= 3
        return .number(
            WrittenNumber(
                value: value,
                range: place..<end,
                form: mayBeThousands ? .decimalOrThousands(sign) : .decimal(sign)
            )
        )
    }

    private func isDecimalMark(_ place: Int) -> Bool { self[place] == "." || self[place] == "," }

    /// The digits from `place`; nil for a number of more than 18.
    private func digits(_ place: Int) -> (value: Int64?, end: Int) {
        digits(place) { digit($0) }
    }

    /// The end of all digits, marks and slashes from `place`.
    private func endOfDigits(_ place: Int) -> Int {
        var end = place
        while isDigit(end) || (isDecimalMark(end) || isSlash(end)) && isDigit(end + 1) { end += 1 }
        return end
    }

    private func raisedDigits(_ place: Int) -> (value: Int64?, end: Int) {
        digits(place) { self[$0].flatMap { Self.raised[$0] } }
    }

    private func loweredDigits(_ place: Int) -> (value: Int64?, end: Int) {
        digits(place) { place in
            guard let value = self[place]?.value, 0x2080...0x2089 ~= value else { return nil }
            return Int64(value - 0x2080)
        }
    }

    private func digits(_ place: Int, _ digit: (Int) -> Int64?) -> (value: Int64?, end: Int) {
        var (value, end) = (Int64(0), place)
        while let next = digit(end) {
            if end - place < 18 { value = value * 10 + next }
            end += 1
        }
        return (end - place <= 18 ? value : nil, end)
    }

    private static let raised: [Unicode.Scalar: Int64] = [
        "⁰": 0, "¹": 1, "²": 2, "³": 3, "⁴": 4, "⁵": 5, "⁶": 6, "⁷": 7, "⁸": 8, "⁹": 9,
    ]
}
