public import Messages
public import ZeroMQ

/// Why a request has no result.
public enum ClientError: Error, Sendable {
    /// Nobody answered within the budget. What became of a command is unknown: the same key may be sent again.
    case unreachable(ServiceName, Endpoint, after: Duration)
    /// The service's own answer; for a status that is retryable, its last one within the budget.
    case refused(ServiceName, Status, ErrorBody)
    /// An answer that is outside the protocol, and in which way.
    case malformedReply(ServiceName, String)
    /// No endpoint is configured for the service; the name is empty where the request left it open and none was given.
    case unknownService(ServiceName)
    /// The header or the body is larger than a service accepts; nothing was sent. In bytes.
    case requestTooLarge(ServiceName, bytes: Int, limit: Int)
    /// The request's value can't be written as CBOR; nothing was sent.
    case invalidRequest(ServiceName, String)
    /// The calling task was cancelled. What became of a command is unknown.
    case cancelled
    /// The client was closed. What became of a command is unknown.
    case closed
    /// The service is there, and the two sides did not agree on the connection. Nothing was sent.
    case handshake(ServiceName, Endpoint, HandshakeProblem)
    /// A key that is needed can't be used. Nothing was sent.
    case key(KeyError)
    /// A socket or the system failed on this side.
    case transport(ZeroMQError)
    /// The system gave no thread.
    case noThread(SystemError)

    /// Whether it may pass by itself, so that trying again is of use.
    var isPassing: Bool {
        switch self {
        case .unreachable, .handshake(_, _, .unfinished): true
        default: false
        }
    }
}

/// What two sides did not agree on.
public enum HandshakeProblem: Equatable, Sendable {
    /// The service does not admit the key of this name.
    case refused(key: String)
    /// One side uses keys and the other doesn't, or the other is no Daybook service; the name of the own key, if there is one.
    case noCommonGround(key: String?)
    /// The connection ended in the middle, each time: the service's key may be another than the one in this file.
    case unfinished(publicKey: String)
}

extension ClientError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unreachable(let service, let endpoint, let budget):
            "The \(service) service did not answer at \(endpoint) within \(Self.text(budget))."
        case .refused(let service, let status, let body):
            body.message.isEmpty ? "The \(service) service answered \(status.rawValue)." : body.message
        case .malformedReply(let service, let reason):
            "The \(service) service gave an answer outside the protocol: \(reason)"
        case .unknownService(let service) where service.rawValue.isEmpty:
            "The request can go to any service, and none was named."
        case .unknownService(let service):
            "No endpoint is known for the \(service) service."
        case .requestTooLarge(let service, let bytes, let limit):
            "The request to the \(service) service has \(bytes) bytes where \(limit) are accepted."
        case .invalidRequest(let service, let reason):
            "The request to the \(service) service can't be written: \(reason)"
        case .cancelled: "The request was cancelled."
        case .closed: "The connection to the services was closed."
        case .handshake(let service, let endpoint, .refused(let key)):
            "The \(service) service at \(endpoint) does not admit the key '\(key)': it was revoked, or never was allowed there."
        case .handshake(_, let endpoint, .noCommonGround(nil)):
            "What answers at \(endpoint) wants a key, and none is set; or it is no service of Daybook."
        case .handshake(_, let endpoint, .noCommonGround(let key?)):
            "What answers at \(endpoint) knows no keys, and would have to know '\(key)'; or it is no service of Daybook."
        case .handshake(let service, let endpoint, .unfinished(let path)):
            "The \(service) service at \(endpoint) can't be spoken to: its key may be another than that in \(path)."
        case .key(let error): error.description
        case .transport(let error): error.description
        case .noThread(let error): "No thread could be started for the sockets: \(error)."
        }
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}

extension Duration {
    /// Whole milliseconds, rounded up; 0 for what is negative.
    var wholeMilliseconds: Int {
        guard self > .zero else { return 0 }
        return Int(clamping: (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
