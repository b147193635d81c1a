import Measures
import Messages
import Text

/// One recipe for people: what it is, what it takes and how it is made, with the numbers by which its ingredients and
/// steps are called.
///
///     Recipe:      Leek soup
///     Type:        Soup
///     Prep time:   15 min
///     Total time:  35 min
///     Yield:       4 servings
///     For a cold day after a long walk.
///     Ingredients:
///       1    3 leeks, sliced
///       2  400 g potatoes
///          To serve
///       3      cream
///     Steps:
///       1  Sweat the leeks.
///     Id:          018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47
///
/// On a terminal long texts are wrapped and headings are bold.
struct RecipeText {
    private let style: Style

    init(_ style: Style) {
        self.style = style
    }

    func text(_ recipe: Recipe) -> String {
        var text = line("Recipe", recipe.name)
        text += line("Type", recipe.typeName)
        text += line("Prep time", DurationText.text(recipe.prepTime, minutes: recipe.prepMinutes))
        text += line("Cook time", DurationText.text(recipe.cookTime, minutes: recipe.cookMinutes))
        text += line("Total time", DurationText.text(recipe.totalTime, minutes: recipe.totalMinutes))
        text += line("Yield", recipe.yield)
        text += line("Image", recipe.image?.name)
        text += line("Source", recipe.source)
        if let overview = recipe.overview { text += paragraphs(overview) }
        text += parts("Ingredients", recipe.ingredients)
        text += parts("Steps", recipe.steps)
        return text + line("Id", recipe.id.description)
    }

    private func line(_ title: String, _ value: String?) -> String {
        value.map { TerminalText.padded("\(title):", toCells: 13) + CellText.escaped($0) + "\n" } ?? ""
    }

    private func paragraphs(_ text: String) -> String {
        Self.lines(text).map { line in lines(line, indentation: 0).map { "\($0)\n" }.joined() }.joined()
    }

    private func parts<Part: RecipePart>(_ title: String, _ parts: [Part]) -> String {
        let rows = NumberedPart.list(parts)
        guard !rows.isEmpty else { return "" }
        let digits = "\(rows.count)".count
        let amounts = Part.self == Ingredient.self ? rows.map { Self.amountCells($0.part.content) } : []
        let widest = amounts.filter { $0 <= 8 }.max() ?? 0
        let indentation = digits + 4
        var text = "\(title):\n"
        for (index, row) in rows.enumerated() {
            let number = row.number.map(String.init) ?? ""
            var start = "  " + TerminalText.padded(number, toCells: digits, alignment: .trailing) + "  "
            // Numbers end at the same place, and what they are numbers of begins there.
            if row.number != nil, amounts.indices.contains(index) {
                start += String(repeating: " ", count: max(0, widest - amounts[index]))
            }
            for line in Self.lines(row.part.content) {
                for line in lines(line, indentation: indentation) {
                    text += start + (row.number == nil ? style.bold(line) : line) + "\n"
                    start = String(repeating: " ", count: indentation)
                }
            }
        }
        return text
    }

    /// The cells of the number that a line begins with, and of the blank behind it; 0 where it begins with none.
    private static func amountCells(_ line: String) -> Int {
        guard line.unicodeScalars.first?.properties.numericType != nil else { return 0 }
        let number = line.unicodeScalars.prefix { !$0.properties.isAlphabetic }
        return TerminalText.cellWidth(CellText.escaped(String(number)))
    }

    /// The line, wrapped on a terminal, safe for it.
    private func lines(_ line: String, indentation: Int) -> [String] {
        let line = CellText.escaped(line)
        guard let columns = style.columns else { return [line] }
        return TerminalText.wrapped(line, toCells: max(20, columns - indentation))
    }

    /// By scalars: CR LF is one Character.
    private static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.last == "\r" ? line.dropLast() : line)
        }
    }
}

/// How long something takes, for people.
enum DurationText {
    /// As it was written; what ISO 8601 says (`PT1H10M`) is spelt out where it can be read: `1 h 10 min`.
    static func text(_ written: String?, minutes: Int?) -> String? {
        let isISO = written.map { $0.hasPrefix("P") && !$0.contains { $0 == " " || $0.isLowercase } } ?? true
        guard isISO, let minutes, let duration = RecipeDuration(minutes: minutes) else { return written }
        return duration.description
    }
}
