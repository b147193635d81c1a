import CBOR
public import Messages
public import ZeroMQ

/// A bare socket to a service, for frames that our client never sends. Blocks: for a thread of its own.
public final class RawSocket {
    private let socket: Socket
    private let context: Context

    /// Runs the closure with a socket that is connected to the endpoint, on a thread of its own.
    ///
    /// - Parameter immediate: as `SocketOptions.immediate`; with false no reply is lost that arrived before the other side
    ///   closed.
    public static func connected<Value: Sendable>(
        to endpoint: Endpoint,
        _ type: SocketType = .dealer,
        curve: SocketOptions.Curve? = nil,
        immediate: Bool? = nil,
        _ body: @escaping @Sendable (RawSocket) throws -> Value
    ) async throws -> Value {
        try await DedicatedThread.run { try body(RawSocket(endpoint, type, curve, immediate)) }
    }

    /// Runs the closure with a socket that is connected to the endpoint, on this thread.
    ///
    /// - Parameter receiveHighWaterMark: how many messages it takes from the connection before they are received.
    public static func exchange<Value>(
        with endpoint: Endpoint,
        _ type: SocketType = .dealer,
        curve: SocketOptions.Curve? = nil,
        receiveHighWaterMark: Int = 1000,
        _ body: (RawSocket) throws -> Value
    ) throws -> Value {
        try body(RawSocket(endpoint, type, curve, nil, receiveHighWaterMark))
    }

    private init(
        _ endpoint: Endpoint,
        _ type: SocketType,
        _ curve: SocketOptions.Curve?,
        _ immediate: Bool?,
        _ receiveHighWaterMark: Int = 1000
    ) throws {
        context = Context()
        var options = SocketOptions()
        // What was sent is delivered, also when the socket closes at once.
        options.linger = .seconds(2)
        options.maximumFrameBytes = nil
        options.curve = curve
        options.immediate = immediate
        options.receiveHighWaterMark = receiveHighWaterMark
        socket = try Socket(context, type, options: options)
        try socket.connect(endpoint)
    }

    deinit {
        socket.close()
        context.terminate()
    }

    /// Asks a publisher for what is told under a prefix of topics.
    public func subscribe(_ prefix: String) throws { try socket.subscribe(prefix.utf8) }

    /// Sends a message, waiting for the connection where there is none yet.
    public func send(_ frames: [[UInt8]]) throws {
        while try socket.send(frames) != .sent {
            var poller = Poller()
            _ = poller.add(socket, .send)
            guard try poller.wait(timeout: .seconds(5)) > 0 else { throw HarnessError("nobody takes the message") }
        }
    }

    /// The next message, or nil where none comes in time.
    public func receive(within limit: Duration = .seconds(5)) throws -> [[UInt8]]? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let message = try socket.receive() { return message.frames.map(\.bytes) }
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero else { return nil }
            var poller = Poller()
            _ = poller.add(socket, .receive)
            _ = try poller.wait(timeout: rest)
        }
    }

    /// Sends a request's frames, and returns the reply's header and body.
    public func ask(
        _ frames: [[UInt8]],
        within limit: Duration = .seconds(5)
    ) throws -> (header: ReplyHeader, body: [UInt8])? {
        try send(frames)
        return try reply(within: limit)
    }

    /// The header and body of the next reply, or nil where none comes in time.
    public func reply(within limit: Duration = .seconds(5)) throws -> (header: ReplyHeader, body: [UInt8])? {
        guard var reply = try receive(within: limit) else { return nil }
        // The delimiter that was sent is echoed.
        if reply.first?.isEmpty == true { reply.removeFirst() }
        guard reply.count == 2 else { throw HarnessError("a reply of \(reply.count) frames") }
        let header = try CBORDecoder(profile: .wire).decode(ReplyHeader.self, from: reply[0])
        return (header, reply[1])
    }

    /// The header and body frames of a request, as our client sends them; its budget is in milliseconds.
    public static func frames<R: Request>(
        _ request: R,
        id: UInt64 = 1,
        key: Identifier = .make(),
        timeout: Int = 5000
    ) throws -> [[UInt8]] {
        let key = R.kind == .command ? key : nil
        let header = RequestHeader(id: id, operation: R.operation, key: key, timeout: timeout)
        return [try CBOREncoder().encode(header), try CBOREncoder().encode(request)]
    }
}
