import ArgumentParser
import Messages

struct QueueRetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Let a command that was refused wait for delivery again.",
        discussion: """
            For when its cause is gone. A key is good for 7 days: behind that nobody can tell whether the command was done. \
            Look for the record that 'daybook queue show' names; if it isn't there, --new-key sends the command anew.
            """,
        examples: ["daybook queue retry 3", "daybook queue retry 3 --new-key"]
    )

    @Argument(help: "Its number.")
    var number: Int

    @Flag(help: "With a new key, where the old one has expired.")
    var newKey = false

    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global)
        let queue = CommandQueue(home: daybook.configuration.home)
        let lock = try queue.lockForDelivery()
        let command = try queue.command(number, among: try queue.commands())
        try queue.store(try Self.retried(command, newKey: newKey))
        withExtendedLifetime(lock) {}
        let sync = daybook.configuration.reach.commandLine("daybook", "sync")
        try daybook.output.line("\(number) waits again: '\(sync)' delivers it.")
    }

    /// The command without its refusal.
    ///
    /// - Throws: ``CLIError/failure(_:)`` for one that was not refused, and for a new key where the old one is good: it is
    ///   what keeps the command from having its effect twice.
    static func retried(_ command: QueuedCommand, newKey: Bool) throws(CLIError) -> QueuedCommand {
        guard let refusal = command.refusal else {
            throw .failure("The command \(command.number) was not refused: it waits already.")
        }
        guard newKey == (refusal.status == .keyExpired) else {
            throw .failure(
                newKey
                    ? "The key of \(command.number) has not expired: leave --new-key out."
                    : "The key of \(command.number) has expired: see that it was not done, as by the record "
                        + "\(command.subject?.description ?? "it changes"), and add --new-key."
            )
        }
        var command = command
        command.refusal = nil
        if newKey { command.key = .make() }
        return command
    }
}
