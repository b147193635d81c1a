import ArgumentParser
import Messages

struct CustomersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List customers, by name.",
        examples: [
            "daybook customers list",
            "daybook customers list --search berg --fields name,email",
            "daybook customers list --format csv > customers.csv",
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
            .customer,
            filter: search.map { .contains("name", $0) },
            sort: list.sortKeys,
            limit: list.limit,
            watch: list.watching.watch
        )
    }
}
