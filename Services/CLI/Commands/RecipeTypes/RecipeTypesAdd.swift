import ArgumentParser
import Messages

struct RecipeTypesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a recipe type.",
        examples: ["daybook types add Dessert"]
    )

    @Argument(help: "The name; no other recipe type may have it.")
    var name: String

    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let type = RecipeType(id: .made(by: change.key), name: name)
        try await daybook.add(type, RecordEdit(), of: .recipeType, key: change.key)
    }
}
