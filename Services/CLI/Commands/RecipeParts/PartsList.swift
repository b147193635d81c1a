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

    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let noun = NumberedPart<Part>.noun
        if !watching.watch { _ = try noun.selected(daybook.presentation.fields) }
        let moment = try past.moment(of: Recipe.service, watch: watching.watch)
        let recipe = try await daybook.resolver(asOf: moment).record(Recipe.self, recipe)
        if watching.watch { return try await daybook.watchParts(Part.self, of: recipe) }
        try daybook.presentation.list(NumberedPart.list(recipe[keyPath: Part.path]), of: noun)
    }
}

extension Invocation {
    /// Shows a recipe's ingredients or steps, and what changes in them.
    ///
    /// - Throws: as ``watch(partsOf:sort:as:_:)``.
    func watchParts<Part: RecipePart>(_ type: Part.Type, of recipe: Recipe) async throws(CLIError) {
        try await watch(partsOf: recipe, as: NumberedPart<Part>.noun) { (parts: [ListedPart<Part>]) in
            NumberedPart.list(parts.map(\.part))
        }
    }
}
