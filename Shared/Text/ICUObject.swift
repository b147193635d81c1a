private import Synchronization

/// An object of ICU that even asking changes, so one thread at a time may use it.
@safe
final class ICUObject: Sendable {
    @safe
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Mutex<Handle>
    private let close: @Sendable (OpaquePointer) -> Void

    /// Owns `pointer` and gives it to `close` at the end; nil without a pointer.
    init?(_ pointer: OpaquePointer?, close: @escaping @Sendable (OpaquePointer) -> Void) {
        guard let pointer = unsafe pointer else { return nil }
        handle = Mutex(unsafe Handle(pointer: pointer))
        unsafe self.close = close
    }

    deinit {
        handle.withLock { unsafe close($0.pointer) }
    }

    func use<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        handle.withLock { unsafe body($0.pointer) }
    }
}
