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
    /// A socket or the system failed on this side.
    case transport(ZeroMQError)
    /// The system gave no thread.
    case noThread(SystemError)
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
