/// Logs a walk of the dog of this name, and makes the dog where there is none.
public struct AddWalk: Request {
    public static let operation = "walk.add"
    public static let kind = RequestKind.command
    public static let service: ServiceName? = .walks

    public struct Reply: Codable, Sendable {
        public var walk: Walk
        /// Whether the dog was made by this command.
        public var dogCreated: Bool
        /// Names of dogs that are alike, where the dog was made.
        public var near: [String]

        public init(walk: Walk, dogCreated: Bool, near: [String]) {
            self.walk = walk
            self.dogCreated = dogCreated
            self.near = near
        }
    }

    /// The walk's id.
    public var id: Identifier
    public var dogName: String
    public var time: Instant

    public init(id: Identifier = .make(), dogName: String, time: Instant) {
        self.id = id
        self.dogName = dogName
        self.time = time
    }
}
