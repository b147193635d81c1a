import Synchronization
public import ZeroMQ

/// Stands between subscribers and a publisher, and loses some of what is told: single messages, by chance.
public final class LossyRelay: Sendable {
    /// Where subscribers connect to.
    public let endpoint: Endpoint
    private let wakeUp: WakeUp
    private struct State {
        var isLosing = true
        var lost = 0
        var isStopping = false
    }
    private let state = Mutex(State())
    private let done = Promise<Void>()

    /// Listens at `endpoint` in front of `publisher`, and loses one message in `share`.
    public init(at endpoint: Endpoint, before publisher: Endpoint, losingOneIn share: Int, seed: UInt64) throws {
        self.endpoint = endpoint
        let wakeUp = try WakeUp()
        self.wakeUp = wakeUp
        DedicatedThread.start { [self] in
            do { try pass(publisher, share, seed) } catch { print("the relay ended: \(error)") }
            done.keep(())
        }
    }

    /// How many messages were lost.
    public var lost: Int { state.withLock { $0.lost } }

    /// Loses nothing any more.
    public func calm() { state.withLock { $0.isLosing = false } }

    /// Closes the sockets, and waits for that.
    public func stop() async {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
        await done.value
    }

    private func pass(_ publisher: Endpoint, _ share: Int, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = Context()
        let front = try Socket(context, .xpub)
        let back = try Socket(context, .xsub)
        defer {
            front.close()
            back.close()
            context.terminate()
        }
        try front.bind(endpoint)
        try back.connect(publisher)
        var poller = Poller()
        _ = poller.add(front, .receive)
        _ = poller.add(back, .receive)
        _ = poller.add(fileDescriptor: wakeUp.fileDescriptor, .receive)
        while !state.withLock({ $0.isStopping }) {
            try poller.wait(timeout: nil)
            wakeUp.drain()
            while let subscription = try front.receive() { _ = try back.send(subscription.frames) }
            while let message = try back.receive() {
                let isLost = Int.random(in: 0..<share, using: &random) == 0
                let isPassed = state.withLock { state in
                    guard isLost, state.isLosing else { return true }
                    state.lost += 1
                    return false
                }
                if isPassed { _ = try front.send(message.frames) }
            }
        }
    }
}
