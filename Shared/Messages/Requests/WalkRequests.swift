/// Logs a walk with the dogs of these names, and makes those that aren't there.
public struct AddWalk: Request {
    public static let operation = "walk.add"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .walks

    public struct Reply: Codable, Sendable {
        public var walk: Walk
        /// The dogs that were made by this command.
        public var made: [MadeDog]

        public init(walk: Walk, made: [MadeDog]) {
            self.walk = walk
            self.made = made
        }
    }

    public struct MadeDog: Codable, Hashable, Sendable {
        public var name: String
        /// Names of dogs that are alike: it may be a slip.
        public var near: [String]

        public init(name: String, near: [String]) {
            self.name = name
            self.near = near
        }
    }

    /// The walk's id.
    public var id: Identifier
    /// Each by its name, or by its id as text, which must be there.
    public var dogs: [String]
    public var start: Instant
    public var end: Instant?
    /// True for one that goes on.
    public var running: Bool?
    public var note: String?

    public init(
        id: Identifier = .make(),
        dogs: [String],
        start: Instant,
        end: Instant? = nil,
        running: Bool? = nil,
        note: String? = nil
    ) {
        self.id = id
        self.dogs = dogs
        self.start = start
        self.end = end
        self.running = running
        self.note = note
    }
}

/// Ends a walk that goes on: it needs no look before, and may be sent later.
public struct StopWalk: Request {
    public typealias Reply = Walk
    public static let operation = "walk.stop"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .walks

    /// The walk's; or else `dog`.
    public var walk: Identifier?
    /// A dog that is on it: its name, or its id as text.
    public var dog: String?
    public var end: Instant
    /// nil leaves the walk's own.
    public var note: String?

    public init(walk: Identifier, end: Instant, note: String? = nil) {
        self.walk = walk
        self.end = end
        self.note = note
    }

    public init(dog: String, end: Instant, note: String? = nil) {
        self.dog = dog
        self.end = end
        self.note = note
    }
}
