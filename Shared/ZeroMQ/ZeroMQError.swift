import CZeroMQ

/// What can go wrong between this module and libzmq.
///
/// "Nothing there yet" and "no room now" are not errors: `Socket.receive()` and `Socket.send(_:)` say so in their results.
public enum ZeroMQError: Error, Equatable, Sendable {
    /// The text or the parts are no endpoint that is accepted here.
    case invalidEndpoint(String, reason: EndpointFault)
    /// A key that is not 40 characters of Z85, or a pair whose halves do not belong together. The key itself is not kept.
    case invalidKey
    /// A topic prefix over `Socket.maximumTopicBytes`; its length.
    case topicTooLong(Int)
    /// CURVE was asked for on the server's side without a ZAP domain, which would let every client in.
    case unprotectedCurve
    /// The value or the library is closed: the socket was closed, or the context terminated (`ETERM`).
    case closed(Operation)
    /// A call of libzmq or the system failed, with its `errno`.
    case failed(Operation, endpoint: Endpoint? = nil, SystemError)

    /// The call that failed.
    public enum Operation: String, Sendable {
        case createSocket, setOption, readOption, bind, connect, unbind, disconnect, subscribe, unsubscribe
        case send, receive, poll, monitor, createWakeUp, generateKeys
    }

    /// Why an endpoint is refused.
    public enum EndpointFault: Error, Sendable {
        /// No `scheme://`, or nothing after it.
        case malformed
        /// A transport other than tcp, ipc and inproc. libzmq has ws, pgm, udp and more compiled in; they are not for us.
        case unsupportedTransport
        /// A host that is empty or has characters that no name or address has.
        case badHost
        /// A port that is not a number of 1…65535 (0 or `*` where one is bound).
        case badPort
        /// A path that is empty, or of `Endpoint.maximumPathBytes` or more, or holds a NUL, or an abstract or wildcard name.
        case badPath
        /// An inproc name that is empty or holds a NUL.
        case badName
        /// `*` or port 0, which only bind understands.
        case onlyForBind
    }
}

/// An `errno` of the system or of libzmq.
public struct SystemError: Hashable, Sendable, CustomStringConvertible {
    /// The number, as in `errno.h`; libzmq's own start at 156384712.
    public let number: Int32

    /// The error of this number.
    public init(number: Int32) {
        self.number = number
    }

    /// The calling thread's error from the last call of libzmq.
    static var last: SystemError { SystemError(number: zmq_errno()) }

    /// The symbolic name such as `EADDRINUSE`, or the number where there is none.
    public var name: String {
        guard let name = unsafe czeromq_error_name(number) else { return "\(number)" }
        return unsafe String(cString: name)
    }

    /// libzmq's words for it, with the name: `Address already in use (EADDRINUSE)`.
    public var description: String {
        "\(unsafe String(cString: zmq_strerror(number))) (\(name))"
    }
}

extension ZeroMQError {
    /// The error of the last call, `closed` where libzmq says that the context is gone or the socket is none.
    static func last(_ operation: Operation, _ endpoint: Endpoint? = nil) -> ZeroMQError {
        let error = SystemError.last
        return error.number == ETERM || error.number == ENOTSOCK
            ? .closed(operation) : .failed(operation, endpoint: endpoint, error)
    }
}

extension ZeroMQError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .invalidEndpoint(let text, let reason):
            "The endpoint \"\(text)\" is refused: \(reason.sentence)."
        case .invalidKey:
            "A CURVE key is 40 characters of Z85, and a pair's halves belong together."
        case .topicTooLong(let count):
            "A topic prefix has at most \(Socket.maximumTopicBytes) bytes, this one has \(count)."
        case .unprotectedCurve:
            "A CURVE server needs a ZAP domain; without one every client is let in."
        case .closed(let operation):
            "The socket is closed, so \(operation.rawValue) can't be done."
        case .failed(let operation, let endpoint?, let error):
            "\(operation.rawValue) failed for \(endpoint): \(error)."
        case .failed(let operation, nil, let error):
            "\(operation.rawValue) failed: \(error)."
        }
    }
}

extension ZeroMQError.EndpointFault {
    fileprivate var sentence: String {
        switch self {
        case .malformed: "it has no form of tcp://host:port, ipc://path or inproc://name"
        case .unsupportedTransport: "only tcp, ipc and inproc are spoken here"
        case .badHost: "its host is no name or address"
        case .badPort: "its port is no number from 1 to 65535"
        case .badPath: "its path is empty, abstract, a wildcard, or longer than \(Endpoint.maximumPathBytes - 1) bytes"
        case .badName: "its name is empty or holds a NUL"
        case .onlyForBind: "* and port 0 are for binding only"
        }
    }
}
