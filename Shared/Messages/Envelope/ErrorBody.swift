public import CBOR

/// The body of a reply whose status is not `ok`.
public struct ErrorBody: Codable, Sendable, Hashable {
    /// A stable, short, lower-case code: the status's word, or one that says more.
    public var code: String
    /// One sentence for a person: what was asked, what was found, what to try.
    public var message: String
    /// The field concerned, as it is named on the wire.
    public var field: String?
    /// What was found there, as text.
    public var found: String?
    /// The record as it is now, in a conflict.
    public var current: EncodedCBOR?
    /// The id of the request that was answered, which the service's log names too. Not sent: the reply's header has it,
    /// and who receives it puts it here.
    public var request: UInt64?

    private enum CodingKeys: CodingKey {
        case code, message, field, found, current
    }

    public init(
        code: String,
        message: String,
        field: String? = nil,
        found: String? = nil,
        current: EncodedCBOR? = nil
    ) {
        self.code = code
        self.message = message
        self.field = field
        self.found = found
        self.current = current
    }
}
