import ZeroMQ

/// A socket as libzmq's behave: ROUTER and XPUB listen, DEALER and SUB connect. Nothing moves but by the schedule.
final class SimulatedSocket: MessageSocket {
    let type: SocketType
    let endpoint: Endpoint
    let host: Host
    /// What has arrived and was not received yet.
    var inbox: [[Frame]] = []
    /// The connections: at most one of a socket that connects.
    var wires: [Wire] = []
    /// How often a SUB asked for each prefix, in the order in which it did first.
    private var subscriptions: [(topic: [UInt8], count: Int)] = []
    private(set) var isOpen = true

    init(_ type: SocketType, _ endpoint: Endpoint, _ host: Host) {
        self.type = type
        self.endpoint = endpoint
        self.host = host
    }

    var isListener: Bool { type == .router || type == .xpub }

    /// Whether it has no connection and wants one.
    var isAlone: Bool { isOpen && !isListener && wires.isEmpty }

    var canSend: Bool { wires.contains { $0.toListener.count < host.network.highWaterMark } }

    func close() {
        guard isOpen else { return }
        isOpen = false
        host.network.closed(self)
    }

    func receive() throws(ZeroMQError) -> Multipart? {
        guard isOpen, !host.isDead else { throw .closed(.receive) }
        guard !inbox.isEmpty else { return nil }
        return Multipart(frames: inbox.removeFirst())
    }

    func send(_ frames: [Frame]) throws(ZeroMQError) -> SendResult {
        guard isOpen, !host.isDead else { throw .closed(.send) }
        host.countSend()
        guard !host.isDead else { throw .closed(.send) }
        let limit = host.network.highWaterMark
        switch type {
        case .dealer:
            guard let wire = wires.first, wire.toListener.count < limit else { return .wouldBlock }
            wire.toListener.append(frames)
        case .router:
            let number = Wire.number(frames[0])
            guard let wire = wires.first(where: { $0.number == number }) else { return .unreachable }
            guard wire.toConnector.count < limit else { return .wouldBlock }
            wire.toConnector.append(Array(frames.dropFirst()))
        case .xpub:
            let topic = frames[0].bytes
            for wire in wires where wire.topics.contains(where: { topic.starts(with: $0) }) {
                // At the mark a publisher drops, and says nothing.
                if wire.toConnector.count < limit { wire.toConnector.append(frames) }
            }
        default: preconditionFailure("\(type) is not simulated")
        }
        return .sent
    }

    func subscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError) {
        let topic = Array(prefix)
        if let index = subscriptions.firstIndex(where: { $0.topic == topic }) {
            subscriptions[index].count += 1
        } else {
            subscriptions.append((topic, 1))
            tell(1, topic)
        }
    }

    func unsubscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError) {
        let topic = Array(prefix)
        guard let index = subscriptions.firstIndex(where: { $0.topic == topic }) else { return }
        subscriptions[index].count -= 1
        guard subscriptions[index].count == 0 else { return }
        subscriptions.remove(at: index)
        tell(0, topic)
    }

    /// Tells a new connection what is subscribed to.
    func tellSubscriptions() {
        for (topic, _) in subscriptions { tell(1, topic) }
    }

    private func tell(_ kind: UInt8, _ topic: [UInt8]) {
        wires.first?.toListener.append([Frame([kind] + topic)])
    }
}
