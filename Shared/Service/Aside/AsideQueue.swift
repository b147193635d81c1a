internal import Dispatch
internal import Messages
internal import Store
internal import Synchronization
internal import ZeroMQ

/// The thread that computes what commands want computed aside, one after the other: so that at most one of them takes
/// memory, and none delays the loop or the reports.
final class AsideQueue: Sendable {
    /// More at a time are refused.
    static let longest = 16

    typealias Result = Swift.Result<any Sendable, ServiceError>

    private struct State {
        var outstanding = 0
        var done: [(ticket: UInt64, result: Result)] = []
        var isStopping = false
    }

    private let reader: Reader
    private let state = Mutex(State())
    private let wakeUp: WakeUp
    private let stopping: WakeUp

    /// - Parameter wakeUp: is signalled when a result is there.
    init(storePath: String, wakeUp: WakeUp) throws(ZeroMQError) {
        self.wakeUp = wakeUp
        stopping = try WakeUp()
        reader = Reader(label: "aside", path: storePath)
    }

    /// Computes something; its result comes with this ticket. Where the deadline has passed when its turn comes, nothing is
    /// computed.
    ///
    /// - Parameter reading: makes what the work reads from of the thread's snapshot.
    /// - Returns: false where too many wait already.
    func submit(
        _ work: AsideWork,
        ticket: UInt64,
        deadline: Int64,
        reading: @escaping @Sendable (Session) -> Reading
    ) -> Bool {
        let isAccepted = state.withLock { state in
            guard state.outstanding < AsideQueue.longest else { return false }
            state.outstanding += 1
            return true
        }
        guard isAccepted else { return false }
        let allowance = Allowance(deadline: deadline, stopping: stopping)
        reader.queue.async { [self] in
            let result = Result { () throws(ServiceError) in
                try check(allowance)
                let compute = try reader.read { (session) throws(ServiceError) in try work.read(reading(session)) }
                return try compute(allowance)
            }
            state.withLock { state in
                state.outstanding -= 1
                state.done.append((ticket, result))
            }
            wakeUp.signal()
        }
        return true
    }

    private func check(_ allowance: Allowance) throws(ServiceError) {
        if state.withLock({ $0.isStopping }) { throw Allowance.stopped }
        if allowance.remaining == 0 { throw Allowance.timedOut }
    }

    /// The results since the last call.
    func takeDone() -> [(ticket: UInt64, result: Result)] {
        state.withLock { state in
            defer { state.done = [] }
            return state.done
        }
    }

    /// Ends what is computed, and waits for that.
    func stop() {
        state.withLock { $0.isStopping = true }
        stopping.signal()
        reader.queue.sync {}
    }
}
