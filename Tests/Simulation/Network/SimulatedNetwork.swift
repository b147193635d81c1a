import Store
import ZeroMQ

/// All sockets and connections of a simulated world. It moves nothing by itself.
final class SimulatedNetwork {
    /// Messages on one connection in one direction, before a send blocks or drops.
    var highWaterMark = 1000
    private(set) var wires: [Wire] = []
    private(set) var connectors: [SimulatedSocket] = []
    private var listeners: [SimulatedSocket] = []
    private var lastNumber = 0

    func add(_ socket: SimulatedSocket) {
        if socket.isListener { listeners.append(socket) } else { connectors.append(socket) }
    }

    /// Connects a socket, if somebody listens there.
    func connect(_ socket: SimulatedSocket) -> Wire? {
        guard socket.isAlone, let listener = listeners.first(where: { $0.endpoint == socket.endpoint }) else {
            return nil
        }
        lastNumber += 1
        let wire = Wire(number: lastNumber, connector: socket, listener: listener)
        wires.append(wire)
        socket.wires = [wire]
        listener.wires.append(wire)
        socket.tellSubscriptions()
        return wire
    }

    /// The first message of a connection arrives.
    func deliver(on wire: Wire, toListener: Bool) {
        if toListener {
            let frames = wire.toListener.removeFirst()
            if wire.listener.type == .xpub {
                take(frames, on: wire)
            } else {
                wire.listener.inbox.append([wire.routingID] + frames)
            }
        } else {
            wire.connector.inbox.append(wire.toConnector.removeFirst())
        }
    }

    /// A subscription reaches the publisher, which tells each, and the end of the last of its kind (XPUB_VERBOSE).
    private func take(_ frames: [Frame], on wire: Wire) {
        let bytes = frames[0].bytes
        let topic = Array(bytes.dropFirst())
        if bytes[0] == 1 {
            wire.topics.append(topic)
            wire.listener.inbox.append(frames)
        } else if let index = wire.topics.firstIndex(of: topic) {
            wire.topics.remove(at: index)
            leave(topic, wire.listener)
        }
    }

    private func leave(_ topic: [UInt8], _ publisher: SimulatedSocket) {
        guard !publisher.wires.contains(where: { $0.topics.contains(topic) }) else { return }
        publisher.inbox.append([Frame([0] + topic)])
    }

    /// A connection ends, with what is under way on it.
    ///
    /// - Parameter losesArrived: whether what a DEALER has not received yet goes with it, as under ZMQ_IMMEDIATE.
    func end(_ wire: Wire, losesArrived: Bool) {
        wires.removeAll { $0 === wire }
        wire.connector.wires.removeAll { $0 === wire }
        wire.listener.wires.removeAll { $0 === wire }
        if losesArrived, wire.connector.type == .dealer { wire.connector.inbox = [] }
        if wire.listener.isOpen { for topic in wire.topics { leave(topic, wire.listener) } }
    }

    func closed(_ socket: SimulatedSocket) {
        connectors.removeAll { $0 === socket }
        listeners.removeAll { $0 === socket }
        // The other side learns it later.
        for wire in socket.wires { wire.isHalf = true }
    }

    /// All of a process's sockets are gone.
    func kill(_ host: Host) {
        for socket in (connectors + listeners) where socket.host === host { socket.close() }
    }

    /// Whether a process has something to receive.
    func hasArrived(at host: Host) -> Bool {
        connectors.contains { $0.host === host && !$0.inbox.isEmpty }
            || listeners.contains { $0.host === host && !$0.inbox.isEmpty }
    }

    /// Lets everything go: sockets and connections hold each other.
    func end() {
        for wire in wires {
            wire.connector.wires = []
            wire.listener.wires = []
        }
        (wires, connectors, listeners) = ([], [], [])
    }
}

/// The network as one process has it: what it makes goes with it.
final class Host: Network {
    let network: SimulatedNetwork
    /// Whether the process has ended: it can neither send nor receive.
    var isDead = false
    /// After so many sends the process is killed, before the next is made.
    var sendsLeft: Int?
    /// After so many commits the process is killed, before the next is made.
    var commitsLeft: Int?

    init(_ network: SimulatedNetwork) {
        self.network = network
    }

    func countSend() {
        guard let left = sendsLeft else { return }
        sendsLeft = left - 1
        if left == 0 { isDead = true }
    }

    /// - Throws: where the process has ended: it commits nothing any more.
    func countCommit() throws(StoreError) {
        if let left = commitsLeft {
            commitsLeft = left - 1
            if left == 0 { isDead = true }
        }
        if isDead { throw .fault("the process was killed") }
    }

    func connected(
        _ type: SocketType,
        to endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket {
        socket(type, endpoint)
    }

    func bound(
        _ type: SocketType,
        at endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket {
        socket(type, endpoint)
    }

    func terminate() {}

    private func socket(_ type: SocketType, _ endpoint: Endpoint) -> SimulatedSocket {
        let socket = SimulatedSocket(type, endpoint, self)
        network.add(socket)
        return socket
    }
}
