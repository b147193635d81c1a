import CBOR
import Messages

/// Reads the first reply to a command again, by the command's key.
///
/// What a person calls a record may have changed with the command, so that the same command line can't be followed to
/// the same request again. A service without this operation answers `unknown-operation`.
struct GetReply: Request {
    static let operation = "reply.get"
    static let kind = RequestKind.query
    static let service: ServiceName? = nil

    struct Reply: Codable, Sendable {
        /// The command's.
        var operation: String
        var reply: EncodedCBOR
    }

    var key: Identifier
}
