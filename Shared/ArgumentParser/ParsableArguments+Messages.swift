extension ParsableArguments {
    /// The exit code for an error that left parsing or `run()`.
    ///
    /// 0 for `CleanExit`, 2 for usage errors, the code itself for `ExitCode`, 1 for any other error.
    public static func exitCode(for error: any Error) -> ExitCode {
        switch error {
        case is CleanExit: .success
        case let code as ExitCode: code
        case is UsageError, is ValidationError: .validationFailure
        default: .failure
        }
    }

    /// What an error has to say to the user, without a heading; empty for an `ExitCode`.
    public static func message(for error: any Error, columns: Int? = nil) -> String {
        switch error {
        case is ExitCode: ""
        case CleanExit.message(let text): text
        case CleanExit.helpRequest(let command): help(for: command, columns: columns)
        default: String(describing: error)
        }
    }

    /// What is printed for an error: on stdout when its exit code is 0, otherwise on stderr.
    ///
    /// A usage error is one sentence after `Error: `, and a line that says where to read more.
    /// - Parameter columns: the width that help is wrapped to, 80 when `nil`; sentences are not wrapped.
    public static func fullMessage(for error: any Error, columns: Int? = nil) -> String {
        let text = message(for: error, columns: columns)
        guard !exitCode(for: error).isSuccess, !text.isEmpty else { return text }
        let command: String? =
            switch error {
            case let usage as UsageError: usage.command
            case is ValidationError: CommandNode(Self.self).name
            default: nil
            }
        return "Error: \(text)" + (command.map { "\nSee '\($0) --help' for more information." } ?? "")
    }

    private static func help(for command: (any ParsableCommand.Type)?, columns: Int?) -> String {
        let root = CommandNode(Self.self)
        let node = command.map { root.descendant($0) ?? CommandNode($0) } ?? root
        return HelpGenerator(node, columns: columns).page()
    }
}
