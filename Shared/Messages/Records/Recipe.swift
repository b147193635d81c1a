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

/// One line of a recipe's ingredients.
public struct Ingredient: Codable, Hashable, Sendable {
    public var id: Identifier
    public var name: String
    /// As it was written: `250 g`, `1 1/2 cups`.
    public var amount: String?

    public init(id: Identifier = .make(), name: String, amount: String? = nil) {
        self.id = id
        self.name = name
        self.amount = amount
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

    public init(name: String, digest: [UInt8]? = nil, contentType: String? = nil, size: Int? = nil) {
        self.name = name
        self.digest = digest
        self.contentType = contentType
        self.size = size
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
    public var type: Identifier?
    /// The name of `type`; set by the service.
    public var typeName: String?
    public var overview: String?
    public var instructions: String?
    /// In order.
    public var ingredients: [Ingredient]

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        name: String,
        image: RecipeImage? = nil,
        prepTime: String? = nil,
        prepMinutes: Int? = nil,
        type: Identifier? = nil,
        typeName: String? = nil,
        overview: String? = nil,
        instructions: String? = nil,
        ingredients: [Ingredient] = []
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.image = image
        self.prepTime = prepTime
        self.prepMinutes = prepMinutes
        self.type = type
        self.typeName = typeName
        self.overview = overview
        self.instructions = instructions
        self.ingredients = ingredients
    }
}
