import Glibc

/// How a process ended.
enum ProcessEnding: Sendable, Hashable {
    case status(Int32)
    case signal(Int32)

    /// - Parameter waitStatus: what waitpid(2) stores for a process that ended.
    init(waitStatus: Int32) {
        // The macros WIFEXITED, WEXITSTATUS and WTERMSIG are not imported.
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .status(waitStatus >> 8 & 0xFF) : .signal(signal)
    }
}

extension ProcessEnding: CustomStringConvertible {
    /// Completes "orders …".
    var description: String {
        switch self {
        case .status(let status): "ended with status \(status)"
        case .signal(let signal):
            "was ended by signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
        }
    }
}
