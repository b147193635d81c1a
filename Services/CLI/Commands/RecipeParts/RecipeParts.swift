import ArgumentParser
import Messages

/// The ingredients of a recipe, or its steps, and their verbs.
struct RecipeParts<Part: RecipePart>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Part.plural,
            abstract: "The \(Part.plural) of a recipe.",
            discussion:
                "One is called by its number, by its text or the beginning of a word in it, or by the end of its id.",
            subcommands: [
                PartsList<Part>.self, PartsAdd<Part>.self, PartsEdit<Part>.self, PartsMove<Part>.self,
                PartsDelete<Part>.self,
            ]
        )
    }
}

/// How a recipe's parts are called in examples.
extension RecipePart {
    static var example: String { Self.singular == RecipeStep.singular ? "Bake for 40 minutes." : "3 leeks, sliced" }
}
