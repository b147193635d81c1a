import Messages
import Text

extension Order {
    /// The index of the row that a person means.
    ///
    /// In this order: an id; its number among the rows as they are shown; the service's whole name, case and accents
    /// aside; the end of an id, from four digits, together with the beginning of a service's name.
    ///
    /// - Throws: ``CLIError/ambiguous(noun:text:candidates:more:)`` and ``CLIError/notFound(noun:text:suggestion:)``.
    func indexOfRow(_ text: String) throws(CLIError) -> Int {
        let text = TextNormalizer.trimmedNormalized(text)
        let folded = TextNormalizer.folded(text)
        let lines = lines
        func name(_ line: OrderLine) -> String { TextNormalizer.folded(line.serviceName ?? "") }
        let digits = text.lowercased()
        let steps: [(OrderLine) -> Bool] = [
            { $0.id.description == digits },
            { String($0.number) == text || "#\($0.number)" == text },
            { !folded.isEmpty && name($0) == folded },
            { line in
                digits.utf8.count >= 4 && line.id.hexadecimal.hasSuffix(digits)
                    || !folded.isEmpty && name(line).utf8.starts(with: folded.utf8)
            },
        ]
        for step in steps {
            let found = lines.filter(step)
            if found.count > 1 { throw Self.ambiguity(text, found) }
            if let line = found.first, let index = rows.firstIndex(where: { $0.id == line.id }) { return index }
        }
        let suggestion = Suggestion.nearest(to: text, among: lines.compactMap(\.serviceName)) {
            TextNormalizer.folded($0)
        }
        throw .notFound(noun: "row of order \(label)", text: text, suggestion: suggestion)
    }

    private static func ambiguity(_ text: String, _ lines: [OrderLine]) -> CLIError {
        let tailDigits = CellText.idDigits(lines.map(\.id))
        let candidates = lines.prefix(Resolver.listedCandidates).map { line in
            CLIError.Candidate(tail: line.id.tail(tailDigits), details: ["row \(line.number)", line.text])
        }
        let more = lines.count > Resolver.listedCandidates
        return .ambiguous(noun: "rows", text: text, candidates: candidates, more: more)
    }
}
