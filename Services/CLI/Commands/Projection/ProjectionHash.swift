import ArgumentParser
import Messages

struct ProjectionHash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Tell the content of what a service keeps of another's data as one number.",
        discussion: "Two that are made from the same events have the same number.",
        examples: [
            "daybook projection hash reporting", "daybook projection hash reporting --source orders --format json",
        ]
    )

    @OptionGroup var arguments: ProjectionArguments
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await daybook.hashProjections(of: arguments.service, source: arguments.source)
    }
}
