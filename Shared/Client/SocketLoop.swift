import Messages
package import ZeroMQ

/// The one thread's work: it owns the sockets, does what the table says, and tells the table what happened.
///
/// `run()` does it on a thread. A simulation has its own network and clock, and calls `takeTurn()` and `takeArrivals()`.
package struct SocketLoop {
    private struct Link {
        let service: ServiceName
        let endpoint: Endpoint
        let socket: any MessageSocket
        let curve: SocketOptions.Curve?
        /// Tells of handshakes over TCP, which may be refused; a refused socket never tries again.
        let monitor: SocketMonitor?
        var monitorSlot: Poller.Slot?
        /// Whether a send found no room, so that it is to be waited for.
        var isBlocked = false
        var slot: Poller.Slot?
    }

    let exchange: Exchange
    let dialer: Dialer
    var table = RequestTable()
    private var links: [Int: Link] = [:]
    var poller = Poller()
    var subscriptions: [UInt64: EventSubscription] = [:]
    /// Whose read a request is.
    var reads: [UInt64: (subscription: UInt64, read: UInt64)] = [:]
    var lists: [UInt64: ListSubscription] = [:]
    /// Whose opening a request is.
    var openings: [UInt64: (list: UInt64, opening: UInt64)] = [:]
    let clock: () -> ContinuousClock.Instant
    let start: ContinuousClock.Instant

    /// Messages read from one socket before the others and the callers have their turn.
    static let batch = 256

    package init(
        _ exchange: Exchange,
        key: OwnKey?,
        network: any Network = Context(),
        clock: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.exchange = exchange
        dialer = Dialer(network, key: key)
        self.clock = clock
        start = clock()
    }

    /// Runs until the exchange ends.
    mutating func run() {
        do {
            while takeTurn() {
                try wait()
                try takeArrivals()
            }
        } catch {
            exchange.end(.transport(error))
        }
        close()
    }

    /// Does what callers ask for, and what the time has come for.
    ///
    /// - Returns: false after the exchange's end.
    package mutating func takeTurn() -> Bool {
        guard let letters = exchange.takeLetters() else { return false }
        for letter in letters { perform(read(letter)) }
        perform(table.advance(to: clock()))
        tickSubscriptions()
        tickLists()
        return true
    }

    /// Takes in what the sockets have.
    package mutating func takeArrivals() throws(ZeroMQError) {
        exchange.wakeUp.drain()
        try receiveHandshakes()
        receive()
        try receiveEvents()
        try receiveLists()
    }

    /// When `takeTurn()` has something to do that nothing else tells of; nil: never.
    package var deadline: ContinuousClock.Instant? {
        let deadlines = subscriptions.values.map(\.deadline) + lists.values.map(\.deadline)
        let ticks = deadlines.min().map { start + .milliseconds(min($0, 1 << 40)) }
        return [table.wake, ticks].compactMap(\.self).min()
    }

    package func close() {
        for link in links.values { link.socket.close() }
        for subscription in subscriptions.values { subscription.subscriber?.socket.close() }
        for list in lists.values { list.subscriber.socket.close() }
    }

    private mutating func read(_ letter: Exchange.Letter) -> [RequestTable.Action] {
        switch letter {
        case .submit(let id, let request, let timeout, let start):
            return table.submit(id, request, timeout: timeout, at: start)
        case .cancel(let id): return table.cancel(id)
        case .subscribe(let id, let order): subscribe(id, order)
        case .follow(let id, let order): follow(id, order)
        case .drained(let id):
            advance(id) { $0.drained(now: $1) }
            advance(list: id) { $0.drained(now: $1) }
        case .unsubscribe(let id):
            remove(id)
            remove(list: id)
        }
        return []
    }

    /// Does actions, and those that follow from them.
    mutating func perform(_ actions: [RequestTable.Action]) {
        for action in actions {
            switch action {
            case .open(let link, let service, let endpoint):
                do throws(ClientError) {
                    links[link] = try open(service, endpoint)
                } catch {
                    perform(table.failed(link, error))
                }
            case .close(let link): links.removeValue(forKey: link)?.socket.close()
            case .send(let attempt): send(attempt)
            case .finish(let id, let outcome): finish(id, outcome)
            }
        }
    }

    private func open(_ service: ServiceName, _ endpoint: Endpoint) throws(ClientError) -> Link {
        let curve: SocketOptions.Curve?
        do throws(KeyError) { curve = try dialer.curve(service, endpoint) } catch { throw .key(error) }
        do throws(ZeroMQError) {
            let socket = try dialer.socket(.dealer, endpoint, curve)
            var monitor: SocketMonitor?
            if case .tcp = endpoint, let socket = socket as? Socket { monitor = try SocketMonitor(socket) }
            return Link(service: service, endpoint: endpoint, socket: socket, curve: curve, monitor: monitor)
        } catch {
            throw .transport(error)
        }
    }

    private mutating func send(_ attempt: RequestTable.Attempt) {
        guard let link = links[attempt.link] else { return }
        guard !link.isBlocked else { return table.blocked(attempt) }
        let frames: [Frame]
        do {
            frames = try Wire.frames(attempt)
        } catch {
            return perform(table.reject(attempt.id, error))
        }
        do {
            guard try link.socket.send(frames) != .sent else { return }
            links[attempt.link]?.isBlocked = true
            table.blocked(attempt)
        } catch {
            perform(table.failed(attempt.link, .transport(error)))
        }
    }

    private mutating func wait() throws(ZeroMQError) {
        poller.removeAll()
        _ = poller.add(fileDescriptor: exchange.wakeUp.fileDescriptor, .receive)
        for (id, link) in links {
            links[id]?.slot = poller.add(link.socket, link.isBlocked ? [.receive, .send] : .receive)
            links[id]?.monitorSlot = link.monitor.map { poller.add($0.socket, .receive) }
        }
        for (id, subscription) in subscriptions {
            if let subscriber = subscription.subscriber {
                subscriptions[id]?.slot = poller.add(subscriber.socket, .receive)
            }
        }
        for (id, list) in lists { lists[id]?.slot = poller.add(list.subscriber.socket, .receive) }
        try poller.wait(timeout: deadline.map { max(.zero, $0 - clock()) })
    }

    private mutating func receiveHandshakes() throws(ZeroMQError) {
        for (id, link) in links {
            guard let monitor = link.monitor, let slot = link.monitorSlot, poller[slot].contains(.receive) else {
                continue
            }
            while let event = try monitor.next() {
                guard links[id] != nil, case .handshakeFailed(let failure) = event.kind else { continue }
                handshakeFailed(id, link, failure)
            }
        }
    }

    /// With keys that are others now it is tried anew. Otherwise a refusal is the end of it, and what may pass is remembered.
    private mutating func handshakeFailed(_ id: Int, _ link: Link, _ failure: MonitorEvent.HandshakeFailure) {
        if let curve = try? dialer.curve(link.service, link.endpoint), curve != link.curve {
            return perform(table.renew(id, at: clock()))
        }
        func problem(_ problem: HandshakeProblem) -> ClientError { .handshake(link.service, link.endpoint, problem) }
        let key = link.curve == nil ? nil : dialer.key
        switch (failure, key) {
        case (.authentication, let key?): perform(table.failed(id, problem(.refused(key: key.name))))
        case (.authentication, nil), (.protocolError, _):
            perform(table.failed(id, problem(.noCommonGround(key: key?.name))))
        case (.connection, let key?):
            let path = key.folder.publicPath(link.service.rawValue)
            table.hindered(id, problem(.unfinished(publicKey: path)))
        case (.connection, nil): break
        }
    }

    private mutating func receive() {
        for id in links.keys.sorted() {
            guard let link = links[id] else { continue }
            if mayReceive(link.slot) { receive(id, link.socket) }
            if links[id]?.isBlocked == true, link.socket.canSend {
                links[id]?.isBlocked = false
                perform(table.writable(id, at: clock()))
            }
        }
    }

    /// Whether the wait found something there. A socket that was not waited for is looked at.
    func mayReceive(_ slot: Poller.Slot?) -> Bool { slot.map { poller[$0].contains(.receive) } ?? true }

    private mutating func receive(_ id: Int, _ socket: any MessageSocket) {
        do {
            for _ in 0..<Self.batch {
                guard socket.isOpen, let message = try socket.receive() else { return }
                switch Wire.read(message) {
                case .answer(let answer): perform(table.received(answer, from: id, at: clock()))
                case .malformed(let request, let reason):
                    perform(table.receivedMalformed(request, reason, from: id, at: clock()))
                }
            }
        } catch {
            perform(table.failed(id, .transport(error)))
        }
    }
}
