import ArgumentParser
import Messages

struct PartsList<Part: RecipePart>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "list",
            abstract: "List a recipe's \(Part.plural) with their numbers and ids.",
            examples: ["daybook recipes \(Part.plural) list 'Leek soup'"]
        )
    }

    @Argument(help: "The recipe's name, or the end or beginning of its id.")
    var recipe: String

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let noun = NumberedPart<Part>.noun
        _ = try noun.selected(daybook.presentation.fields)
        let recipe = try await daybook.resolver.record(Recipe.self, recipe)
        try daybook.presentation.list(NumberedPart.list(recipe[keyPath: Part.path]), of: noun)
    }
}
