import ArgumentParser

struct QueueShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a queued command: what is sent, its key, and what depends on it.",
        examples: ["daybook queue show 3"]
    )

    @Argument(help: "Its number.")
    var number: Int

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global, output)
        let queue = CommandQueue(home: daybook.configuration.home)
        let commands = try queue.commands()
        _ = try queue.command(number, among: commands)
        for row in QueuedCommandRow.rows(of: commands) where row.command.number == number {
            try daybook.presentation.show(row, of: .queuedCommand)
        }
    }
}
