import ArgumentParser

struct RecipesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a recipe.",
        examples: ["daybook recipes show 'Leek soup'", "daybook recipes show 3f2a --format json"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(recipe, of: .recipe)
    }
}
