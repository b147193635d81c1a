import ArgumentParser

struct RecipeTypesDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete recipe types.",
        discussion: "Its recipes stay, without a type.",
        examples: ["daybook types delete Dessert", "daybook types delete 3f2a 77c0 --yes"]
    )

    @Argument(help: "Names, or ends or beginnings of ids.")
    var types: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).delete(
            types,
            of: .recipeType,
            yes: confirmation.yes,
            key: change.key
        )
    }
}
