import ArgumentParser
import Messages

struct CustomersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List customers, by name.",
        examples: [
            "daybook customers list",
            "daybook customers list --search berg --fields name,email",
            "daybook customers list --where 'email = none or address ~ berlin'",
            "daybook customers list --format csv > customers.csv",
            "daybook customers list --as-of 2024-03-31",
        ]
    )

    @Option(help: ArgumentHelp("Only those whose name contains this text, case and accents aside.", valueName: "text"))
    var search: String?

    @OptionGroup var selection: WhereOptions<Customer>
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var filters = search.map { [Filter.contains("name", $0)] } ?? []
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        try await daybook.list(
            .customer,
            filter: .all(filters),
            sort: list.sortKeys,
            list
        )
    }
}
