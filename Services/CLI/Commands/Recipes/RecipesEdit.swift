import ArgumentParser

struct RecipesEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a recipe.",
        discussion:
            "Only what is given changes; --ingredient replaces all ingredients. --editor opens the whole recipe as "
            + "text in the editor of VISUAL or EDITOR, and stores what was changed there.",
        examples: [
            "daybook recipes edit 'Leek soup' --editor",
            "daybook recipes edit 'Leek soup' --prep-time '40 min' --clear image",
            "daybook recipes edit 3f2a --instructions - < soup.txt",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @Flag(help: "Change it as a text in your editor.")
    var editor = false

    @OptionGroup var fields: RecipeFields
    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if editor, name != nil || !fields.isEmpty || !options.clear.isEmpty || options.basedOn != nil {
            throw ValidationError("--editor changes the whole recipe; give it alone.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        if editor { return try await daybook.editInEditor(recipe, key: change.key) }
        let type = try await daybook.recipeType(fields.type)
        let image = try await daybook.picture(fields.image)
        var edit = try fields.edit(name: name, type: type, image: image, key: change.key)
        try edit.clear(options.clear)
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: options.basedOn, key: change.key)
    }
}
