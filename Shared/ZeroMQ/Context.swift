import CZeroMQ
import Glibc
import Synchronization

/// libzmq's I/O threads and the namespace of `inproc` names: one for a process.
///
/// Safe to use from any thread. Sockets keep their context alive.
@safe
public final class Context: Sendable {
    // Never changed, and thread-safe by zmq_ctx_new(3).
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer
    private let ioThreads: Int
    /// Which thread the connections to a host's name are on.
    private let hosts = Mutex<[String: Int]>([:])

    /// Makes a context; its threads start with the first socket.
    ///
    /// libzmq looks a host's name up on the I/O thread of the connection, which does nothing else meanwhile: where no name
    /// server answers, for seconds, again and again. So the first thread has everything but connections to names; each name
    /// has one of the others, as far as there are.
    ///
    /// - Parameter ioThreads: one serves about a gigabyte each second, which is more than two cores produce. One more for each
    ///   host that is called by its name keeps the others free of waiting for it.
    public init(ioThreads: Int = 1) {
        // zmq_ctx_new fails only where malloc does, and malloc's failure ends a Swift program anyway.
        guard let handle = unsafe zmq_ctx_new() else { preconditionFailure("no memory for a ZeroMQ context") }
        unsafe self.handle = unsafe handle
        self.ioThreads = min(max(1, ioThreads), 64)
        unsafe zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(self.ioThreads))
    }

    /// The I/O thread for connections to the endpoint, as a bit (`ZMQ_AFFINITY` of zmq_setsockopt(3)).
    func affinity(_ endpoint: Endpoint) -> Int64 {
        guard ioThreads > 1, let name = endpoint.hostName else { return 1 }
        let index = hosts.withLock { hosts in
            if hosts[name] == nil { hosts[name] = hosts.count }
            return hosts[name] ?? 0
        }
        return 1 << Int64(1 + index % (ioThreads - 1))
    }

    /// Ends all use: every call on the context's sockets, a waiting `Poller` too, throws `closed` from now on.
    ///
    /// Returns at once, may be called from any thread and more than once. Threads and memory go when the last socket is
    /// closed and the context released (zmq_ctx_shutdown(3), then zmq_ctx_term(3)).
    public func terminate() {
        unsafe zmq_ctx_shutdown(handle)
    }

    deinit {
        // No socket is left, since each one holds the context; this waits for their linger, which is 0 by default.
        while unsafe zmq_ctx_term(handle) != 0 && zmq_errno() == EINTR {}
    }
}

/// What the linked libzmq is and can do.
public enum Library {
    /// The version that is loaded, as (major, minor, patch).
    public static var version: (major: Int, minor: Int, patch: Int) {
        var (major, minor, patch) = (Int32(0), Int32(0), Int32(0))
        unsafe zmq_version(&major, &minor, &patch)
        return (Int(major), Int(minor), Int(patch))
    }

    /// Has the system give up a name server after a second, instead of five and once more, where the environment doesn't say
    /// otherwise (`RES_OPTIONS`, resolv.conf(5)): names are looked up again with each attempt to connect anyway, and a program
    /// can't end before.
    ///
    /// For the start of a program, before it has threads.
    public static func limitNameLookups() {
        unsafe setenv("RES_OPTIONS", "timeout:1 attempts:1", 0)
    }

    /// Whether CURVE (RFC 26) was built in.
    public static var hasCurve: Bool { has("curve") }

    /// Whether a capability was built in: `ipc`, `curve`, `gssapi`, `draft`, … (zmq_has(3)).
    public static func has(_ capability: String) -> Bool {
        unsafe zmq_has(capability) == 1
    }
}
