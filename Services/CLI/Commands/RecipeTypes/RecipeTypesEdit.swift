import ArgumentParser
import Messages

struct RecipeTypesEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Rename a recipe type.",
        discussion: "Its recipes show the new name at once.",
        examples: ["daybook types edit Dessert --name Pudding"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var type: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        var edit = RecordEdit<RecipeType>()
        edit.set("name", \.name, name)
        try await Invocation(global, output).edit(type, edit, of: .recipeType, basedOn: base.basedOn, key: change.key)
    }
}
