internal import Dispatch
internal import Messages
package import Store
internal import Synchronization
internal import ZeroMQ

/// What runs scans, each on a snapshot.
package protocol ScanReaders: AnyObject {
    /// Runs a scan; its answer comes with this ticket. Not before this returns.
    ///
    /// - Parameter isPast: whether it reads the past.
    /// - Returns: false where too many wait already.
    func submit(
        ticket: UInt64,
        isPast: Bool,
        failure: @escaping @Sendable (ServiceError) -> Answer,
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer
    ) -> Bool

    /// The answers since the last call.
    func takeDone() -> [(ticket: UInt64, answer: Answer)]

    /// Forgets what is kept of the past, unless it was asked for since a time by the loop's clock.
    func forgetPast(unlessAskedSince time: Int64)

    /// Waits for what is running.
    func stop()
}

/// Threads that run scans on snapshots of their own, so that nothing long delays the loop; one of them reads the past.
final class ReaderPool: ScanReaders, Sendable {
    /// More scans than this at a time are refused.
    static let longestQueue = 256
    static let threads = 2

    private struct State {
        var outstanding = 0
        var next = 0
        /// When the past was asked for last, by `ServiceLoop.now`; nil where nothing is kept of it.
        var pastAsked: Int64?
        var outstandingPast = 0
        var done: [(ticket: UInt64, answer: Answer)] = []
    }

    private let readers: [Reader]
    /// Keeps temporary tables from one scan to the next.
    private let past: Reader
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    init(_ engine: Engine, wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        readers = (0..<ReaderPool.threads).map { Reader(label: "reader.\($0)", path: engine.store.path) }
        past = Reader(label: "reader.past", path: engine.store.path)
    }

    func submit(
        ticket: UInt64,
        isPast: Bool,
        failure: @escaping @Sendable (ServiceError) -> Answer,
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Answer
    ) -> Bool {
        let reader: Reader? = state.withLock { state in
            guard state.outstanding < ReaderPool.longestQueue else { return nil }
            state.outstanding += 1
            if isPast {
                state.outstandingPast += 1
                state.pastAsked = ServiceLoop.now
                return past
            }
            state.next = (state.next + 1) % readers.count
            return readers[state.next]
        }
        guard let reader else { return false }
        reader.queue.async { [self] in
            let answer: Answer
            do throws(ServiceError) {
                answer = try reader.read(scan)
            } catch {
                answer = failure(error)
            }
            state.withLock { state in
                state.outstanding -= 1
                if isPast { state.outstandingPast -= 1 }
                state.done.append((ticket, answer))
            }
            wakeUp.signal()
        }
        return true
    }

    func takeDone() -> [(ticket: UInt64, answer: Answer)] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }

    func forgetPast(unlessAskedSince time: Int64) {
        let isKept = state.withLock { state in
            guard state.outstandingPast == 0, let asked = state.pastAsked, asked < time else { return false }
            state.pastAsked = nil
            return true
        }
        if isKept { past.queue.async { [past] in past.close() } }
    }

    /// Whether something is kept of the past.
    var keepsPast: Bool { past.queue.sync { past.isOpen } }

    func stop() {
        for reader in readers + [past] { reader.queue.sync {} }
    }
}

/// One reader: a serial queue and the connection that only it uses, opened with the first scan.
///
/// Unchecked because the connection is touched on the queue alone.
final class Reader: @unchecked Sendable {
    let queue: DispatchQueue
    private let path: String
    private var session: Session?

    init(label: String, path: String) {
        queue = DispatchQueue(label: "daybook.\(label)")
        self.path = path
    }

    /// Runs the closure on a snapshot, which ends with it.
    func read<Result>(_ scan: (Session) throws(ServiceError) -> Result) throws(ServiceError) -> Result {
        let session = try storing { () throws(StoreError) in
            if let session = self.session { return session }
            return try Store.reader(path: path)
        }
        self.session = session
        try storing { () throws(StoreError) in try session.beginReading() }
        do throws(ServiceError) {
            let result = try scan(session)
            // Keeps what was written into temporary tables.
            try storing { () throws(StoreError) in try session.commit() }
            return result
        } catch {
            try storing { () throws(StoreError) in try session.rollback() }
            throw error
        }
    }

    var isOpen: Bool { session != nil }

    /// Closes the connection; the next scan opens another one.
    func close() {
        session = nil
    }
}
