import Synchronization

/// A value that is made when it is first asked for.
final class OnceMade<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    init() {}

    /// The value; `make` runs at most once, under the lock.
    func value<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        try state.withLock { state throws(Failure) in
            if let state { return state }
            let value = try make()
            state = value
            return value
        }
    }
}
