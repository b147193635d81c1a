import ArgumentParser

/// The picture of a recipe, and its verbs.
struct RecipeImages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "image",
        abstract: "The picture of a recipe.",
        discussion:
            "JPEG, PNG or WebP, up to 16 MiB. Each has a thumbnail of at most 256 pixels a side, the right way up.",
        subcommands: [RecipeImagesSet.self, RecipeImagesGet.self, RecipeImagesDelete.self]
    )
}
