import Glibc
import Synchronization

/// Turns signals into bytes of a pipe, so that a loop can wait for them along with everything else.
enum SignalPipe {
    private static let writeEnd = Atomic<Int32>(-1)

    /// Catches the signals, also where this process was started with them blocked or ignored; from now on their numbers
    /// arrive, a byte each, at the descriptor that is returned. To be called once.
    ///
    /// - Throws: ``CLIError/system(action:path:code:)``.
    static func catching(_ signals: [Int32]) throws(CLIError) -> Int32 {
        let pipe = try Pipe()
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        writeEnd.store(pipe.writeEnd, ordering: .sequentiallyConsistent)
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals {
            sigaddset(&set, number)
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                // A full pipe has enough to wake the loop.
                _ = write(SignalPipe.writeEnd.load(ordering: .relaxed), &byte, 1)
                errno = saved
            }
        }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        return pipe.readEnd
    }
}
