import Glibc
import ZeroMQ

/// A thread that runs one function and is joined once.
package struct SocketThread: Sendable {
    private let handle: pthread_t

    /// Starts it.
    ///
    /// Signals are left to the other threads, but for those that a fault of the thread itself raises.
    ///
    /// - Throws: `noThread`.
    package init(_ body: @escaping @Sendable () -> Void) throws(ClientError) {
        var handle = pthread_t()
        let argument = Unmanaged.passRetained(Body(body))
        let result = pthread_create(
            &handle,
            nil,
            { argument in
                SocketThread.blockSignals()
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            argument.toOpaque()
        )
        guard result == 0 else {
            argument.release()
            throw .noThread(SystemError(number: result))
        }
        self.handle = handle
    }

    /// Waits for its end. To be called once; from the thread itself it only gives the join up.
    package func join() {
        if pthread_equal(handle, pthread_self()) != 0 {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }

    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
