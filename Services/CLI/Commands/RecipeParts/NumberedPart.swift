import Messages
import Text

/// An ingredient or a step with the number by which people call it.
struct NumberedPart<Part: RecipePart>: Sendable, Hashable {
    /// From 1, in order; nil for headings, which aren't counted.
    var number: Int?
    var part: Part

    static func list(_ parts: [Part]) -> [NumberedPart] {
        var count = 0
        return parts.map { part in
            if part.isHeading == true { return NumberedPart(number: nil, part: part) }
            count += 1
            return NumberedPart(number: count, part: part)
        }
    }

    /// The parts as they are printed.
    static var noun: Noun<NumberedPart> {
        Noun(
            Part.singular,
            plural: Part.plural,
            summary: "The \(Part.plural) of a recipe, in order.",
            fields: [
                .integer("number", "No.", "The number, from 1; headings have none.") { $0.number.map(Int64.init) },
                .id("id", "Id", "The \(Part.singular)'s UUID.") { $0.part.id },
                .boolean("isHeading", "Heading", "Whether it is a heading for those below.", inTable: false) {
                    $0.part.isHeading == true
                },
                .text("text", "Text", "What was written.") { row in
                    row.part.isHeading == true ? "[\(row.part.content)]" : row.part.content
                },
            ],
            id: \.part.id
        )
    }
}

extension Recipe {
    /// The index of the ingredient or step that a person means.
    ///
    /// In this order: an id; its number, headings not counted; its whole text, case and accents aside; the end of an id,
    /// from four digits, together with the beginning of a word of its text.
    ///
    /// - Throws: ``CLIError/ambiguous(noun:text:candidates:more:)`` and ``CLIError/notFound(noun:text:suggestion:)``.
    func index<Part: RecipePart>(of text: String, _ type: Part.Type) throws(CLIError) -> Int {
        let text = TextNormalizer.trimmedNormalized(text)
        let folded = TextNormalizer.folded(text)
        let digits = text.lowercased()
        let parts = self[keyPath: Part.path]
        let rows = NumberedPart<Part>.list(parts)
        let steps: [(NumberedPart<Part>) -> Bool] = [
            { $0.part.id.description == digits },
            { $0.number.map { number in "\(number)" == text || "#\(number)" == text } ?? false },
            { TextNormalizer.folded($0.part.content) == folded },
            { row in
                digits.utf8.count >= 4 && row.part.id.hexadecimal.hasSuffix(digits)
                    || FoldedName(row.part.content).hasWord(beginningLike: FoldedName(text))
            },
        ]
        for step in steps {
            let found = rows.indices.filter { step(rows[$0]) }
            if found.count > 1 { throw Self.ambiguity(text, found.map { rows[$0] }) }
            if let index = found.first { return index }
        }
        let suggestion = Suggestion.nearest(to: text, among: parts.map(\.content)) { TextNormalizer.folded($0) }
        throw .notFound(noun: "\(Part.singular) of \(quoted(name))", text: text, suggestion: suggestion)
    }

    private static func ambiguity<Part: RecipePart>(_ text: String, _ rows: [NumberedPart<Part>]) -> CLIError {
        let tailDigits = CellText.idDigits(rows.map(\.part.id))
        let candidates = rows.prefix(Resolver.listedCandidates).map { row in
            let details = [row.number.map { "no. \($0)" } ?? "heading", CellText.escaped(row.part.content)]
            return CLIError.Candidate(tail: row.part.id.tail(tailDigits), details: details)
        }
        let more = rows.count > Resolver.listedCandidates
        return .ambiguous(noun: Part.plural, text: text, candidates: candidates, more: more)
    }
}
