import Messages
import Text

/// A recipe as a text that people change in an editor.
///
///     Name: Leek soup
///     Type: Soup
///     Prep time: 15 min
///     …
///     Overview:
///     For a cold day after a long walk.
///
///     Ingredients:
///     3 leeks, sliced
///     [To serve]
///     cream
///
///     Steps:
///     1. Sweat the leeks,
///        but keep them green.
///
///     [Topping]
///
///     2. …
///
/// Fields first, one a line; then sections. Lines that begin with `#` are left out. A backslash in front of a line is
/// taken off: it keeps what would mean something else. Reading what was written gives the same recipe.
struct WrittenRecipe: Sendable, Hashable {
    /// A field of one line; the raw value is what it is called in the text.
    enum Field: String, CaseIterable {
        case name = "Name"
        case type = "Type"
        case prepTime = "Prep time"
        case cookTime = "Cook time"
        case totalTime = "Total time"
        case yield = "Yield"
        case source = "Source"
    }

    /// A field of several lines.
    enum Section: String, CaseIterable {
        case overview = "Overview"
        case ingredients = "Ingredients"
        case steps = "Steps"
    }

    /// Why a text can't be read, and in which line, from 1.
    struct Problem: Error, Hashable, CustomStringConvertible {
        var line: Int
        var reason: String
        var description: String { "line \(line): \(reason)" }
    }

    /// The fields that were there; one without a value is empty.
    private(set) var fields: [Field: String] = [:]
    /// nil where the section was not there, as with the others.
    private(set) var overview: String?
    private(set) var ingredients: [WrittenPart]?
    private(set) var steps: [WrittenPart]?

    /// What a file for people begins with.
    static let explanation = """
        # Save and leave the editor to change the recipe; leave it without saving to change nothing.
        # Lines like these are left out. A field without a value is cleared, one without its line stays as it is.
        # What is in brackets is a heading for the lines below: [For the glaze]. Blank lines part the steps,
        # and their numbers need not be right. A backslash in front keeps a line as it is.

        """

    /// Reads a text.
    init(_ text: String) throws(Problem) {
        var section: Section?
        var lines: [Section: [(number: Int, text: String)]] = [:]
        // By scalars: CR LF is one Character.
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        for (index, line) in scalars.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = String(line.last == "\r" ? line.dropLast() : line)
            if text.utf8.first == UInt8(ascii: "#") { continue }
            if let title = Self.section(text) {
                guard lines[title] == nil else {
                    throw Problem(line: index + 1, reason: "'\(title.rawValue):' was there before; join the two.")
                }
                lines[title] = []
                section = title
            } else if let section {
                lines[section]?.append((index + 1, text))
            } else if !Self.isBlank(text) {
                try readField(text, line: index + 1)
            }
        }
        overview = lines[.overview].map { lines in
            TextNormalizer.trimmedNormalized(lines.map { Self.unescaped($0.text) }.joined(separator: "\n"))
        }
        ingredients = try lines[.ingredients].map { (lines) throws(Problem) in try Self.ingredients(lines) }
        steps = try lines[.steps].map { (lines) throws(Problem) in try Self.steps(lines) }
        if fields[.name]?.isEmpty == true {
            throw Problem(line: 1, reason: "the name is blank; write it behind 'Name:'.")
        }
    }

    /// The recipe, with what a person can change of it.
    static func text(of recipe: Recipe) -> String {
        var text = ""
        for field in Field.allCases {
            let value = value(of: field, in: recipe) ?? ""
            text += value.isEmpty ? "\(field.rawValue):\n" : "\(field.rawValue): \(value)\n"
        }
        text += "\nOverview:\n"
        if let overview = recipe.overview {
            text += Self.lines(overview).map { escaped($0) + "\n" }.joined()
        }
        text += "\nIngredients:\n"
        for ingredient in recipe.ingredients {
            text += ingredient.isHeading == true ? "[\(ingredient.line)]\n" : escaped(ingredient.line) + "\n"
        }
        text += "\nSteps:\n"
        let steps = NumberedPart.list(recipe.steps).map { row in
            guard let number = row.number else { return "[\(row.part.text)]\n" }
            return "\(number). " + Self.lines(row.part.text).joined(separator: "\n   ") + "\n"
        }
        return text + steps.joined(separator: "\n")
    }

    private static func value(of field: Field, in recipe: Recipe) -> String? {
        switch field {
        case .name: recipe.name
        case .type: recipe.typeName
        case .prepTime: recipe.prepTime
        case .cookTime: recipe.cookTime
        case .totalTime: recipe.totalTime
        case .yield: recipe.yield
        case .source: recipe.source
        }
    }

    // MARK: Reading

    private mutating func readField(_ text: String, line: Int) throws(Problem) {
        guard let colon = text.unicodeScalars.firstIndex(of: ":") else {
            throw Problem(line: line, reason: "\(quoted(text)) is no field; write it as 'Yield: 4 servings'.")
        }
        let name = TextNormalizer.trimmedNormalized(String(text.unicodeScalars[..<colon]))
        let folded = TextNormalizer.folded(name)
        guard let field = Field.allCases.first(where: { TextNormalizer.folded($0.rawValue) == folded }) else {
            let known = Field.allCases.map(\.rawValue)
            let end = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
            throw Problem(
                line: line,
                reason: "\(quoted(name)) is no field; " + (end ?? "there are \(known.joined(separator: ", ")).")
            )
        }
        guard fields[field] == nil else {
            throw Problem(line: line, reason: "'\(field.rawValue)' was there before; write it once.")
        }
        fields[field] = TextNormalizer.oneLine(String(text.unicodeScalars[colon...].dropFirst()))
    }

    private static func ingredients(_ lines: [(number: Int, text: String)]) throws(Problem) -> [WrittenPart] {
        var parts: [WrittenPart] = []
        for (number, text) in lines where !isBlank(text) {
            guard let part = WrittenPart(text) else { throw Problem(line: number, reason: "there is nothing to read.") }
            parts.append(part)
        }
        return parts
    }

    /// A step begins behind a blank line, at a number and at a heading; further lines go on with it.
    private static func steps(_ lines: [(number: Int, text: String)]) throws(Problem) -> [WrittenPart] {
        var parts: [WrittenPart] = []
        var isOpen = false
        for (number, line) in lines {
            guard !isBlank(line) else {
                isOpen = false
                continue
            }
            if let rest = numbered(line) {
                parts.append(WrittenPart(content: rest))
                isOpen = true
                continue
            }
            if isOpen, !isHeading(line) {
                let content = [parts[parts.count - 1].content, TextNormalizer.trimmedNormalized(line)]
                parts[parts.count - 1].content = content.filter { !$0.isEmpty }.joined(separator: "\n")
                continue
            }
            guard let part = WrittenPart(line) else { throw Problem(line: number, reason: "there is nothing to read.") }
            parts.append(part)
            isOpen = part.isHeading != true
        }
        // A number alone is no step.
        return parts.filter { !TextNormalizer.isBlank($0.content) }
    }

    /// What stands behind the number that a line begins with; nil where it begins with none. Indented lines don't.
    private static func numbered(_ line: String) -> String? {
        let scalars = line.unicodeScalars
        let digits = scalars.prefix { ("0"..."9").contains($0) }
        let behind = scalars.dropFirst(digits.count)
        guard (1...4).contains(digits.count), let mark = behind.first, mark == "." || mark == ")" else { return nil }
        let rest = behind.dropFirst()
        guard rest.first?.properties.isWhitespace ?? true else { return nil }
        return TextNormalizer.trimmedNormalized(String(rest))
    }

    private static func isHeading(_ line: String) -> Bool {
        line.utf8.first == UInt8(ascii: "[") && WrittenPart(line)?.isHeading == true
    }

    private static func isBlank(_ line: String) -> Bool {
        line.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    private static func section(_ line: String) -> Section? {
        // Not indented: such a line goes on with a step.
        guard line.unicodeScalars.first?.properties.isWhitespace == false else { return nil }
        let folded = TextNormalizer.folded(TextNormalizer.trimmedNormalized(line))
        return Section.allCases.first { "\($0.rawValue.lowercased()):" == folded }
    }

    // MARK: Escaping

    /// A line that would mean something else, with a backslash in front.
    private static func escaped(_ line: String) -> String {
        let first = line.utf8.first
        let isSpecial = first == UInt8(ascii: "#") || first == UInt8(ascii: "\\") || section(line) != nil
        return isSpecial || WrittenPart(line)?.isHeading == true ? "\\" + line : line
    }

    private static func unescaped(_ line: String) -> String {
        line.utf8.first == UInt8(ascii: "\\") ? String(line.unicodeScalars.dropFirst()) : line
    }

    private static func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
}

extension WrittenRecipe {
    /// What this text changes of the one that the person was given.
    ///
    /// - Parameters:
    ///   - type: the record that the field `Type` names; nil where it is empty or not there.
    ///   - key: what the ids of new ingredients and steps come from.
    func edit(since given: WrittenRecipe, type: RecipeType?, key: Identifier?) -> RecordEdit<Recipe> {
        var edit = RecordEdit<Recipe>()
        // Others may have changed other parts meanwhile, so what is stored need not be what is written here.
        let isDone: @Sendable (Recipe) -> Bool = { _ in true }
        func set(_ field: Field, _ path: any WritableKeyPath<Recipe, String?> & Sendable) {
            guard let value = fields[field], value != given.fields[field] else { return }
            let step: RecordEdit<Recipe>.Step = { (recipe) throws(CLIError) in
                recipe[keyPath: path] = value.isEmpty ? nil : value
            }
            edit.set(field.rawValue, step, isDone: isDone)
        }
        if let name = fields[.name], name != given.fields[.name] { edit.set("name", \.name, name) }
        if let name = fields[.type], name != given.fields[.type] {
            edit.set("type", { (recipe) throws(CLIError) in recipe.type = type?.id }, isDone: isDone)
        }
        set(.prepTime, \.prepTime)
        set(.cookTime, \.cookTime)
        set(.totalTime, \.totalTime)
        set(.yield, \.yield)
        set(.source, \.source)
        if let overview, overview != given.overview {
            let step: RecordEdit<Recipe>.Step = { (recipe) throws(CLIError) in
                recipe.overview = overview.isEmpty ? nil : overview
            }
            edit.set("overview", step, isDone: isDone)
        }
        if let ingredients, ingredients != given.ingredients {
            let step: RecordEdit<Recipe>.Step = { (recipe) throws(CLIError) in
                recipe.ingredients = WrittenPart.parts(ingredients, replacing: recipe.ingredients, key: key, from: 1)
            }
            edit.set("ingredients", step, isDone: isDone)
        }
        if let steps, steps != given.steps {
            let index = 1 + RecipeFields.mostIngredients
            let step: RecordEdit<Recipe>.Step = { (recipe) throws(CLIError) in
                recipe.steps = WrittenPart.parts(steps, replacing: recipe.steps, key: key, from: index)
            }
            edit.set("steps", step, isDone: isDone)
        }
        return edit
    }
}
