/// What `--where` says: comparisons of fields, joined by `and`, `or`, `not` and parentheses.
///
///     customer = Lind and date < 2024-02-01
///     not paid and (due <= today or total >= 100)
///     note ~ "back door"
indirect enum Query: Sendable, Hashable {
    case comparison(Comparison)
    /// A field alone: that it is true.
    case flag(Field)
    case and([Query])
    case or([Query])
    case not(Query)

    struct Field: Sendable, Hashable {
        var name: String
        /// Where it stands in the text, from 1, in characters.
        var place: Int
    }

    struct Comparison: Sendable, Hashable {
        var field: Field
        var sign: Sign
        /// Without its quotes; where it was without any, words as they were written, a blank between them.
        var value: String
        var isQuoted: Bool
        var place: Int
    }

    enum Sign: String, Sendable, Hashable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="
        /// The text holds it.
        case contains = "~"
    }

    /// Why a text is no query: what is wrong and where.
    struct Problem: Error, Sendable, Hashable {
        /// From 1, in characters.
        var place: Int
        var reason: String
    }

    /// - Throws: ``Problem``; also for parentheses and `not` nested deeper than ``deepest``.
    init(parsing text: String) throws(Problem) {
        var parser = QueryParser(try QueryToken.tokens(of: text))
        self = try parser.query()
    }

    /// A service takes filters of 16 levels; one level of text makes up to two, and a comparison four.
    static let deepest = 5
}
