import ArgumentParser
import Messages

struct RecipesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a recipe.",
        examples: [
            "daybook recipes add 'Leek soup' --type Soup --prep-time '35 min' --ingredient '3 leeks' --ingredient cream",
            "daybook recipes add 'Rye loaf' --image loaf.jpg --instructions @loaf.txt",
        ]
    )

    @Argument(help: "The name; two recipes may share one.")
    var name: String

    @OptionGroup var fields: RecipeFields
    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let type = try await daybook.recipeType(fields.type)
        let image = try await daybook.picture(fields.image)
        let recipe = Recipe(id: .made(by: change.key), name: name)
        let edit = try fields.edit(name: nil, type: type, image: image, key: change.key)
        try await daybook.add(recipe, edit, of: .recipe, key: change.key)
    }
}

extension Invocation {
    /// The recipe type of this name; nil where none was given.
    ///
    /// - Throws: what finding it throws; one that isn't there says how to make it.
    func recipeType(_ text: String?) async throws(CLIError) -> RecipeType? {
        guard let text else { return nil }
        do throws(CLIError) {
            return try await resolver.record(RecipeType.self, text)
        } catch .notFound(_, let text, nil) {
            throw .failure("No recipe type \(quoted(text)); 'daybook types add' makes one.")
        }
    }
}
