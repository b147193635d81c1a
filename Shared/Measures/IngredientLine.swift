public import Messages

/// A line of a recipe's ingredients, read as far as that is sure.
///
///     let line = IngredientLine("1 ½ cups flour, sifted")
///     line.amount, line.unit, line.name, line.note   // 3/2, cup, "flour", "sifted"
///     try line.scaled(by: Rational(2)).text          // "3 cups flour, sifted"
///
/// Nothing is guessed: what has two meanings (`1,000 g`), or isn't understood, stays text, and ``unread`` says why. Any
/// text will do, of any length; the time grows with the length. Entities and tags of HTML are not decoded here.
public struct IngredientLine: Hashable, Sendable {
    /// The line as it was written.
    public let text: String
    /// How much; nil where no amount can be read, or where the line adds up what can't be added (`1-2 cups + 1 tbsp`).
    public let amount: Amount?
    /// What ``amount`` is counted in; nil for none, as in `2 eggs`, and for a word that is no known unit.
    public let unit: Unit?
    /// What it is, without amount, unit and note; the whole line where nothing would be left.
    public let name: String
    /// What stands behind the name's comma or in brackets: `beaten`, `optional`; nil for none.
    public let note: String?
    /// Whether it is the heading of the lines below it: `For the sauce:`, or `, Sauce` as Plan to Eat exports it. Its
    /// name is the heading.
    public let isHeading: Bool
    /// Why there is nothing to scale; nil where there is.
    public let unread: UnreadAmount?

    /// Where the numbers stand that ``scaled(by:mark:)`` replaces, in order: both ends of a range, both of `240 g (8.5 oz)`.
    public var amountRanges: [Range<String.Index>] {
        let indices = Array(text.unicodeScalars.indices) + [text.endIndex]
        return numbers.map { indices[$0.number.range.lowerBound]..<indices[$0.number.range.upperBound] }
    }

    /// The main amount first, then others of the same line that grow with it.
    let quantities: [Quantity]
    /// Whether there are numbers that scaling leaves as they are: sizes of cans, weights in brackets behind a count.
    let hasOtherNumbers: Bool

    /// In the order of the line.
    var numbers: [(number: WrittenNumber, unit: Unit?)] {
        quantities.flatMap { quantity in quantity.numbers.map { ($0, quantity.unit) } }
            .sorted { $0.0.range.lowerBound < $1.0.range.lowerBound }
    }

    /// Reads a line.
    public init(_ text: String) {
        var reader = IngredientReader(text)
        reader.read()
        self.text = text
        amount = reader.unread == nil ? reader.amount : nil
        unit = reader.unread == nil ? reader.unit : nil
        name = reader.name
        note = reader.notes.isEmpty ? nil : reader.notes.joined(separator: ", ")
        isHeading = reader.isHeading
        unread = reader.unread
        quantities = reader.unread == nil ? reader.quantities : []
        hasOtherNumbers = reader.hasOtherNumbers
    }
}

/// Why a line has no amount that could be scaled. Texts found are clipped to 40 characters.
public enum UnreadAmount: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line is a heading.
    case heading
    /// There is no number, or none that is sure to say how much: `Salt`, `a 14-ounce can`.
    case noAmount
    /// It has two readings, or is no number: `1,000 g`, `1 - 3 pound`, `4-3`.
    case ambiguous(String)
    /// Two lines in one, each with an amount.
    case severalIngredients

    public var description: String {
        switch self {
        case .heading: "it is a heading"
        case .noAmount: "it has no amount"
        case .ambiguous(let text): "'\(text)' can be read in more than one way"
        case .severalIngredients: "it holds two ingredients"
        }
    }
}
