public struct Dog: Record {
    public static let entity = "dog"
    public static let service = ServiceName.walks

    public var id: Identifier
    public var version: Int
    /// Required, and unique under search folding: `walks add` finds a dog by it.
    public var name: String

    public init(id: Identifier = .make(), version: Int = 0, name: String) {
        self.id = id
        self.version = version
        self.name = name
    }
}

public struct Walk: Record {
    public static let entity = "walk"
    public static let service = ServiceName.walks

    public var id: Identifier
    public var version: Int
    /// The running number, from 1, in the order entered; set by the service.
    public var number: Int64
    public var dog: Identifier
    /// The name of `dog`; set by the service.
    public var dogName: String?
    public var time: Instant

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        number: Int64 = 0,
        dog: Identifier,
        dogName: String? = nil,
        time: Instant
    ) {
        self.id = id
        self.version = version
        self.number = number
        self.dog = dog
        self.dogName = dogName
        self.time = time
    }
}
