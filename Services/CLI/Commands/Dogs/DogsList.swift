import ArgumentParser
import Messages

struct DogsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List dogs, by name.",
        examples: [
            "daybook dogs list",
            "daybook dogs list --quiet",
        ]
    )

    @Option(help: ArgumentHelp("Only those whose name contains this text, case and accents aside.", valueName: "text"))
    var search: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await daybook.list(
            .dog,
            filter: search.map { .contains("name", $0) },
            sort: list.sortKeys,
            limit: list.limit,
            watch: list.watching.watch
        )
    }
}
