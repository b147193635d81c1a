/// A command whose work is asynchronous.
public protocol AsyncParsableCommand: ParsableCommand {
    /// Does the command's work.
    mutating func run() async throws
}

extension AsyncParsableCommand {
    /// Shows the command's help.
    ///
    /// - Throws: always `CleanExit.helpRequest`.
    public mutating func run() async throws {
        throw CleanExit.helpRequest(Self.self)
    }

    /// Parses and runs; prints what an error has to say and ends the process with its exit code.
    ///
    /// Returns when the command, asynchronous or not, has run.
    public static func main(_ arguments: [String]?) async {
        do {
            var command = try parseAsRoot(arguments)
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch {
                throw located(error, in: type(of: command))
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Parses and runs the process's own arguments; put `@main` on the root command.
    ///
    /// The command's `run()` starts on the main actor.
    // Isolated to an actor by name: for `@main`, Swift 6.3 ranks a `nonisolated(nonsending)` function, which this
    // would be otherwise, below the synchronous `ParsableCommand.main()`, and every command would show its help.
    @MainActor
    public static func main() async {
        await main(nil)
    }
}
