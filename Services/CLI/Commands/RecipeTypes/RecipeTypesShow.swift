import ArgumentParser

struct RecipeTypesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a recipe type.",
        examples: ["daybook types show Dessert", "daybook types show 3f2a --format json"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var type: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).show(type, of: .recipeType, past, watch: watching.watch)
    }
}
