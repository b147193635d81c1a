import CZeroMQ
import Glibc

/// A way to end another thread's `Poller.wait`: a counter behind a file descriptor (eventfd(2)).
///
/// Signals are never lost: one that comes before the wait ends it at once.
public final class WakeUp: Sendable {
    /// Readable from the first `signal()` until `drain()`. Closed with the value.
    public let fileDescriptor: Int32

    /// Opens the descriptor, non-blocking and closed on exec.
    ///
    /// - Throws: `failed` with `EMFILE` or `ENFILE` where there are no more descriptors.
    public init() throws(ZeroMQError) {
        fileDescriptor = czeromq_eventfd()
        guard fileDescriptor >= 0 else { throw .failed(.createWakeUp, SystemError(number: errno)) }
    }

    deinit {
        if fileDescriptor >= 0 { Glibc.close(fileDescriptor) }
    }

    /// Makes the descriptor readable. From any thread; in a signal handler too, where the value is kept by a global `let` that
    /// was used before: one system call, no allocation, `errno` kept.
    public func signal() {
        czeromq_eventfd_signal(fileDescriptor)
    }

    /// Makes the descriptor unreadable, and says how many signals there were; 0 for none. Drain first, then look for work.
    @discardableResult
    public func drain() -> Int {
        Int(clamping: czeromq_eventfd_drain(fileDescriptor))
    }
}
