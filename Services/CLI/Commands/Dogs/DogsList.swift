import ArgumentParser
import Messages

struct DogsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List dogs, by name.",
        examples: [
            "daybook dogs list",
            "daybook dogs list --owner 'Ann Berg'",
            "daybook dogs list --where 'owner = none or name ~ rex'",
            "daybook dogs list --quiet",
        ]
    )

    @Option(help: ArgumentHelp("Only those whose name contains this text, case and accents aside.", valueName: "text"))
    var search: String?

    @OptionGroup var owner: OwnerOptions
    @OptionGroup var selection: WhereOptions<Dog>
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var filters = search.map { [Filter.contains("name", $0)] } ?? []
        if let id = try await owner.id(by: daybook, in: list) { filters.append(.equal("owner", .id(id))) }
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        try await daybook.list(
            .dog,
            filter: .all(filters),
            sort: list.sortKeys(["owner": "owner.name", "ownerId": "owner"]),
            list
        )
    }
}
