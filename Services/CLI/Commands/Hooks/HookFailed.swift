import ArgumentParser

struct HookFailed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "failed",
        abstract: "List the events that a hook gave up.",
        examples: ["daybook hook failed thanks", "daybook hook failed thanks --format json"]
    )

    @Argument(help: "The hook's name.")
    var name: String

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() throws {
        let daybook = try Invocation(global, output)
        let folder = try HookFolder(name, home: daybook.configuration.home)
        _ = try folder.existingState()
        try daybook.presentation.list(try folder.failures(), of: .hookFailure)
    }
}
