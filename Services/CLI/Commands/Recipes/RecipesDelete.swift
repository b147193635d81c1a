import ArgumentParser

struct RecipesDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete recipes.",
        discussion: "A recipe takes its ingredients with it.",
        examples: ["daybook recipes delete 'Leek soup'", "daybook recipes delete 3f2a 77c0 --yes"]
    )

    @Argument(help: "Names, or ends or beginnings of ids.")
    var recipes: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).delete(
            recipes,
            of: .recipe,
            yes: confirmation.yes,
            key: change.key
        )
    }
}
