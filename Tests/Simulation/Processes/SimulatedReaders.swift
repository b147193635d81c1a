import Service
import Store

/// Runs a service's scans when the schedule says so, each on the store as it is then.
final class SimulatedReaders: ScanReaders {
    private struct Waiting {
        var ticket: UInt64
        var failure: @Sendable (ServiceError) -> Service.Answer
        var scan: @Sendable (Session) throws(ServiceError) -> Service.Answer
    }

    private let session: Session
    private var waiting: [Waiting] = []
    private var done: [(ticket: UInt64, answer: Service.Answer)] = []

    init(_ session: Session) {
        self.session = session
    }

    var isIdle: Bool { waiting.isEmpty }
    var hasDone: Bool { !done.isEmpty }

    func submit(
        ticket: UInt64,
        isPast: Bool,
        failure: @escaping @Sendable (ServiceError) -> Service.Answer,
        _ scan: @escaping @Sendable (Session) throws(ServiceError) -> Service.Answer
    ) -> Bool {
        waiting.append(Waiting(ticket: ticket, failure: failure, scan: scan))
        return true
    }

    /// Runs the scan that has waited longest.
    func runOne() {
        guard !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        let answer: Service.Answer
        do throws(ServiceError) {
            answer = try next.scan(session)
        } catch {
            answer = next.failure(error)
        }
        done.append((next.ticket, answer))
    }

    func takeDone() -> [(ticket: UInt64, answer: Service.Answer)] {
        defer { done = [] }
        return done
    }

    func forgetPast(unlessAskedSince time: Int64) {}

    func stop() {
        while !isIdle { runOne() }
    }
}
