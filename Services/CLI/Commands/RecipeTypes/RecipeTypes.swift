import ArgumentParser

/// The noun `types` and its verbs.
struct RecipeTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Kinds of recipes.",
        subcommands: [
            RecipeTypesAdd.self, RecipeTypesList.self, RecipeTypesShow.self, RecipeTypesEdit.self,
            RecipeTypesDelete.self,
        ]
    )
}
