import CZeroMQ
import Glibc

/// A wait for sockets and file descriptors together: the one place where a thread that owns sockets blocks.
///
/// ```swift
/// var poller = Poller()
/// let requests = poller.add(router, .receive)
/// let woken = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
/// try poller.wait(timeout: .seconds(1))
/// if poller[requests].contains(.receive) { … }
/// ```
/// For the thread of its sockets. The item array is kept between waits, so that a wait allocates nothing up to 16 items.
@safe
public struct Poller {
    /// What can be waited for, and what was found.
    public struct Events: OptionSet, Hashable, Sendable {
        public let rawValue: Int16

        public init(rawValue: Int16) {
            self.rawValue = rawValue
        }

        /// A message, or bytes, can be read.
        public static let receive = Events(rawValue: Int16(ZMQ_POLLIN))
        /// A message, or bytes, can be written.
        public static let send = Events(rawValue: Int16(ZMQ_POLLOUT))
        /// A file descriptor is in error or hung up; never told of sockets.
        public static let error = Events(rawValue: Int16(ZMQ_POLLERR))
    }

    /// The place of one item, valid until `removeAll()`.
    public struct Slot: Hashable, Sendable {
        fileprivate let index: Int
    }

    private var items: [zmq_pollitem_t] = unsafe []
    private var sockets: [Socket?] = []

    /// An empty set.
    public init() {}

    /// Adds a socket, which is kept alive; no events: it is skipped until `set` says otherwise.
    public mutating func add(_ socket: Socket, _ events: Events) -> Slot {
        unsafe append(zmq_pollitem_t(socket: nil, fd: -1, events: events.rawValue, revents: 0), socket)
    }

    /// Adds a socket of libzmq's: others can't be waited for.
    public mutating func add(_ socket: any MessageSocket, _ events: Events) -> Slot {
        guard let socket = socket as? Socket else { preconditionFailure("only sockets of libzmq can be waited for") }
        return add(socket, events)
    }

    /// Adds a file descriptor, which must stay open.
    public mutating func add(fileDescriptor: Int32, _ events: Events) -> Slot {
        unsafe append(zmq_pollitem_t(socket: nil, fd: fileDescriptor, events: events.rawValue, revents: 0), nil)
    }

    /// Changes what an item waits for.
    public mutating func set(_ events: Events, at slot: Slot) {
        unsafe items[slot.index].events = events.rawValue
    }

    /// Forgets all items; their slots are void.
    public mutating func removeAll() {
        unsafe items.removeAll(keepingCapacity: true)
        sockets.removeAll(keepingCapacity: true)
    }

    /// What the last wait found of an item.
    public subscript(slot: Slot) -> Events {
        Events(rawValue: unsafe items[slot.index].revents)
    }

    /// Blocks until an item is ready or the time is over; the number of items that are ready.
    ///
    /// - Parameter timeout: rounded up to milliseconds; zero only looks, nil waits without end. A signal doesn't end the wait:
    ///   its handler calls `WakeUp.signal()`.
    /// - Throws: `closed` where a socket was closed or the context terminated; `failed` for a bad file descriptor (`EBADF`).
    @discardableResult
    public mutating func wait(timeout: Duration?) throws(ZeroMQError) -> Int {
        for index in sockets.indices {
            if let socket = sockets[index] { unsafe items[index].socket = try socket.open(.poll) }
        }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        var remaining = timeout?.milliseconds ?? -1
        while true {
            let ready = unsafe items.withUnsafeMutableBufferPointer { items in
                unsafe zmq_poll(items.baseAddress, Int32(items.count), remaining)
            }
            if ready >= 0 { return Int(ready) }
            guard zmq_errno() == EINTR else { throw .last(.poll) }
            if let deadline { remaining = (deadline - .now).milliseconds }
        }
    }

    private mutating func append(_ item: zmq_pollitem_t, _ socket: Socket?) -> Slot {
        unsafe items.append(item)
        sockets.append(socket)
        return Slot(index: sockets.count - 1)
    }
}
