/// Where connected sockets come from: libzmq's ``Context``, or something that stands in for it, as a simulation does.
public protocol Network: AnyObject {
    /// A socket that connects in the background.
    ///
    /// - Throws: as `Socket.init(_:_:options:)` and `Socket.connect(_:)`.
    func connected(
        _ type: SocketType,
        to endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket

    /// A socket that listens.
    ///
    /// - Throws: as `Socket.init(_:_:options:)` and `Socket.bind(_:)`.
    func bound(
        _ type: SocketType,
        at endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket

    /// Ends all use of its sockets.
    func terminate()
}

/// What is done with a socket of a ``Network``; each as ``Socket`` says.
public protocol MessageSocket: AnyObject {
    var isOpen: Bool { get }
    var canSend: Bool { get }
    func close()
    func receive() throws(ZeroMQError) -> Multipart?
    func send(_ frames: [Frame]) throws(ZeroMQError) -> SendResult
    func subscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError)
    func unsubscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError)
}

extension Socket: MessageSocket {}

extension Context: Network {
    public func connected(
        _ type: SocketType,
        to endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket {
        let socket = try Socket(self, type, options: options)
        try socket.connect(endpoint)
        return socket
    }

    public func bound(
        _ type: SocketType,
        at endpoint: Endpoint,
        options: SocketOptions
    ) throws(ZeroMQError) -> any MessageSocket {
        let socket = try Socket(self, type, options: options)
        try socket.bind(endpoint)
        return socket
    }
}
