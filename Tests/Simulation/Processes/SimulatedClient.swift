import Client
import Messages
import Synchronization
import ZeroMQ

/// A client's process: what it asked, and its loop.
final class SimulatedClient {
    /// The outcomes that the loop told.
    final class Outbox: Sendable {
        let outcomes = Mutex<[(id: UInt64, outcome: Outcome)]>([])
    }

    let number: Int
    let host: Host
    let exchange: Exchange
    private var loop: SocketLoop
    private let outbox = Outbox()
    private let start: ContinuousClock.Instant
    private let network: SimulatedNetwork
    private let now: () -> ContinuousClock.Instant
    /// Whether its loop was told something since its last turn.
    private(set) var isTold = false
    /// Until then it gets no turn.
    var stalledUntil: Int64 = 0

    /// - Parameter start: the instant of the time 0.
    init(
        _ number: Int,
        _ network: SimulatedNetwork,
        start: ContinuousClock.Instant,
        now: @escaping () -> ContinuousClock.Instant
    ) throws {
        self.number = number
        self.network = network
        self.start = start
        self.now = now
        host = Host(network)
        exchange = try Exchange(lastID: UInt64(number) << 32)
        loop = SocketLoop(exchange, key: nil, network: host, clock: now)
    }

    /// Sends a request.
    ///
    /// - Returns: its number.
    func send(_ request: Outgoing, timeout: Int64) -> UInt64 {
        let id = exchange.nextID()
        let outbox = outbox
        exchange.submit(id, request, timeout: .milliseconds(timeout), at: now()) { outcome in
            outbox.outcomes.withLock { $0.append((id, outcome)) }
        }
        isTold = true
        return id
    }

    /// Something was told the exchange directly.
    func tell() { isTold = true }

    func isDue(at time: Int64) -> Bool { isTold || network.hasArrived(at: host) || deadline <= time }

    /// By the world's time, in milliseconds.
    var deadline: Int64 {
        guard let deadline = loop.deadline else { return .max }
        let (seconds, attoseconds) = (deadline - start).components
        // Rounded up: before it there is nothing to do.
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }

    /// A turn of its loop.
    ///
    /// - Returns: the requests that have an outcome now.
    func takeTurn() throws -> [(id: UInt64, outcome: Outcome)] {
        isTold = false
        try loop.takeArrivals()
        _ = loop.takeTurn()
        return outbox.outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    func kill() {
        exchange.end(.closed)
        host.isDead = true
        network.kill(host)
    }
}
