import Synchronization
public import ZeroMQ

/// Stands between clients and a service, and passes messages on; may lose replies.
public final class Relay: Sendable {
    /// Where clients connect to.
    public let endpoint: Endpoint
    private let wakeUp: WakeUp
    private struct State {
        var toDrop: Int
        var dropped = 0
        var isStopping = false
    }
    private let state: Mutex<State>
    private let loss = Promise<Void>()
    private let done = Promise<Void>()

    /// Listens at `endpoint` in front of `service`, and drops the first `dropping` replies.
    public init(at endpoint: Endpoint, before service: Endpoint, dropping: Int) throws {
        self.endpoint = endpoint
        state = Mutex(State(toDrop: dropping))
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        DedicatedThread.start { [self] in
            do { try pass(service) } catch { print("the relay ended: \(error)") }
            done.keep(())
        }
    }

    /// How many replies were lost.
    public var dropped: Int { state.withLock { $0.dropped } }

    /// Waits until a reply was lost: what was asked for is done then, and nobody knows.
    public func firstLoss() async { await loss.value }

    /// Closes the sockets, and waits for that.
    public func stop() async {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        await done.value
    }

    private func pass(_ service: Endpoint) throws {
        let context = Context()
        defer { context.terminate() }
        let front = try Socket(context, .router)
        let back = try Socket(context, .dealer)
        defer {
            front.close()
            back.close()
        }
        try front.bind(endpoint)
        try back.connect(service)
        var poller = Poller()
        _ = poller.add(front, .receive)
        _ = poller.add(back, .receive)
        _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        while !state.withLock({ $0.isStopping }) {
            try poller.wait(timeout: nil)
            wakeUp.drain()
            while let message = try front.receive() {
                // The client's routing id becomes part of the envelope: the delimiter ends it.
                let frames = [message.frames[0], Frame([])] + message.frames.dropFirst()
                while try back.send(frames) == .wouldBlock {
                    // The service may be gone for good.
                    if state.withLock({ $0.isStopping }) { return }
                    var space = Poller()
                    _ = space.add(back, .send)
                    _ = space.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
                    try space.wait(timeout: nil)
                }
            }
            while let message = try back.receive() {
                let isLost = state.withLock { state in
                    guard state.toDrop > 0 else { return false }
                    state.toDrop -= 1
                    state.dropped += 1
                    return true
                }
                if isLost {
                    loss.keep(())
                } else {
                    _ = try front.send([message.frames[0]] + message.frames.dropFirst(2))
                }
            }
        }
    }
}
