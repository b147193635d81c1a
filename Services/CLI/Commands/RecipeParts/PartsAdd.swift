import ArgumentParser
import Messages

struct PartsAdd<Part: RecipePart>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "add",
            abstract: "Add \(Part.plural) to a recipe: at the end, unless a place is given.",
            discussion: "What is in brackets is a heading for those below it: '[For the glaze]'.",
            examples: [
                "daybook recipes \(Part.plural) add 'Leek soup' '\(Part.example)'",
                "daybook recipes \(Part.plural) add 'Leek soup' '[To serve]' '\(Part.example)' --after 3",
            ]
        )
    }

    @Argument(help: "The recipe's name, or the end or beginning of its id.")
    var recipe: String

    @Argument(help: ArgumentHelp("What to add, in order.", valueName: "text"))
    var texts: [String]

    @OptionGroup var place: PlaceOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await add(by: Invocation(global, output))
    }

    func add(by daybook: Invocation) async throws(CLIError) {
        var parts: [Part] = []
        for (index, text) in texts.enumerated() {
            guard let part = WrittenPart(text) else { throw .usage("\(quoted(text)) is blank.") }
            let content = Part.stored(part.content, isHeading: part.isHeading)
            parts.append(Part(id: .made(by: change.key, index), content: content, isHeading: part.isHeading))
        }
        let (new, place) = (parts, place)
        var edit = RecordEdit<Recipe>()
        edit.set(
            Part.plural,
            { (recipe) throws(CLIError) in
                let there = Set(recipe[keyPath: Part.path].map(\.id))
                let missing = new.filter { !there.contains($0.id) }
                // A number may be the one behind the last.
                let count = recipe[keyPath: Part.path].count { $0.isHeading != true }
                let isLast = place.to == count + 1
                let found = isLast ? nil : try place.place(in: recipe, Part.self)
                recipe[keyPath: Part.path] += missing
                found?.move(missing.map(\.id), in: &recipe[keyPath: Part.path])
            },
            isDone: { recipe in Set(recipe[keyPath: Part.path].map(\.id)).isSuperset(of: new.map(\.id)) }
        )
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }
}
