import Messages
import ZeroMQ

/// The one thread's work: it owns the sockets, does what the table says, and tells the table what happened.
struct SocketLoop {
    private struct Link {
        let socket: Socket
        /// Whether a send found no room, so that it is to be waited for.
        var isBlocked = false
        var slot: Poller.Slot?
    }

    let exchange: Exchange
    let context = Context()
    var table = RequestTable()
    private var links: [Int: Link] = [:]
    var poller = Poller()
    var subscriptions: [UInt64: EventSubscription] = [:]
    /// Whose read a request is.
    var reads: [UInt64: (subscription: UInt64, read: UInt64)] = [:]
    var lists: [UInt64: ListSubscription] = [:]
    /// Whose opening a request is.
    var openings: [UInt64: (list: UInt64, opening: UInt64)] = [:]
    let start = ContinuousClock.now

    /// Messages read from one socket before the others and the callers have their turn.
    static let batch = 256

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    /// Runs until the exchange ends.
    mutating func run() {
        do {
            while let letters = exchange.takeLetters() {
                for letter in letters { perform(read(letter)) }
                perform(table.advance(to: .now))
                tickSubscriptions()
                tickLists()
                try wait()
                exchange.wakeUp.drain()
                receive()
                try receiveEvents()
                try receiveLists()
            }
        } catch {
            exchange.end(.transport(error))
        }
        for link in links.values { link.socket.close() }
        for subscription in subscriptions.values { subscription.socket?.close() }
        for list in lists.values { list.socket.close() }
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
            case .open(let link, let endpoint):
                do throws(ZeroMQError) {
                    links[link] = Link(socket: try open(endpoint))
                } catch {
                    perform(table.failed(link, error))
                }
            case .close(let link): links.removeValue(forKey: link)?.socket.close()
            case .send(let attempt): send(attempt)
            case .finish(let id, let outcome): finish(id, outcome)
            }
        }
    }

    private func open(_ endpoint: Endpoint) throws(ZeroMQError) -> Socket {
        var options = SocketOptions()
        options.immediate = true
        // A service that was just started is found soon; one that is down costs two attempts a second.
        options.reconnectInterval = .milliseconds(20)...(.milliseconds(500))
        let socket = try Socket(context, .dealer, options: options)
        try socket.connect(endpoint)
        return socket
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
            perform(table.failed(attempt.link, error))
        }
    }

    private mutating func wait() throws(ZeroMQError) {
        poller.removeAll()
        _ = poller.add(fileDescriptor: exchange.wakeUp.fileDescriptor, .receive)
        for (id, link) in links {
            links[id]?.slot = poller.add(link.socket, link.isBlocked ? [.receive, .send] : .receive)
        }
        for (id, subscription) in subscriptions {
            if let socket = subscription.socket { subscriptions[id]?.slot = poller.add(socket, .receive) }
        }
        for (id, list) in lists { lists[id]?.slot = poller.add(list.socket, .receive) }
        let deadlines = subscriptions.values.map(\.deadline) + lists.values.map(\.deadline)
        let ticks = deadlines.min().map { start + .milliseconds(min($0, 1 << 40)) }
        let wake = [table.wake, ticks].compactMap(\.self).min()
        try poller.wait(timeout: wake.map { max(.zero, $0 - .now) })
    }

    private mutating func receive() {
        for (id, link) in links {
            guard let slot = link.slot else { continue }
            if poller[slot].contains(.receive) { receive(id, link.socket) }
            if poller[slot].contains(.send), links[id] != nil {
                links[id]?.isBlocked = false
                perform(table.writable(id, at: .now))
            }
        }
    }

    private mutating func receive(_ id: Int, _ socket: Socket) {
        do {
            for _ in 0..<Self.batch {
                guard socket.isOpen, let message = try socket.receive() else { return }
                switch Wire.read(message) {
                case .answer(let answer): perform(table.received(answer, from: id, at: .now))
                case .malformed(let request, let reason):
                    perform(table.receivedMalformed(request, reason, from: id, at: .now))
                }
            }
        } catch {
            perform(table.failed(id, error))
        }
    }
}
