import ArgumentParser
import Messages

struct WalksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List walks under their dogs, in the order entered.",
        discussion: "On a terminal each has the number behind it that edit and delete take; --fields makes a table.",
        examples: [
            "daybook walks list",
            "daybook walks list --dog Rex --limit 10 --sort=-number",
            "daybook walks list --fields number,dog,time",
        ]
    )

    @Option(help: ArgumentHelp("Only those with this dog.", valueName: "name"))
    var dog: String?

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var noun = Noun.walk
        noun.lines = .walks(daybook.presentation.cells, numbered: daybook.output.style.columns != nil)
        _ = try noun.selected(daybook.presentation.fields)
        var filter: Filter?
        if let dog { filter = .equal("dog", .id(try await daybook.resolver.record(Dog.self, dog).id)) }
        let sort = list.sortKeys(["dog": "dog.name", "dogId": "dog"])
        let underDogs = sort == nil && daybook.presentation.fields == nil
        try await daybook.list(
            noun,
            filter: filter,
            sort: sort ?? Self.sort(daybook.presentation),
            limit: list.limit,
            watch: list.watching.watch,
            section: underDogs ? ListQuery.Section("dog.name") : nil
        )
    }

    /// Dogs by name where walks stand under them, which no two dogs share; in the order entered, and so anywhere else.
    static func sort(_ presentation: Presentation) -> [SortKey]? {
        let isGrouped = presentation.format == .table && presentation.fields == nil && !presentation.isQuiet
        return isGrouped ? [SortKey("dog.name"), SortKey("number")] : nil
    }
}
