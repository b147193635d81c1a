import ArgumentParser

struct RecipesEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a recipe.",
        discussion: "Only what is given changes; --ingredient replaces all ingredients.",
        examples: [
            "daybook recipes edit 'Leek soup' --prep-time '40 min' --clear image",
            "daybook recipes edit 3f2a --instructions - < soup.txt",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var fields: RecipeFields
    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let type = try await daybook.recipeType(fields.type)
        let image = try await daybook.picture(fields.image)
        var edit = try fields.edit(name: name, type: type, image: image, key: change.key)
        try edit.clear(options.clear)
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: options.basedOn, key: change.key)
    }
}
