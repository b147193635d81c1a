public import Messages
public import ZeroMQ

/// Where one service listens.
public struct ServiceEndpoints: Sendable, Hashable {
    /// The ROUTER: commands, queries, replay.
    public var requests: Endpoint
    /// The XPUB: change events, live-list batches, heartbeats.
    public var events: Endpoint

    /// Two endpoints of any kind.
    public init(requests: Endpoint, events: Endpoint) {
        self.requests = requests
        self.events = events
    }

    /// The socket files `<folder>/<service>.requests` and `<folder>/<service>.events`.
    ///
    /// A path of 108 bytes or more is refused when it is first connected to, with `ClientError.transport`.
    public static func ipc(folder: String, _ service: ServiceName) -> ServiceEndpoints {
        ServiceEndpoints(
            requests: .ipc(path: "\(folder)/\(service).requests"),
            events: .ipc(path: "\(folder)/\(service).events")
        )
    }

    /// The endpoints of which the requests' one is given: the events' one is the next port, or the file beside it.
    ///
    /// `tcp://books.example:7401`, `ipc:///run/daybook/catalog.requests`.
    ///
    /// - Throws: `invalidEndpoint`, also for what is no endpoint of requests.
    public init(parsing requests: String) throws(ZeroMQError) {
        let endpoint = try Endpoint(parsing: requests)
        switch endpoint {
        case .ipc(let path) where path.hasPrefix("/") && path.hasSuffix(".requests"):
            self.init(requests: endpoint, events: .ipc(path: path.dropLast("requests".utf8.count) + "events"))
        case .ipc: throw .invalidEndpoint(requests, reason: .badPath)
        case .tcp(let host, let port) where 0 < port && port < .max:
            self.init(requests: endpoint, events: .tcp(host: host, port: port + 1))
        case .tcp: throw .invalidEndpoint(requests, reason: .badPort)
        case .inproc: throw .invalidEndpoint(requests, reason: .unsupportedTransport)
        }
    }

    /// The default ports on a host; nil for a service that has none.
    ///
    /// catalog 7401 and 7402, orders 7411 and 7412, reporting 7421 and 7422, walks 7431 and 7432.
    public static func tcp(host: String, _ service: ServiceName) -> ServiceEndpoints? {
        guard let index = ServiceName.all.firstIndex(of: service) else { return nil }
        let port = UInt16(7401 + 10 * index)
        return ServiceEndpoints(requests: .tcp(host: host, port: port), events: .tcp(host: host, port: port + 1))
    }
}

/// Which services a client knows, and how long it waits for them.
public struct ClientConfiguration: Sendable {
    /// Where the services are; others are refused as `ClientError.unknownService`.
    public var endpoints: [ServiceName: ServiceEndpoints]
    /// The whole budget of one request with all its attempts; 5 s by default, at most a day.
    public var timeout: Duration
    /// The key that is shown to services over TCP; nil: none, and connections are plain.
    public var key: OwnKey?
    /// The trace that the requests are part of: each tells the service a child of it, which its log and the events of
    /// commands name. None where it is nil.
    public var trace: TraceContext?

    /// A configuration of these endpoints.
    public init(
        endpoints: [ServiceName: ServiceEndpoints],
        timeout: Duration = .seconds(5),
        key: OwnKey? = nil
    ) {
        self.endpoints = endpoints
        self.timeout = timeout
        self.key = key
    }

    /// A configuration of services on this machine, whoever wrote them.
    ///
    /// - Parameter folder: where their sockets are; see ``ServiceFolders/runtime``.
    public init(folder: String, services: [ServiceName] = ServiceName.all, timeout: Duration = .seconds(5)) {
        var endpoints: [ServiceName: ServiceEndpoints] = [:]
        for service in services { endpoints[service] = .ipc(folder: folder, service) }
        self.init(endpoints: endpoints, timeout: timeout)
    }
}
