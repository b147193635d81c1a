public import CBOR

/// Asks what a command with this key was answered, without sending the command again. Every service answers.
///
/// For whoever can't build the same content a second time: an edit by name whose record has another name by now.
/// `not-found` where no reply is stored under the key, or it is another principal's.
public struct GetReply: Request {
    public static let operation = "reply.get"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public struct Reply: Codable, Sendable, Hashable {
        /// The command's operation: `customer.put`.
        public var operation: String
        /// The body of its reply, as it was first given.
        public var reply: EncodedCBOR

        public init(operation: String, reply: EncodedCBOR) {
            self.operation = operation
            self.reply = reply
        }
    }

    public var key: Identifier

    public init(key: Identifier) {
        self.key = key
    }
}
