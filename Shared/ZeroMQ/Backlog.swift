import Synchronization

/// The bytes of frames that somebody still needs: what libzmq queues for a peer that doesn't read, and what is being sent.
///
/// A high-water mark counts messages, whatever they hold; with this, bytes can be bounded. A frame is counted from when it is
/// made until the last copy of it, libzmq's included, is let go, on whatever thread that is: once it was handed to the
/// system, or the connection ended.
public final class Backlog: Sendable {
    private let held = Atomic(0)
    private let all: Backlog?

    /// - Parameter all: counts these bytes, too.
    public init(partOf all: Backlog? = nil) {
        self.all = all
    }

    /// How many there are now.
    public var bytes: Int { held.load(ordering: .relaxed) }

    func add(_ count: Int) {
        held.add(count, ordering: .relaxed)
        all?.add(count)
    }
}
