import CZeroMQ
import Glibc
import Synchronization

/// One frame of a message: bytes that were received or are to be sent, never changed.
///
/// A copy of the value shares the bytes. Sending does not use a frame up: it can go to many peers and its bytes are held
/// once. At most 33 bytes lie in libzmq's own record; more are on the heap and counted.
public struct Frame: Sendable {
    /// From this many bytes on `init(_:)` hands the array itself to libzmq instead of a copy of it.
    public static let sharingThreshold = 16 << 10

    let storage: Storage

    /// A frame of these bytes; from `sharingThreshold` on they are not copied, and the array is released once no peer needs it.
    public init(_ bytes: [UInt8]) {
        guard bytes.count >= Self.sharingThreshold else {
            self = unsafe bytes.withUnsafeBytes { unsafe Frame(copying: $0) }
            return
        }
        self.init(owner: ArrayOwner(bytes, nil))
    }

    /// A frame of these bytes, which are not copied, and are counted as held until no peer needs them.
    public init(_ bytes: [UInt8], countedBy backlog: Backlog) {
        self.init(owner: ArrayOwner(bytes, backlog))
    }

    private init(owner: ArrayOwner) {
        // The elements of a native array stay where they are as long as somebody holds it, and the owner never changes it.
        self = unsafe owner.bytes.withUnsafeBytes { unsafe Frame(sharing: $0, owner: owner) }
    }

    /// A frame with a copy of these bytes.
    public init(copying bytes: UnsafeRawBufferPointer) {
        storage = unsafe Storage { message in
            unsafe zmq_msg_init_size(message, bytes.count)
            if let base = bytes.baseAddress {
                unsafe zmq_msg_data(message).copyMemory(from: base, byteCount: bytes.count)
            }
        }
    }

    /// A frame over memory that `owner` keeps in place and unchanged until it is released.
    ///
    /// The owner is released exactly once, on whatever thread lets go last, which may be one of libzmq's.
    @unsafe
    public init(sharing bytes: UnsafeRawBufferPointer, owner: some AnyObject & Sendable) {
        storage = unsafe Storage { message in
            let hint = unsafe Unmanaged.passRetained(owner as AnyObject).toOpaque()
            let base = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            unsafe zmq_msg_init_data(
                message,
                base,
                bytes.count,
                { _, hint in unsafe hint.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).release() } },
                hint
            )
        }
    }

    init(taking message: inout zmq_msg_t) {
        storage = unsafe Storage { own in
            unsafe zmq_msg_init(own)
            unsafe zmq_msg_move(own, &message)
        }
    }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Whether there are no bytes, as in REQ's delimiter.
    public var isEmpty: Bool { storage.count == 0 }

    /// A copy of the bytes.
    public var bytes: [UInt8] { unsafe withUnsafeBytes { unsafe [UInt8]($0) } }

    /// Calls `body` with the bytes, which are valid only during the call.
    public func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }

    /// What the connection says of itself: `User-Id` (the ZAP handler's), `Peer-Address`, `Socket-Type`, `Routing-Id`.
    ///
    /// Nil on frames that were not received, and where the peer or ZAP gave no such property. Read it from the last frame of
    /// a message: a ROUTER makes the first one itself (zmq_msg_gets(3)).
    public func metadata(_ property: String) -> String? {
        guard let text = unsafe zmq_msg_gets(storage.message, property) else { return nil }
        return unsafe String(cString: text)
    }
}

extension Frame: Hashable {
    /// Equal bytes.
    public static func == (left: Frame, right: Frame) -> Bool {
        guard left.count == right.count else { return false }
        guard let one = unsafe left.storage.base, let other = unsafe right.storage.base else { return left.isEmpty }
        return unsafe memcmp(one, other, left.count) == 0
    }

    public func hash(into hasher: inout Hasher) {
        unsafe withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
    }
}

extension Frame: CustomStringConvertible {
    /// The size only: contents are customers' data.
    public var description: String { "Frame(\(count) bytes)" }
}

extension Frame {
    /// A `zmq_msg_t` at a fixed address, closed once.
    ///
    /// `@unchecked`: bytes and metadata never change after `init`, their counts are atomic, and the one call that writes to
    /// the record, `zmq_msg_copy` when it marks the content as shared, is made under the lock.
    @safe
    final class Storage: @unchecked Sendable {
        let message: UnsafeMutablePointer<zmq_msg_t>
        let base: UnsafeRawPointer?
        let count: Int
        private let lock = Mutex(())

        init(_ initialize: (UnsafeMutablePointer<zmq_msg_t>) -> Void) {
            unsafe message = .allocate(capacity: 1)
            unsafe initialize(message)
            unsafe base = UnsafeRawPointer(zmq_msg_data(message))
            count = unsafe zmq_msg_size(message)
        }

        /// Makes `copy`, which must be initialised, another reference to the content.
        func copy(to copy: UnsafeMutablePointer<zmq_msg_t>) {
            lock.withLock { _ in _ = unsafe zmq_msg_copy(copy, message) }
        }

        deinit {
            unsafe zmq_msg_close(message)
            unsafe message.deallocate()
        }
    }

    private final class ArrayOwner: Sendable {
        let bytes: [UInt8]
        private let backlog: Backlog?

        init(_ bytes: [UInt8], _ backlog: Backlog?) {
            self.bytes = bytes
            self.backlog = backlog
            backlog?.add(bytes.count)
        }

        deinit { backlog?.add(-bytes.count) }
    }
}
