/// Asks a service how it is. Every service answers.
public struct StatusRequest: Request {
    public typealias Reply = ServiceStatus
    public static let operation = "status"
    public static let kind = RequestKind.query
    public static let service: ServiceName? = nil

    public init() {}
}

public struct ServiceStatus: Codable, Sendable, Hashable {
    public var service: ServiceName
    /// The program's version.
    public var version: String
    /// The protocol's version.
    public var protocolVersion: Int
    public var epoch: Identifier
    /// Random for each start.
    public var run: Identifier
    /// The last event's number.
    public var sequence: Int64
    /// The store's files together, in bytes.
    public var storeBytes: Int64
    /// Since the start, in milliseconds.
    public var uptime: Int64
    public var process: Int32
    /// The logs that this service follows.
    public var sources: [SourceStatus]
    /// True while the store's files may still hold what was erased: they are rewritten in a quiet moment.
    public var erasing: Bool?
    /// The last event that is no longer kept; absent where all are.
    public var floor: Int64?

    public init(
        service: ServiceName,
        version: String,
        epoch: Identifier,
        run: Identifier,
        sequence: Int64,
        storeBytes: Int64,
        uptime: Int64,
        process: Int32,
        sources: [SourceStatus],
        erasing: Bool? = nil,
        floor: Int64? = nil
    ) {
        self.service = service
        self.version = version
        self.protocolVersion = RequestHeader.currentVersion
        self.epoch = epoch
        self.run = run
        self.sequence = sequence
        self.storeBytes = storeBytes
        self.uptime = uptime
        self.process = process
        self.sources = sources
        self.erasing = erasing
        self.floor = floor
    }
}

/// How far a service has followed another's log.
public struct SourceStatus: Codable, Sendable, Hashable {
    public enum State: String, Codable, Sendable {
        /// No answer yet, or no longer.
        case unreachable
        /// Reading what it missed.
        case catchingUp = "catching-up"
        /// Follows as it happens.
        case live
        /// Met an event that it can't apply; nothing is skipped.
        case stopped
    }

    public var service: ServiceName
    public var state: State
    /// The last event applied.
    public var sequence: Int64
    /// Why it is not live, in one sentence.
    public var reason: String?

    public init(service: ServiceName, state: State, sequence: Int64, reason: String? = nil) {
        self.service = service
        self.state = state
        self.sequence = sequence
        self.reason = reason
    }
}
