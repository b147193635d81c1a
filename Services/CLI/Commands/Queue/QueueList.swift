import ArgumentParser

struct QueueList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the queued commands in the order of their delivery.",
        examples: ["daybook queue list", "daybook queue list --format json"]
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global, output)
        let commands = try CommandQueue(home: daybook.configuration.home).commands()
        try daybook.presentation.list(QueuedCommandRow.rows(of: commands), of: .queuedCommand)
    }
}
