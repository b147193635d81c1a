/// A way to end the process with a code and nothing printed: `throw ExitCode(3)` from `run()`.
public struct ExitCode: Error, RawRepresentable, Hashable, Sendable {
    /// The code given to `exit(3)`.
    public var rawValue: Int32

    /// Takes any code; the shell sees its low 8 bits.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Takes any code; the shell sees its low 8 bits.
    public init(_ code: Int32) {
        self.init(rawValue: code)
    }

    /// 0.
    public static let success = ExitCode(0)
    /// 1.
    public static let failure = ExitCode(1)
    /// 2, the shells' own code for misuse. swift-argument-parser uses 64 (`EX_USAGE`).
    public static let validationFailure = ExitCode(2)

    /// Whether the code is 0.
    public var isSuccess: Bool { self == .success }
}

/// An end that is no failure: something is printed on stdout, and the exit code is 0.
public enum CleanExit: Error, Sendable {
    /// The help of the given command; `nil`: of the root.
    case helpRequest((any ParsableCommand.Type)? = nil)
    /// A text.
    case message(String)

    /// The help of a command at hand.
    public static func helpRequest(_ command: some ParsableCommand) -> CleanExit {
        .helpRequest(type(of: command))
    }
}

/// Arguments that are each well formed but make no sense together, thrown by `validate()` or `run()`.
public struct ValidationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for the user.
    public var message: String

    /// Takes one sentence for the user.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
