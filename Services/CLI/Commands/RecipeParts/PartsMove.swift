import ArgumentParser
import Messages

struct PartsMove<Part: RecipePart>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "move",
            abstract: "Move some of a recipe's \(Part.plural) to another place.",
            discussion: "Several are moved together, in the order in which they stand.",
            examples: [
                "daybook recipes \(Part.plural) move 'Leek soup' 5 --to 1",
                "daybook recipes \(Part.plural) move 'Leek soup' 'To serve' 6 --before 3",
            ]
        )
    }

    @Argument(help: "The recipe's name, or the end or beginning of its id.")
    var recipe: String

    @Argument(help: "Their numbers, texts or beginnings of a word in them, or the ends of their ids.")
    var which: [String]

    @OptionGroup var place: PlaceOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        guard place.isGiven else { throw ValidationError("Say where it goes: --to, --before or --after.") }
    }

    func run() async throws {
        try await move(by: Invocation(global, output))
    }

    func move(by daybook: Invocation) async throws(CLIError) {
        let (which, place) = (which, place)
        var edit = RecordEdit<Recipe>()
        edit.set(
            Part.plural,
            { (recipe) throws(CLIError) in
                var ids: [Identifier] = []
                for text in which { ids.append(recipe[keyPath: Part.path][try recipe.index(of: text, Part.self)].id) }
                try place.place(in: recipe, Part.self)?.move(ids, in: &recipe[keyPath: Part.path])
            },
            // Once they are moved, numbers mean others; that the key was used for this recipe has to do.
            isDone: { _ in true }
        )
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }
}
