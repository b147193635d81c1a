import CZeroMQ
import Glibc

/// libzmq's I/O threads and the namespace of `inproc` names: one for a process.
///
/// Safe to use from any thread. Sockets keep their context alive.
@safe
public final class Context: Sendable {
    // Never changed, and thread-safe by zmq_ctx_new(3).
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// Makes a context; its threads start with the first socket.
    ///
    /// - Parameter ioThreads: one serves about a gigabyte each second, which is more than two cores produce.
    public init(ioThreads: Int = 1) {
        // zmq_ctx_new fails only where malloc does, and malloc's failure ends a Swift program anyway.
        guard let handle = unsafe zmq_ctx_new() else { preconditionFailure("no memory for a ZeroMQ context") }
        unsafe self.handle = unsafe handle
        unsafe zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(clamping: max(1, ioThreads)))
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

    /// Whether CURVE (RFC 26) was built in.
    public static var hasCurve: Bool { has("curve") }

    /// Whether a capability was built in: `ipc`, `curve`, `gssapi`, `draft`, … (zmq_has(3)).
    public static func has(_ capability: String) -> Bool {
        unsafe zmq_has(capability) == 1
    }
}
