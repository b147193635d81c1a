import CBOR
import Glibc
import Messages
import Synchronization
import ZeroMQ

/// A service as small as can be: a ROUTER on a thread of its own that answers by a function.
final class Peer: Sendable {
    /// A request as it arrived.
    struct Received: Sendable {
        /// From 1, in the order of arrival.
        var number: Int
        /// The routing id: one for each connection.
        var connection: Frame
        var header: RequestHeader
        var body: [UInt8]
    }

    let endpoint: Endpoint
    private let wakeUp: WakeUp
    private let state: Mutex<State>

    private struct State {
        var requests: [Received] = []
        var isStopped = false
        var hasEnded = false
        var later: [[Frame]] = []
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var thread: pthread_t?
    }

    /// Listens at once; `answer` gives the frames of each reply, without the routing id.
    init(_ endpoint: Endpoint, answer: @escaping @Sendable (Received) -> [[[UInt8]]]) throws {
        self.endpoint = endpoint
        wakeUp = try WakeUp()
        state = Mutex(State())
        let listening = Mutex<ZeroMQError?>(nil)
        let ready = Semaphore()
        let result = Self.start { [self] in
            do {
                let socket = try Socket(Context(), .router)
                try socket.bind(endpoint)
                ready.signal()
                try serve(socket, answer)
                socket.close()
            } catch {
                listening.withLock { $0 = error as? ZeroMQError }
                ready.signal()
            }
        }
        state.withLock { $0.thread = result }
        ready.wait()
        if let error = listening.withLock({ $0 }) { throw error }
    }

    /// All that arrived so far.
    var requests: [Received] { state.withLock { $0.requests } }

    /// The ids that arrived, each once however often it was sent.
    var ids: Set<UInt64> { Set(requests.map(\.header.id)) }

    /// Waits until this many requests have arrived, attempts counted each.
    func arrived(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.requests.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Sends frames to the connection of a request, now.
    func send(_ frames: [[UInt8]], to request: Received) {
        state.withLock { $0.later.append([request.connection] + frames.map { Frame($0) }) }
        wakeUp.signal()
    }

    /// Closes the socket, and waits for that.
    func stop() {
        let thread = state.withLock { state in
            state.isStopped = true
            defer { state.thread = nil }
            return state.thread
        }
        wakeUp.signal()
        if let thread { pthread_join(thread, nil) }
    }

    private func serve(_ socket: Socket, _ answer: (Received) -> [[[UInt8]]]) throws {
        var poller = Poller()
        _ = poller.add(socket, .receive)
        _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        while true {
            let (stopped, later) = state.withLock { state in
                defer { state.later = [] }
                return (state.isStopped, state.later)
            }
            if stopped { return }
            for message in later { _ = try socket.send(message) }
            while let message = try socket.receive() {
                let request = note(message)
                for reply in answer(request) {
                    _ = try socket.send([request.connection] + reply.map { Frame($0) })
                }
            }
            try poller.wait(timeout: nil)
            wakeUp.drain()
        }
    }

    private func note(_ message: Multipart) -> Received {
        let header = try? CBORDecoder().decode(RequestHeader.self, from: message.frames[1].bytes)
        let (request, due) = state.withLock { state in
            let request = Received(
                number: state.requests.count + 1,
                connection: message.frames[0],
                header: header ?? RequestHeader(id: 0, operation: "unreadable"),
                body: message.frames[2].bytes
            )
            state.requests.append(request)
            let due = state.waiters.filter { $0.count <= state.requests.count }
            state.waiters.removeAll { $0.count <= state.requests.count }
            return (request, due)
        }
        for waiter in due { waiter.continuation.resume() }
        return request
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread,
            nil,
            {
                Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body()
                return nil
            },
            Unmanaged.passRetained(Box(body)).toOpaque()
        )
        return thread
    }
}

/// Signalled once, waited for once.
private final class Semaphore: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    func signal() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0 {} }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }
}

extension Peer.Received {
    /// A reply with this status and body.
    func reply(_ status: Status = .ok, _ body: some Encodable, retryAfter: Int? = nil) -> [[UInt8]] {
        var header = ReplyHeader(id: header.id, status: status, retryAfter: retryAfter)
        header.positions = ["catalog": Position(epoch: Identifier(high: 1, low: 2), sequence: Int64(number))]
        header.run = Identifier(high: 3, low: 4)
        return [encoded(header), encoded(body)]
    }

    /// The record of a put.
    var customer: Customer {
        get throws { try CBORDecoder().decode(Put<Customer>.self, from: body).record }
    }
}

func encoded(_ value: some Encodable) -> [UInt8] {
    (try? CBOREncoder().encode(value)) ?? []
}
