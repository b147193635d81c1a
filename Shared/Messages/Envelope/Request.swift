/// What a request does to the service.
public enum RequestKind: Sendable {
    /// Changes something: needs an idempotency key, is answered after its commit was synced.
    case command
    /// Reads by key, or a short page by an index.
    case query
    /// Reads that may take long: scans, reports.
    case scan
}

/// The body of a request, which knows its operation's name and what it is answered with.
public protocol Request: Codable, Sendable {
    associatedtype Reply: Codable & Sendable
    /// The operation's name on the wire.
    static var operation: String { get }
    static var kind: RequestKind { get }
    /// What this one does: some queries take as long as a scan.
    var kind: RequestKind { get }
    /// The one service that answers it; nil where every service does.
    static var service: ServiceName? { get }
}

extension Request {
    public var kind: RequestKind { Self.kind }
}

/// A body, or a reply, without content.
public struct Empty: Codable, Sendable, Hashable {
    public init() {}
}
