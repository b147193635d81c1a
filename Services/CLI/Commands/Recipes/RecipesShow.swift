import ArgumentParser
import Messages

struct RecipesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a recipe.",
        discussion:
            "--watch prints the list of the ingredients where it prints JSON lines; --fields then chooses theirs.",
        examples: ["daybook recipes show 'Leek soup'", "daybook recipes show 3f2a --format json"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        guard watching.watch, !daybook.watchesOnTerminal else {
            return try await daybook.show(recipe, of: .recipe, past, watch: watching.watch)
        }
        _ = try past.moment(of: Recipe.service, watch: true)
        let found = try await daybook.resolver.record(Recipe.self, recipe)
        try await daybook.watchParts(Ingredient.self, of: found)
    }
}
