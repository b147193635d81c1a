import ArgumentParser
import Messages

struct RecipeImagesDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Take the picture from a recipe.",
        discussion: "The file stays in the store as long as an event names it, so that 'daybook undo' brings it back.",
        examples: ["daybook recipes image delete 'Rye loaf'", "daybook recipes image delete 3f2a --yes"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var recipe: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        if !confirmation.yes { try await confirm(by: daybook) }
        var edit = RecordEdit<Recipe>()
        edit.set("image") { (recipe) throws(CLIError) in recipe.image = nil }
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }

    private func confirm(by daybook: Invocation) async throws(CLIError) {
        let recipe = try await daybook.resolver.record(Recipe.self, recipe)
        guard let image = recipe.image else {
            throw .failure("The recipe \(quoted(recipe.name)) has no picture.")
        }
        try Confirmation.ask(
            "Delete the picture \(quoted(image.name)) of the recipe \(quoted(recipe.name))?",
            yes: false
        )
    }
}
