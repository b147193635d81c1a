/// The first frame of a request.
public struct RequestHeader: Codable, Sendable, Hashable {
    /// The protocol's version that this package speaks.
    public static let currentVersion = 1
    /// A header is at most this many bytes.
    public static let maximumBytes = 8 * 1024
    /// A request's body is at most this many bytes.
    public static let maximumBodyBytes = 1024 * 1024

    public var version: Int
    /// Unique within the connection; the reply carries it.
    public var id: UInt64
    public var operation: String
    /// The idempotency key of a command: the same key and content never have their effect twice.
    public var key: Identifier?
    /// What the caller is ready to wait, in milliseconds.
    public var timeout: Int?
    /// Positions that must have been reached before the request is answered.
    public var after: Positions?
    /// W3C trace context.
    public var traceparent: String?

    /// A request's id as logs and errors show it: hexadecimal.
    public static func text(ofID id: UInt64) -> String { String(id, radix: 16) }

    public init(
        id: UInt64,
        operation: String,
        key: Identifier? = nil,
        timeout: Int? = nil,
        after: Positions? = nil,
        traceparent: String? = nil
    ) {
        version = RequestHeader.currentVersion
        self.id = id
        self.operation = operation
        self.key = key
        self.timeout = timeout
        self.after = after
        self.traceparent = traceparent
    }
}
