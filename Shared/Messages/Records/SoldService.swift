/// Something that is sold: a bath for a dog, a box of tea.
public struct SoldService: Record {
    public static let entity = "service"
    public static let service = ServiceName.catalog

    public var id: Identifier
    public var version: Int
    /// Required; not unique.
    public var name: String
    public var info: String?
    /// The usual price of one; an order row may have any other.
    public var price: Money?
    /// What it is called elsewhere: the key under which it was imported.
    public var reference: String?
    /// The recipe that it is made by.
    public var recipe: Identifier?
    /// The name of `recipe`; set by the service.
    public var recipeName: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        name: String,
        info: String? = nil,
        price: Money? = nil,
        reference: String? = nil,
        recipe: Identifier? = nil,
        recipeName: String? = nil
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.info = info
        self.price = price
        self.reference = reference
        self.recipe = recipe
        self.recipeName = recipeName
    }
}
