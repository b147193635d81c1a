internal import Client
internal import Messages
internal import ZeroMQ

/// How a service is reached from elsewhere: where it listens beside its socket files, and who may come in.
struct RemoteAccess: Sendable {
    var endpoints: ServiceEndpoints
    /// The service's own key, and where those are that it lets in; nil: everybody, which is for this machine alone.
    var key: OwnKey?

    /// Refuses what would let strangers in.
    ///
    /// - Throws: one sentence for a person.
    func check(of name: ServiceName) throws(StartError) {
        guard key == nil, !endpoints.requests.isLocal || !endpoints.events.isLocal else { return }
        throw StartError(
            "\(name) can't listen at \(endpoints.requests) without a key: whoever reaches the port could read and change the "
                + "books. Make one by 'daybook keys new \(name) --role service', or listen at 127.0.0.1"
        )
    }

    /// Proves that a key which nobody allowed is turned away: connects with it, and waits for the refusal.
    ///
    /// - Parameters:
    ///   - listening: where the service listens now.
    ///   - stranger: a key that nobody has.
    /// - Throws: `StartError` where the key got in, or nothing came of it within 5 s.
    static func prove(
        _ context: Context,
        _ type: SocketType,
        _ listening: Endpoint,
        serverKey: String,
        stranger: CurveKeyPair
    ) throws {
        var options = SocketOptions()
        options.curve = .client(stranger, serverKey: serverKey)
        let socket = try Socket(context, type, options: options)
        let monitor = try SocketMonitor(socket)
        try socket.connect(listening.reachedFromHere)
        var poller = Poller()
        _ = poller.add(monitor.socket, .receive)
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline {
            try poller.wait(timeout: deadline - .now)
            while let event = try monitor.next() {
                switch event.kind {
                case .handshakeFailed(.authentication): return socket.close()
                case .handshakeSucceeded:
                    throw StartError("\(listening) let an unknown key in: this libzmq doesn't ask who may connect")
                default: continue
                }
            }
        }
        throw StartError("\(listening) did not turn an unknown key away within 5 s: who may connect can't be told")
    }
}

extension Endpoint {
    /// Where this machine reaches what is bound here: a wildcard is met at loopback.
    fileprivate var reachedFromHere: Endpoint {
        switch self {
        case .tcp("0.0.0.0", let port), .tcp("*", let port): .tcp(host: "127.0.0.1", port: port)
        case .tcp("::", let port): .tcp(host: "::1", port: port)
        default: self
        }
    }
}
