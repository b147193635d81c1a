import ArgumentParser
import Messages

/// The noun and its verbs.
struct Recipes: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What is made, and how.",
        subcommands: [
            RecipesAdd.self, RecipesList.self, RecipesShow.self, RecipesEdit.self, RecipesDelete.self,
            RecipeParts<Ingredient>.self, RecipeParts<RecipeStep>.self, RecipeImages.self,
            RecipesImport.self, RecipesExport.self,
            RecipesScale.self, RecipesConvert.self, RecipesNeed.self,
        ]
    )
}
