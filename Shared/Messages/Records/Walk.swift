public struct Dog: Record {
    public static let entity = "dog"
    public static let service = ServiceName.walks

    public var id: Identifier
    public var version: Int
    /// Required, and unique under search folding: `walks add` finds a dog by it.
    public var name: String
    /// The customer whose dog it is.
    public var owner: Identifier?
    /// The name of `owner` as it is known; set by the service.
    public var ownerName: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        name: String,
        owner: Identifier? = nil,
        ownerName: String? = nil
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.owner = owner
        self.ownerName = ownerName
    }
}

/// A dog's part in a walk.
public struct WalkDog: Codable, Hashable, Sendable {
    public var id: Identifier
    public var dog: Identifier
    /// The name of `dog`; set by the service.
    public var dogName: String?

    public init(id: Identifier = .make(), dog: Identifier, dogName: String? = nil) {
        self.id = id
        self.dog = dog
        self.dogName = dogName
    }
}

/// A walk with one or several dogs: one that goes on, one of known length, or one of which only the start is known.
public struct Walk: Record {
    public static let entity = "walk"
    public static let service = ServiceName.walks

    public var id: Identifier
    public var version: Int
    /// The running number, from 1, in the order entered; set by the service.
    public var number: Int64
    /// At least one; none of them twice.
    public var dogs: [WalkDog]
    public var start: Instant
    /// Not before `start`; nil where it is unknown, and while it goes on.
    public var end: Instant?
    /// True while it goes on: it has no end, and its dogs are on no other such walk. Otherwise nil.
    public var running: Bool?
    public var note: String?

    public init(
        id: Identifier = .make(),
        version: Int = 0,
        number: Int64 = 0,
        dogs: [WalkDog],
        start: Instant,
        end: Instant? = nil,
        running: Bool? = nil,
        note: String? = nil
    ) {
        self.id = id
        self.version = version
        self.number = number
        self.dogs = dogs
        self.start = start
        self.end = end
        self.running = running
        self.note = note
    }

    /// How long it took, in seconds, rounded down; nil where that isn't known.
    public var seconds: Int64? {
        end.map { Int64(clamping: (Int128($0.microseconds) - Int128(start.microseconds)) / 1_000_000) }
    }
}
