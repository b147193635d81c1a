/// Has a service read the folder of keys anew, and tells who may reach it from then on.
///
/// With the answer it is done: requests of a key that isn't named are refused, over connections that stand as well, and it
/// is told no event any more. If the service's own key is another one, it listens under that.
public struct ReadKeys: Request {
    public typealias Reply = KeysInForce
    public static let operation = "keys.read"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public init() {}
}

/// Who may reach a service from elsewhere, and under which key it is found.
public struct KeysInForce: Codable, Sendable, Hashable {
    public struct Key: Codable, Sendable, Hashable {
        public var name: String
        public var role: Role
        /// The public half, 40 characters of Z85.
        public var publicKey: String

        public init(name: String, role: Role, publicKey: String) {
            self.name = name
            self.role = role
            self.publicKey = publicKey
        }
    }

    /// The service's own public key; absent where it asks for no keys.
    public var own: String?
    /// By name.
    public var keys: [Key]

    public init(own: String? = nil, keys: [Key] = []) {
        self.own = own
        self.keys = keys
    }
}
