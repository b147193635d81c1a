/// A kind of recipe: Dessert, Soup.
public struct RecipeType: Record {
    public static let entity = "recipe-type"
    public static let service = ServiceName.catalog

    public var id: Identifier
    public var version: Int
    /// Required, and unique under search folding.
    public var name: String

    public init(id: Identifier = .make(), version: Int = 0, name: String) {
        self.id = id
        self.version = version
        self.name = name
    }
}

/// One line of a recipe's ingredients: the line is what counts; what is read from it is set by the service.
public struct Ingredient: Codable, Hashable, Sendable {
    public var id: Identifier
    /// As it was written, on one line: `250 g flour, sifted`. Required.
    public var line: String
    /// Whether the line is a heading for those below it, as `For the glaze`; absent means that it isn't.
    public var isHeading: Bool?
    /// How much, where it can be read for sure; set by the service.
    public var amount: Amount?
    /// What `amount` is counted in, by its canonical sign or word: `g`, `cup`; absent for what is just counted. Set by
    /// the service.
    public var unit: String?
    /// What it is, without amount, unit and note; absent in headings. Set by the service.
    public var name: String?
    /// What the line says behind a comma or in brackets: `sifted`. Set by the service.
    public var note: String?

    public init(
        id: Identifier = .make(),
        line: String,
        isHeading: Bool? = nil,
        amount: Amount? = nil,
        unit: String? = nil,
        name: String? = nil,
        note: String? = nil
    ) {
        self.id = id
        self.line = line
        self.isHeading = isHeading
        self.amount = amount
        self.unit = unit
        self.name = name
        self.note = note
    }
}

/// One step of how a recipe is made.
public struct RecipeStep: Codable, Hashable, Sendable {
    public var id: Identifier
    /// Without a number in front; perhaps of several lines, none of them blank. Required.
    public var text: String
    /// Whether the text is a heading for the steps below it; absent means that it isn't.
    public var isHeading: Bool?

    public init(id: Identifier = .make(), text: String, isHeading: Bool? = nil) {
        self.id = id
        self.text = text
        self.isHeading = isHeading
    }
}

/// A recipe's picture: a name, and where the picture itself is stored, what it is.
public struct RecipeImage: Codable, Hashable, Sendable {
    /// The file's name, which is what a list shows.
    public var name: String
    /// SHA-256 of the picture's bytes, where the picture itself is stored.
    public var digest: [UInt8]?
    /// The content type by the picture's signature: `image/jpeg`, `image/png`, `image/webp`.
    public var contentType: String?
    /// The picture's length in bytes.
    public var size: Int?
    /// SHA-256 of the picture's thumbnail: a JPEG or PNG of at most 256 pixels a side, upright, stored as the picture is.
    public var thumbnail: [UInt8]?

    /// - Parameters contentType, size, thumbnail: set by the service.
    public init(
        name: String,
        digest: [UInt8]? = nil,
        contentType: String? = nil,
        size: Int? = nil,
        thumbnail: [UInt8]? = nil
    ) {
        self.name = name
        self.digest = digest
        self.contentType = contentType
        self.size = size
        self.thumbnail = thumbnail
    }
}

public struct Recipe: Record {
    public static let entity = "recipe"
    public static let service = ServiceName.catalog

    public var id: Identifier
    public var version: Int
    /// Required; not unique.
    public var name: String
    public var image: RecipeImage?
    /// As it was written: `30 min`, `1 hr 30 min`.
    public var prepTime: String?
    /// The minutes of `prepTime` where it can be read; set by the service.
    public var prepMinutes: Int?
    /// As it was written.
    public var cookTime: String?
    /// The minutes of `cookTime` where it can be read; set by the service.
    public var cookMinutes: Int?
    /// As it was written.
    public var totalTime: String?
    /// The minutes of `totalTime` where it can be read; set by the service.
    ///
    /// Where no `totalTime` is written, those of `prepTime` and `cookTime` together: one that isn't written counts as
    /// nothing, and one that can't be read leaves the sum unknown.
    public var totalMinutes: Int?
    /// How much it makes, as it was written: `12 rolls`, `Serves 4`.
    public var yield: String?
    /// The number of `yield`, whatever it counts, where it can be read; set by the service.
    public var servings: Amount?
    public var type: Identifier?
    /// The name of `type`; set by the service.
    public var typeName: String?
    /// Where it comes from: a book, a person, a web address.
    public var source: String?
    /// What it is, in a few sentences.
    public var overview: String?
    /// In order.
    public var ingredients: [Ingredient]
    /// How it is made, in order.
    public var steps: [RecipeStep]

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        name: String,
        image: RecipeImage? = nil,
        prepTime: String? = nil,
        prepMinutes: Int? = nil,
        cookTime: String? = nil,
        cookMinutes: Int? = nil,
        totalTime: String? = nil,
        totalMinutes: Int? = nil,
        yield: String? = nil,
        servings: Amount? = nil,
        type: Identifier? = nil,
        typeName: String? = nil,
        source: String? = nil,
        overview: String? = nil,
        ingredients: [Ingredient] = [],
        steps: [RecipeStep] = []
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.image = image
        self.prepTime = prepTime
        self.prepMinutes = prepMinutes
        self.cookTime = cookTime
        self.cookMinutes = cookMinutes
        self.totalTime = totalTime
        self.totalMinutes = totalMinutes
        self.yield = yield
        self.servings = servings
        self.type = type
        self.typeName = typeName
        self.source = source
        self.overview = overview
        self.ingredients = ingredients
        self.steps = steps
    }
}
