import Synchronization

/// A value that is made when it is first asked for.
final class OnceMade<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    init() {}

    /// The value; `make` runs at most once, under the lock.
    func value(_ make: () throws -> Value) rethrows -> Value {
        try state.withLock { state in
            if let state { return state }
            let value = try make()
            state = value
            return value
        }
    }
}
