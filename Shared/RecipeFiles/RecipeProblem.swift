/// Where something stands in the files that are read.
public struct RecipePlace: Sendable, Hashable {
    /// The path of the file, as it was given and from there on.
    public var file: String
    /// The name of the entry, in an archive.
    public var entry: String?
    /// The line, from 1, in text that is read by lines.
    public var line: Int?
    /// The path in the JSON (RFC 9535): `$['@graph'][3].name`.
    public var path: String?

    public init(file: String, entry: String? = nil, line: Int? = nil, path: String? = nil) {
        self.file = file
        self.entry = entry
        self.line = line
        self.path = path
    }
}

extension RecipePlace: CustomStringConvertible {
    /// `recipes.zip, Soup/recipe.json, line 3, $.name`; the names are as they are, not safe for a terminal.
    public var description: String {
        [file, entry, line.map { "line \($0)" }, path == "$" ? nil : path].compactMap(\.self).joined(separator: ", ")
    }
}

/// What is wrong with something that was read, where, and what to do.
public struct RecipeProblem: Error, Sendable, Hashable {
    public enum Effect: Sendable, Hashable {
        /// A recipe, or all that a file may hold, is not read.
        case refused
        /// A part is left out; what it belongs to is read.
        case leftOut
    }

    public var effect: Effect
    public var place: RecipePlace
    /// The recipe's name, where it is known.
    public var recipe: String?
    /// What was found, and after a colon what to do: `it is empty: save the page again`.
    public var sentence: String

    public init(_ effect: Effect, _ place: RecipePlace, recipe: String? = nil, _ sentence: String) {
        self.effect = effect
        self.place = place
        self.recipe = recipe
        self.sentence = sentence
    }
}

extension RecipeProblem: CustomStringConvertible {
    /// `soup.json, $.name, 'Soup': …`; not safe for a terminal.
    public var description: String {
        "\(place)\(recipe.map { ", '\($0)'" } ?? ""): \(sentence)"
    }
}

/// What is found on the way through the files.
public enum RecipeEntry: Sendable, Hashable {
    /// A recipe, where it stands, and what of it was left out.
    case recipe(RecipeDraft, RecipePlace, notes: [RecipeProblem])
    case problem(RecipeProblem)
}
