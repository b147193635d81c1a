import Glibc

/// Threads for what blocks: the tasks of tests share few.
public enum DedicatedThread {
    /// Runs the closure on a thread of its own, and waits for what it returns.
    ///
    /// - Throws: what the closure throws.
    public static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            start { continuation.resume(with: Result(catching: body)) }
        }
    }

    /// Starts the closure on a thread of its own, and returns at once.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { box in
                if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
                return nil
            },
            Unmanaged.passRetained(Box(body)).toOpaque()
        )
        precondition(code == 0, "the system gives no more threads")
        pthread_detach(thread)
    }
}
