import Messages
import Text

/// An ingredient as an option gives it: `Salt`, `Rye flour=500 g`.
struct IngredientLine: Sendable, Hashable {
    var name: String
    var amount: String?

    /// Splits at the first `=`.
    ///
    /// - Throws: ``CLIError/usage(_:)`` where no name is left.
    init(_ text: String) throws(CLIError) {
        // By scalars: an equals sign with a combining mark behind it is another Character.
        let parts = text.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { TextNormalizer.trimmedNormalized(String($0)) }
        guard let name = parts.first, !TextNormalizer.isBlank(name) else {
            throw .usage("--ingredient \(quoted(text)) has no name; write 'NAME' or 'NAME=AMOUNT'.")
        }
        self.name = name
        amount = parts.count > 1 && !TextNormalizer.isBlank(parts[1]) ? parts[1] : nil
    }

    /// The ingredients in this order. One that was there under its name keeps its id, so that others' edits of it meet
    /// this one.
    static func ingredients(
        _ lines: [IngredientLine],
        replacing old: [Ingredient],
        key: Identifier?
    ) -> [Ingredient] {
        var left = old
        return lines.enumerated().map { index, line in
            let known = left.firstIndex { $0.name == line.name }.map { left.remove(at: $0).id }
            // The record itself has the key's id 0.
            return Ingredient(id: known ?? .made(by: key, index + 1), name: line.name, amount: line.amount)
        }
    }
}
