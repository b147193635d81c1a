import ArgumentParser
import Messages

struct RecipeTypesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recipe types, by name.",
        examples: [
            "daybook types list",
            "daybook types list --quiet",
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
            .recipeType,
            filter: search.map { .contains("name", $0) },
            sort: list.sortKeys,
            list
        )
    }
}
