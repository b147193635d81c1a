import Glibc

/// Runs a blocking function on a thread of its own, so that no task's thread is held up.
enum SupervisorThread {
    private final class Work {
        let function: () -> Void

        init(_ function: @escaping () -> Void) {
            self.function = function
        }
    }

    /// What `function` returns.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)`` where no thread can be had.
    static func run<Result: Sendable>(_ function: @escaping @Sendable () -> Result) async throws(CLIError) -> Result {
        let outcome = await withCheckedContinuation {
            (done: CheckedContinuation<Swift.Result<Result, CLIError>, Never>) in
            let work = Unmanaged.passRetained(Work { done.resume(returning: .success(function())) })
            var thread = pthread_t()
            let code = pthread_create(&thread, nil, Self.start, work.toOpaque())
            guard code == 0 else {
                work.release()
                return done.resume(returning: .failure(.system(action: "start", path: "a thread", code: code)))
            }
            pthread_detach(thread)
        }
        return try outcome.get()
    }

    private static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().function() }
        return nil
    }
}
