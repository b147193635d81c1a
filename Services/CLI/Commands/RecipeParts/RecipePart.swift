import Messages
import Text

/// What ingredients and steps have in common: a text, which may be a heading for those below it.
protocol RecipePart: RecordPart {
    /// What one of them is called in sentences.
    static var singular: String { get }
    /// What many are called.
    static var plural: String { get }
    /// Where a recipe has them.
    static var path: any WritableKeyPath<Recipe, [Self]> & Sendable { get }

    var content: String { get set }
    var isHeading: Bool? { get set }

    init(id: Identifier, content: String, isHeading: Bool?)

    /// The text as the service stores it, so that it is equal to what comes back.
    static func stored(_ content: String, isHeading: Bool?) -> String
}

extension Ingredient: RecipePart {
    static let singular = "ingredient"
    static let plural = "ingredients"
    static let path: any WritableKeyPath<Recipe, [Ingredient]> & Sendable = \.ingredients

    var content: String {
        get { line }
        set { line = newValue }
    }

    init(id: Identifier, content: String, isHeading: Bool?) {
        self.init(id: id, line: content, isHeading: isHeading)
    }

    static func stored(_ content: String, isHeading: Bool?) -> String { TextNormalizer.oneLine(content) }
}

extension RecipeStep: RecipePart {
    static let singular = "step"
    static let plural = "steps"
    static let path: any WritableKeyPath<Recipe, [RecipeStep]> & Sendable = \.steps

    var content: String {
        get { text }
        set { text = newValue }
    }

    init(id: Identifier, content: String, isHeading: Bool?) {
        self.init(id: id, text: content, isHeading: isHeading)
    }

    static func stored(_ content: String, isHeading: Bool?) -> String {
        isHeading == true ? TextNormalizer.oneLine(content) : TextNormalizer.withoutBlankLines(content)
    }
}
