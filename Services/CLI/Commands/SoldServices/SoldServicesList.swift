import ArgumentParser
import Messages

struct SoldServicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List services, by name.",
        examples: [
            "daybook services list",
            "daybook services list --search bath --fields name,price",
            "daybook services list --format csv > services.csv",
        ]
    )

    @Option(help: ArgumentHelp("Only those whose name contains this text, case and accents aside.", valueName: "text"))
    var search: String?

    @OptionGroup var selection: WhereOptions<SoldService>
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var filters = search.map { [Filter.contains("name", $0)] } ?? []
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        try await daybook.list(
            .service,
            filter: .all(filters),
            sort: list.sortKeys,
            list
        )
    }
}
