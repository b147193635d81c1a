/// How a request ended. The raw values are the words on the wire.
public enum Status: String, Codable, Sendable, Hashable, CaseIterable {
    /// Done, committed, synced to disk.
    case ok
    /// The request can't be right; the field is named.
    case invalid
    /// There never was such a record.
    case notFound = "not-found"
    /// There was such a record; it has been deleted.
    case gone
    /// Changed meanwhile: both values are given.
    case conflict
    /// Still referenced: how often and by whom is said.
    case inUse = "in-use"
    /// The idempotency key was used with other content, or by another principal.
    case keyReused = "key-reused"
    /// The idempotency key is older than the table of replies reaches: the outcome is unknown.
    case keyExpired = "key-expired"
    /// Can't now; the same key may be sent again later.
    case unavailable
    /// The disk is full; reads go on.
    case storageFull = "storage-full"
    case tooLarge = "too-large"
    case unsupportedVersion = "unsupported-version"
    case unknownOperation = "unknown-operation"
    case notAllowed = "not-allowed"
    /// The position given is not one of this log: start again from a snapshot.
    case resync
    /// Not executed within its budget.
    case timedOut = "timed-out"
    /// A fault of ours, logged with the request's id.
    case `internal`

    /// Whether a client may send the same request with the same key again by itself.
    public var isRetryable: Bool {
        switch self {
        case .unavailable, .storageFull, .timedOut, .internal: true
        default: false
        }
    }
}
