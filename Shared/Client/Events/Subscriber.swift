package import Messages
package import ZeroMQ

/// A SUB socket at a service's events, which is made anew where nothing is heard over TCP.
///
/// libzmq goes on by itself when a connection ends. Not after a refused handshake, as when a key was changed; and a peer
/// that went away without a word it misses only after 12 s. A service is heard each second, so silence tells.
package struct Subscriber {
    /// So long nothing may be heard, in milliseconds.
    package static let silence: Int64 = 3000

    package private(set) var socket: any MessageSocket
    private let dialer: Dialer
    private let service: ServiceName
    private let endpoint: Endpoint
    private var topics: [[UInt8]]
    private var lastHeard: Int64

    /// Subscribes to these prefixes, in this order.
    ///
    /// - Throws: `key`, `transport`.
    package init(
        _ dialer: Dialer,
        _ service: ServiceName,
        _ endpoint: Endpoint,
        topics: [String],
        now: Int64
    ) throws(ClientError) {
        self.dialer = dialer
        self.service = service
        self.endpoint = endpoint
        self.topics = topics.map { Array($0.utf8) }
        lastHeard = now
        socket = try Self.socket(dialer, service, endpoint, self.topics)
    }

    /// When `renewIfSilent(now:)` has something to do, at the earliest.
    package var deadline: Int64 {
        if case .tcp = endpoint { lastHeard + Self.silence } else { .max }
    }

    /// A message came.
    package mutating func hear(now: Int64) { lastHeard = now }

    /// Adds a prefix; one that is there already is subscribed to anew, so that it is answered.
    ///
    /// - Throws: as `Socket.subscribe(_:)`.
    package mutating func subscribe(_ topic: String) throws(ZeroMQError) {
        let topic = Array(topic.utf8)
        if topics.contains(topic) { try socket.unsubscribe(topic) } else { topics.append(topic) }
        try socket.subscribe(topic)
    }

    /// Takes a prefix away.
    ///
    /// - Throws: as `Socket.unsubscribe(_:)`.
    package mutating func unsubscribe(_ topic: String) throws(ZeroMQError) {
        let topic = Array(topic.utf8)
        guard topics.contains(topic) else { return }
        topics.removeAll { $0 == topic }
        try socket.unsubscribe(topic)
    }

    /// Connects anew after too long a silence, with the keys as they are now. Where they can't be read, later.
    ///
    /// - Returns: whether the socket is another one.
    package mutating func renewIfSilent(now: Int64) -> Bool {
        guard now >= deadline else { return false }
        lastHeard = now
        guard let new = try? Self.socket(dialer, service, endpoint, topics) else { return false }
        socket.close()
        socket = new
        return true
    }

    private static func socket(
        _ dialer: Dialer,
        _ service: ServiceName,
        _ endpoint: Endpoint,
        _ topics: [[UInt8]]
    ) throws(ClientError) -> any MessageSocket {
        let socket = try dialer.socket(.sub, service, endpoint)
        do throws(ZeroMQError) {
            for topic in topics { try socket.subscribe(topic) }
        } catch {
            throw .transport(error)
        }
        return socket
    }
}
