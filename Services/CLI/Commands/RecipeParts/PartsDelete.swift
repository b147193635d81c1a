import ArgumentParser
import Messages

struct PartsDelete<Part: RecipePart>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "delete",
            abstract: "Take some of its \(Part.plural) out of a recipe.",
            examples: ["daybook recipes \(Part.plural) delete 'Leek soup' 2 'To serve'"]
        )
    }

    @Argument(help: "The recipe's name, or the end or beginning of its id.")
    var recipe: String

    @Argument(help: "Their numbers, texts or beginnings of a word in them, or the ends of their ids.")
    var which: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await delete(by: Invocation(global, output))
    }

    func delete(by daybook: Invocation) async throws(CLIError) {
        let (which, yes) = (which, confirmation.yes)
        var edit = RecordEdit<Recipe>()
        edit.set(
            Part.plural,
            { (recipe) throws(CLIError) in
                var ids: Set<Identifier> = []
                for text in which { ids.insert(recipe[keyPath: Part.path][try recipe.index(of: text, Part.self)].id) }
                let gone = recipe[keyPath: Part.path].filter { ids.contains($0.id) }
                let texts = gone.map { quoted($0.content) }.joined(separator: ", ")
                try Confirmation.ask("Delete \(texts) from \(quoted(recipe.name))?", yes: yes)
                recipe[keyPath: Part.path].removeAll { ids.contains($0.id) }
            },
            // What is gone can't be compared, and its number is another's; that the key was used for this recipe has to do.
            isDone: { recipe in which.allSatisfy { Int($0) != nil || (try? recipe.index(of: $0, Part.self)) == nil } }
        )
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }
}
