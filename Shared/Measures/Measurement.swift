public import Messages

/// A number of a unit: `250 ml`.
public struct Measurement: Hashable, Sendable {
    public var value: Rational
    public var unit: Unit

    public init(_ value: Rational, _ unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Reads what somebody asks to have converted: `250 ml`, `1 1/2 cups`, `2 lb 3 oz`, `-40 C`.
    ///
    /// Here `C` and `F` are degrees, since nothing else can be meant, and a point is a decimal point. A comma before
    /// exactly three digits stays unclear.
    ///
    /// - Throws: ``MeasurementError``.
    public static func read(_ text: String) throws(MeasurementError) -> [Measurement] {
        let line = LineScanner(text)
        var read: [Measurement] = []
        var place = line.skippingBlanks(0)
        while place < line.end {
            let isNegative = read.isEmpty && line.isDash(place) && line[place] != "~"
            let (value, start) = try number(line, isNegative ? place + 1 : place)
            var end = start
            while end < line.end, !line.isDigit(end) { end += 1 }
            let name = trimmed(line, start..<end)
            guard let unit = Unit(asked: name) else {
                throw name.isEmpty ? .noUnit(clipped(text)) : .unknownUnit(clipped(name))
            }
            guard let signed = try? value.multiplied(by: Rational(isNegative ? -1 : 1)) else {
                throw .unreadable(clipped(text))
            }
            read.append(Measurement(signed, unit))
            place = end
        }
        guard !read.isEmpty else { throw .unreadable(clipped(text)) }
        return read
    }

    /// A number alone, as a factor or a density is written: `1/2`, `0.6`, `1 1/2`, `0,6`; may be 0 or negative.
    ///
    /// - Throws: ``MeasurementError/unreadable(_:)`` or ``MeasurementError/unclear(_:)``.
    public static func number(_ text: String) throws(MeasurementError) -> Rational {
        let line = LineScanner(text)
        let start = line.skippingBlanks(0)
        let isNegative = line.isDash(start) && line[start] != "~"
        let (value, end) = try number(line, isNegative ? start + 1 : start)
        guard line.skippingBlanks(end) == line.end,
            let signed = try? value.multiplied(by: Rational(isNegative ? -1 : 1))
        else { throw .unreadable(clipped(text)) }
        return signed
    }

    private static func number(_ line: LineScanner, _ place: Int) throws(MeasurementError) -> (Rational, end: Int) {
        guard case .number(let number) = line.number(place) else {
            throw .unreadable(clipped(line.text(place..<line.end)))
        }
        if number.form == .decimalOrThousands(.comma) { throw .unclear(clipped(line.text(number.range))) }
        return (number.value, number.range.upperBound)
    }

    private static func trimmed(_ line: LineScanner, _ range: Range<Int>) -> String {
        var (start, end) = (line.skippingBlanks(range.lowerBound), range.upperBound)
        while end > start, line.isBlank(end - 1) || line[end - 1] == "," || line[end - 1] == "+" { end -= 1 }
        start = min(start, end)
        return line.text(start..<end)
    }
}

extension Unit {
    /// The unit that somebody asks for by name: as ``init(named:)``, and `C`, `F`, `°C`, `°F`, `celsius`, `fahrenheit`.
    public init?(asked name: some StringProtocol) {
        switch name.lowercased() {
        case "c", "°c", "℃", "celsius", "degrees celsius": self = .celsius
        case "f", "°f", "℉", "fahrenheit", "degrees fahrenheit": self = .fahrenheit
        default:
            guard let unit = Unit(named: name) else { return nil }
            self = unit
        }
    }

    /// All that can be converted: masses, volumes, temperatures.
    public static let convertible: [Unit] = allCases.filter { $0.kind != .count }
}

/// Why a text is no measurement. Texts found are clipped to 40 characters.
public enum MeasurementError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no number where one is needed.
    case unreadable(String)
    /// A comma before three digits: decimals, or thousands.
    case unclear(String)
    case noUnit(String)
    case unknownUnit(String)

    public var description: String {
        switch self {
        case .unreadable(let text): "'\(text)' is no number: write one like 250, 1/2 or 0.6."
        case .unclear(let text): "'\(text)' may be thousands or decimals: write a point before decimals, and no comma."
        case .noUnit(let text): "'\(text)' has no unit: write one behind the number, like 250 ml."
        case .unknownUnit(let text): "There is no unit '\(text)'."
        }
    }
}
