/// A recipe as a file has it: texts, not yet measured or stored.
///
/// Texts are without mark-up and without white space at their ends.
public struct RecipeDraft: Sendable, Hashable {
    /// An ingredient or a step, or a heading above some of them.
    public struct Line: Sendable, Hashable {
        public var text: String
        public var isHeading: Bool

        public init(_ text: String, isHeading: Bool = false) {
            self.text = text
            self.isHeading = isHeading
        }
    }

    /// A picture: its bytes, or only what it is called.
    public struct Picture: Sendable, Hashable {
        /// The file's name, or the address that the picture has in the web. Nothing is fetched from there.
        public var name: String?
        public var bytes: [UInt8]?

        public init(name: String? = nil, bytes: [UInt8]? = nil) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// What the recipe is known by where it comes from, and nowhere else: an absolute IRI, or Paprika's uid.
    public var identifier: String?
    public var name: String
    /// May have several lines.
    public var overview: String?
    /// The first of the categories that are given.
    public var category: String?
    /// A web address, or a text such as a book's name.
    public var source: String?
    /// Every way in which the file tells how much it makes, on one line each: `12`, `12 rolls`.
    public var yields: [String]
    /// As it is written, in ISO 8601 or as people write it.
    public var prepTime: String?
    public var cookTime: String?
    public var totalTime: String?
    /// In order, on one line each.
    public var ingredients: [Line]
    /// In order, without numbers in front. A step may have several lines, none of them blank.
    public var steps: [Line]
    public var picture: Picture?

    public init(
        identifier: String? = nil,
        name: String,
        overview: String? = nil,
        category: String? = nil,
        source: String? = nil,
        yields: [String] = [],
        prepTime: String? = nil,
        cookTime: String? = nil,
        totalTime: String? = nil,
        ingredients: [Line] = [],
        steps: [Line] = [],
        picture: Picture? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.overview = overview
        self.category = category
        self.source = source
        self.yields = yields
        self.prepTime = prepTime
        self.cookTime = cookTime
        self.totalTime = totalTime
        self.ingredients = ingredients
        self.steps = steps
        self.picture = picture
    }

    /// Of ``yields`` the first that says more than a number, or just the first.
    public var yield: String? {
        yields.first { text in text.unicodeScalars.contains { $0.properties.isAlphabetic } } ?? yields.first
    }

    /// What a second reading of the same recipe has in common with the first, and other recipes have not.
    ///
    /// Sites give one IRI to several recipes, so that the name counts as well; without an identifier the name and all
    /// lines do. Then a recipe that was changed is another one.
    public var identity: [String] {
        guard let identifier else { return ["content", name] + (ingredients + steps).map(\.text) }
        return Self.isUnique(identifier) ? [identifier] : [identifier, name]
    }

    /// Whether the identifier is made to be unique: a UUID, Paprika's uid.
    private static func isUnique(_ identifier: String) -> Bool {
        identifier.hasPrefix("urn:uuid:") || identifier.hasPrefix(PaprikaRecipe.scheme)
    }

    /// Whether there is nothing but a name, as in a page's links to other recipes.
    var isOnlyNamed: Bool {
        ingredients.isEmpty && steps.isEmpty && yields.isEmpty && prepTime == nil && cookTime == nil && totalTime == nil
    }
}
