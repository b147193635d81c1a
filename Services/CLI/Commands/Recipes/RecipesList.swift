import ArgumentParser
import Messages

struct RecipesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recipes, by name.",
        discussion: "Each with its picture and its time; --fields makes a table.",
        examples: [
            "daybook recipes list",
            "daybook recipes list --type Soup",
            "daybook recipes list --search loaf --fields id,name,type",
        ]
    )

    @Option(help: ArgumentHelp("Only those whose name contains this text, case and accents aside.", valueName: "text"))
    var search: String?

    @Option(help: ArgumentHelp("Only those of this type.", valueName: "name"))
    var type: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.recipe.selected(daybook.presentation.fields)
        var filters = search.map { [Filter.contains("name", $0)] } ?? []
        if let type = try await daybook.recipeType(type) { filters.append(.equal("type", .id(type.id))) }
        try await daybook.list(
            .recipe,
            filter: filters.isEmpty ? nil : .and(filters),
            sort: list.sortKeys(["type": "type.name", "typeId": "type"]),
            limit: list.limit,
            watch: list.watching.watch
        )
    }
}
