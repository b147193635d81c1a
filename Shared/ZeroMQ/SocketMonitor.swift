import CZeroMQ
import Synchronization

/// What happens to a socket's connections, as values (zmq_socket_monitor(3)).
///
/// For the socket's own thread. Drain it: events are kept in memory without limit until they are taken. libzmq sends them from
/// its I/O thread with a blocking send, so a bounded queue that nobody reads would stop every connection of the process.
public final class SocketMonitor {
    /// What is to be waited for with a `Poller`; `next()` reads it.
    public let socket: Socket
    private let monitored: Socket

    /// Watches a socket from now on. A socket has at most one monitor; a second one replaces the first.
    ///
    /// - Throws: `closed`; `failed`.
    public init(_ monitored: Socket) throws(ZeroMQError) {
        let endpoint = Endpoint.inproc(name: "daybook.monitor.\(Self.count.add(1, ordering: .relaxed).newValue)")
        let handle = unsafe try monitored.open(.monitor)
        guard unsafe zmq_socket_monitor(handle, endpoint.description, ZMQ_EVENT_ALL) == 0 else { throw .last(.monitor) }
        var options = SocketOptions()
        options.receiveHighWaterMark = 0
        self.monitored = monitored
        socket = try Socket(monitored.context, .pair, options: options)
        try socket.connect(endpoint)
    }

    deinit {
        // First the sender, then the receiver: see above.
        if let handle = unsafe monitored.handle { unsafe zmq_socket_monitor(handle, nil, 0) }
        socket.close()
    }

    /// The oldest event that was not taken yet, or nil.
    ///
    /// - Throws: `closed` after `terminate()`.
    public func next() throws(ZeroMQError) -> MonitorEvent? {
        while let message = try socket.receive() {
            if let event = MonitorEvent(message.frames) { return event }
        }
        return nil
    }

    private static let count = Atomic(0)
}

/// One thing that happened to a connection or a listener.
public struct MonitorEvent: Hashable, Sendable {
    /// What happened.
    public let kind: Kind
    /// The endpoint as libzmq writes it; the peer's or the own one, whichever was asked for first. May be empty.
    public let endpoint: String

    /// The things that happen.
    public enum Kind: Hashable, Sendable {
        case listening
        case bindFailed(SystemError)
        /// A peer's connection was taken; nothing is known of it yet.
        case accepted
        case acceptFailed(SystemError)
        /// The connection stands; the handshake follows.
        case connected
        /// No answer yet.
        case connectDelayed
        /// The next attempt comes after this pause.
        case connectRetried(Duration)
        /// The peer may now send and receive.
        case handshakeSucceeded
        case handshakeFailed(HandshakeFailure)
        /// The connection was lost.
        case disconnected
        /// The connection or the listener was closed by this side.
        case closed
        case closeFailed(SystemError)
        /// The last event there is.
        case monitorStopped
        /// One that this module doesn't know: its number and value.
        case other(event: UInt16, value: UInt32)
    }

    /// Why a peer was not let in, or did not let us in.
    public enum HandshakeFailure: Hashable, Sendable {
        /// The ZAP handler's status code: 300 (temporary), 400 (refused), 500 (its own fault). The refused socket never tries again.
        case authentication(status: Int)
        /// A fault in the protocol, with libzmq's number (`ZMQ_PROTOCOL_ERROR_…`).
        case protocolError(UInt32)
        /// The connection broke.
        case connection(SystemError)
    }

    /// A monitor's message: event (16 bits) and value (32 bits) in the machine's order, then the endpoint.
    init?(_ frames: [Frame]) {
        guard frames.count == 2, frames[0].count == 6 else { return nil }
        let (event, value) = unsafe frames[0].withUnsafeBytes { bytes in
            unsafe (bytes.loadUnaligned(as: UInt16.self), bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        }
        kind = Kind(event: event, value: value)
        endpoint = unsafe frames[1].withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

extension MonitorEvent.Kind {
    fileprivate init(event: UInt16, value: UInt32) {
        let error = SystemError(number: Int32(truncatingIfNeeded: value))
        self =
            switch Int32(event) {
            case ZMQ_EVENT_LISTENING: .listening
            case ZMQ_EVENT_BIND_FAILED: .bindFailed(error)
            case ZMQ_EVENT_ACCEPTED: .accepted
            case ZMQ_EVENT_ACCEPT_FAILED: .acceptFailed(error)
            case ZMQ_EVENT_CONNECTED: .connected
            case ZMQ_EVENT_CONNECT_DELAYED: .connectDelayed
            case ZMQ_EVENT_CONNECT_RETRIED: .connectRetried(.milliseconds(Int64(value)))
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: .handshakeSucceeded
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: .handshakeFailed(.authentication(status: Int(value)))
            case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: .handshakeFailed(.protocolError(value))
            case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: .handshakeFailed(.connection(error))
            case ZMQ_EVENT_DISCONNECTED: .disconnected
            case ZMQ_EVENT_CLOSED: .closed
            case ZMQ_EVENT_CLOSE_FAILED: .closeFailed(error)
            case ZMQ_EVENT_MONITOR_STOPPED: .monitorStopped
            default: .other(event: event, value: value)
            }
    }
}
