import CZeroMQ
import Glibc

/// A ZeroMQ socket: whole messages, to and from any number of peers, never blocking.
///
/// For one thread at a time. It may be made on one thread and handed to another, if the hand-over is a full fence: a
/// `Mutex`, the start of a thread. `Socket` is not `Sendable`, so the compiler sees to it: hand it over as `sending`.
///
/// Every call returns at once; to wait, use a `Poller`. `canReceive` and `canSend` change with every call, so read them
/// again after each: the descriptor behind them tells edges only. Peers are found, lost and found again by libzmq itself.
@safe
public final class Socket {
    /// The longest topic prefix. 4.3.4 mis-parses subscriptions of 246–255 bytes; ours stay below 64.
    public static let maximumTopicBytes = 245

    /// The pattern.
    public let type: SocketType
    let context: Context
    let maximumFrames: Int
    private(set) var handle: UnsafeMutableRawPointer?
    // Work space of a send or receive: empty between calls.
    private let scratch: UnsafeMutablePointer<zmq_msg_t>

    /// Makes a socket with its options set, connected to nothing.
    ///
    /// - Throws: `unprotectedCurve`, `invalidKey`; `failed` with `EMFILE` at 1,023 sockets of a context, or where an option
    ///   is refused; `closed` after `terminate()`.
    public init(_ context: Context, _ type: SocketType, options: SocketOptions = SocketOptions()) throws(ZeroMQError) {
        guard let handle = unsafe zmq_socket(context.handle, type.number) else { throw .last(.createSocket) }
        unsafe self.handle = unsafe handle
        self.type = type
        self.context = context
        maximumFrames = max(1, options.maximumFrames)
        unsafe scratch = .allocate(capacity: 1)
        unsafe zmq_msg_init(scratch)
        try apply(options)
    }

    deinit {
        close()
        unsafe zmq_msg_close(scratch)
        unsafe scratch.deallocate()
    }

    /// Ends the socket: unsent messages have the time of `SocketOptions.linger`. Later calls throw `closed`; closing again does nothing.
    public func close() {
        guard let handle = unsafe handle else { return }
        unsafe self.handle = nil
        // Connections end later, on the I/O thread: an event of theirs that a monitor no longer takes would stop it for good.
        unsafe zmq_socket_monitor(handle, nil, 0)
        unsafe zmq_close(handle)
    }

    /// Whether `close()` was not called yet.
    public var isOpen: Bool { unsafe handle != nil }

    // MARK: Endpoints

    /// Listens, and returns the endpoint with the port that was chosen or `*` resolved.
    ///
    /// On ipc this deletes whatever file is there, and steals a living server's name: take a lock file first.
    ///
    /// - Throws: `invalidEndpoint`; `failed` with `EADDRINUSE`, `EADDRNOTAVAIL`, `ENODEV` (a name instead of an address).
    @discardableResult
    public func bind(_ endpoint: Endpoint) throws(ZeroMQError) -> Endpoint {
        let text = try endpoint.bindable()
        let handle = unsafe try open(.bind)
        try setAffinity(to: endpoint)
        try setOption(ZMQ_IPV6, endpoint.isIPv6 ? 1 : 0)
        guard unsafe zmq_bind(handle, text) == 0 else { throw .last(.bind, endpoint) }
        return try Endpoint(parsing: lastEndpoint())
    }

    /// Connects in the background, and again whenever the connection is lost.
    ///
    /// - Throws: `invalidEndpoint` for `*` and port 0 too. Nobody listening is no error.
    public func connect(_ endpoint: Endpoint) throws(ZeroMQError) {
        let text = try endpoint.connectable()
        let handle = unsafe try open(.connect)
        try setAffinity(to: endpoint)
        try setOption(ZMQ_IPV6, endpoint.isIPv6 ? 1 : 0)
        guard unsafe zmq_connect(handle, text) == 0 else { throw .last(.connect, endpoint) }
    }

    /// Stops listening at an endpoint that `bind(_:)` returned. Connections that were made through it go on.
    ///
    /// - Throws: `failed` with `ENOENT` where it was not bound.
    public func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard unsafe zmq_unbind(try open(.unbind), endpoint.description) == 0 else { throw .last(.unbind, endpoint) }
    }

    /// Drops the connection to an endpoint, with what was queued for it.
    ///
    /// - Throws: `failed` with `ENOENT` where it was not connected.
    public func disconnect(_ endpoint: Endpoint) throws(ZeroMQError) {
        guard unsafe zmq_disconnect(try open(.disconnect), endpoint.description) == 0 else {
            throw .last(.disconnect, endpoint)
        }
    }

    // MARK: Subscriptions

    /// Asks for the messages whose first frame starts with `prefix`; an empty one asks for all. SUB only.
    ///
    /// Takes effect when the publisher has seen it; what was sent before never arrives. Equal subscriptions are counted.
    ///
    /// - Throws: `topicTooLong`; `failed` with `EINVAL` on another type of socket.
    public func subscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError) {
        try setTopic(ZMQ_SUBSCRIBE, prefix, .subscribe)
    }

    /// Takes one equal subscription back.
    ///
    /// - Throws: as `subscribe(_:)`.
    public func unsubscribe(_ prefix: some Collection<UInt8>) throws(ZeroMQError) {
        try setTopic(ZMQ_UNSUBSCRIBE, prefix, .unsubscribe)
    }

    // MARK: Messages

    /// The next message, whole, or nil where none is there.
    ///
    /// Of more than `SocketOptions.maximumFrames` frames the rest is dropped and counted, so that a ROUTER can still answer.
    /// What libzmq itself holds of one message has no bound but the frames' size: a message is handed over only when complete.
    ///
    /// - Throws: `closed`; `failed` with `EFSM` where a REQ or REP is not at its turn, `ENOTSUP` on a type that only sends.
    public func receive() throws(ZeroMQError) -> Multipart? {
        let handle = unsafe try open(.receive)
        guard unsafe try receiveFrame(handle) else { return nil }
        var message = Multipart(frames: [])
        message.frames.reserveCapacity(4)  // what a request has
        while true {
            let more = unsafe zmq_msg_more(scratch) == 1
            if message.frames.count < maximumFrames {
                unsafe message.frames.append(Frame(taking: &scratch.pointee))
            } else {
                message.droppedFrames += 1
            }
            guard more else { return message }
            guard unsafe try receiveFrame(handle) else { throw .last(.receive) }
        }
    }

    /// Queues one message of these frames, all or none, without waiting.
    ///
    /// On a ROUTER the first frame says who gets it. A PUB or XPUB never says `wouldBlock`: at the high-water mark of a
    /// subscriber it drops the message for that one, silently. `sent` means queued: the connection may still be lost.
    ///
    /// - Precondition: at least one frame.
    /// - Throws: `closed`; `failed` with `EFSM` where a REQ or REP is not at its turn, `ENOTSUP` on a type that only receives.
    public func send(_ frames: [Frame]) throws(ZeroMQError) -> SendResult {
        precondition(!frames.isEmpty, "a message has at least one frame")
        let handle = unsafe try open(.send)
        var result = SendResult.sent
        for index in frames.indices {
            let flags = index == frames.count - 1 ? ZMQ_DONTWAIT : ZMQ_DONTWAIT | ZMQ_SNDMORE
            unsafe frames[index].storage.copy(to: scratch)
            while unsafe zmq_msg_send(scratch, handle, flags) < 0 {
                let error = SystemError.last.number
                if error == EINTR { continue }
                let failure = ZeroMQError.last(.send)
                unsafe zmq_msg_close(scratch)
                unsafe zmq_msg_init(scratch)
                switch error {
                case EHOSTUNREACH: return .unreachable
                // The first frame found no room: nothing was queued. A later one: the peer went away in the middle, libzmq
                // took back what it had, and swallows what follows up to the last frame (lb.cpp), so that must be offered.
                case EAGAIN where index == 0: return .wouldBlock
                case EAGAIN: result = .wouldBlock
                default: throw failure
                }
                break
            }
        }
        return result
    }

    /// Queues one message of these byte strings, as `send(_:)` of frames does.
    ///
    /// - Throws: as `send(_:)` of frames.
    public func send(_ frames: [[UInt8]]) throws(ZeroMQError) -> SendResult {
        try send(frames.map { Frame($0) })
    }

    /// Whether a message is there. Also true where the socket can't be asked, so that the `receive()` that follows says why.
    public var canReceive: Bool { events & ZMQ_POLLIN != 0 }

    /// Whether a message could be queued for some peer. Also true where the socket can't be asked.
    public var canSend: Bool { events & ZMQ_POLLOUT != 0 }
}

/// What became of a message that was offered to `Socket.send(_:)`.
public enum SendResult: Sendable {
    /// Queued.
    case sent
    /// No peer is connected, or its queue is full: nothing was queued. Wait for `Poller.Events.send`.
    ///
    /// On a ROUTER it is the queue of that one peer, while `Poller.Events.send` tells of any; and a peer that went away with
    /// its queue full goes on saying this until the ROUTER receives, which is when it finds the end of the connection.
    case wouldBlock
    /// A ROUTER has no peer of that routing id (any more): nothing was queued.
    case unreachable
}

/// One received message.
public struct Multipart: Sendable {
    /// The frames in order, at least one; on a ROUTER the first is the routing id.
    public var frames: [Frame]
    /// How many frames beyond `SocketOptions.maximumFrames` were dropped; then the message is to be refused.
    public var droppedFrames = 0

    /// A message of these frames.
    public init(frames: [Frame], droppedFrames: Int = 0) {
        self.frames = frames
        self.droppedFrames = droppedFrames
    }
}

extension Socket {
    /// The handle, for as long as the socket is open.
    func open(_ operation: ZeroMQError.Operation) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let handle = unsafe handle else { throw .closed(operation) }
        return unsafe handle
    }

    /// Fills `scratch`; false where nothing is there.
    private func receiveFrame(_ handle: UnsafeMutableRawPointer) throws(ZeroMQError) -> Bool {
        while unsafe zmq_msg_recv(scratch, handle, ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: return false
            default: throw .last(.receive)
            }
        }
        return true
    }

    private var events: Int32 {
        var events = Int32(0)
        var size = MemoryLayout<Int32>.size
        guard let handle = unsafe handle, unsafe zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) == 0 else {
            return ZMQ_POLLIN | ZMQ_POLLOUT
        }
        return events
    }
}
