import ArgumentParser
import Text

struct QueueDrop: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Forget a queued command.",
        discussion:
            "What depends on it stays queued, and is refused where what it refers to isn't there. A command whose "
            + "service did not answer in time may have been done all the same.",
        examples: ["daybook queue drop 3"]
    )

    @Argument(help: "Its number.")
    var number: Int

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global)
        let queue = CommandQueue(home: daybook.configuration.home)
        let lock = try queue.lockForDelivery()
        let commands = try queue.commands()
        let command = try queue.command(number, among: commands)
        try Confirmation.ask(Self.question(command, among: commands), yes: confirmation.yes)
        try queue.remove(command)
        withExtendedLifetime(lock) {}
        try daybook.output.line("Dropped \(number).")
    }

    static func question(_ command: QueuedCommand, among commands: [QueuedCommand]) -> String {
        let dependants = commands.filter { $0.depends(on: command) }.map { String($0.number) }
        let question = "Drop \(command.number), \(TerminalText.escapedForTerminal(command.line))?"
        switch dependants.count {
        case 0: return question
        case 1: return "\(question) \(dependants[0]) depends on it."
        default: return "\(question) \(dependants.joined(separator: ", ")) depend on it."
        }
    }
}
