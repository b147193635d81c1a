import ArgumentParser

struct SoldServicesEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a service.",
        discussion: "Only what is given changes. Orders show the new name at once.",
        examples: [
            "daybook services edit Bath --price 19.50",
            "daybook services edit 3f2a --name 'Bath and brush' --clear info",
        ]
    )

    @Argument(help: "The name, the reference, or the end or beginning of the id.")
    var service: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var fields: SoldServiceFields
    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let recipe = try await daybook.recipe(fields.recipe)
        var edit = try fields.edit(name: name, usual: daybook.configuration.currency, recipe: recipe)
        try edit.clear(options.clear)
        try await daybook.edit(service, edit, of: .service, basedOn: options.basedOn, key: change.key)
    }
}
