/// Someone who orders.
public struct Customer: Record {
    public static let entity = "customer"
    public static let service = ServiceName.catalog

    public var id: Identifier
    public var version: Int
    /// Required; not unique: two customers may share one.
    public var name: String
    public var info: String?
    public var email: String?
    public var phone: String?
    public var address: String?
    /// What the customer is called elsewhere: the key under which it was imported.
    public var reference: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        name: String,
        info: String? = nil,
        email: String? = nil,
        phone: String? = nil,
        address: String? = nil,
        reference: String? = nil
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.info = info
        self.email = email
        self.phone = phone
        self.address = address
        self.reference = reference
    }
}
