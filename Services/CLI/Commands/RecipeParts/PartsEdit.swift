import ArgumentParser
import Messages

struct PartsEdit<Part: RecipePart>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "edit",
            abstract: "Rewrite one of a recipe's \(Part.plural).",
            examples: ["daybook recipes \(Part.plural) edit 'Leek soup' 3 '\(Part.example)'"]
        )
    }

    @Argument(help: "The recipe's name, or the end or beginning of its id.")
    var recipe: String

    @Argument(help: "Its number, its text or the beginning of a word in it, or the end of its id.")
    var which: String

    @Argument(help: "What it says from now on; in brackets it is a heading.")
    var text: String

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await edit(by: Invocation(global, output))
    }

    func edit(by daybook: Invocation) async throws(CLIError) {
        guard let written = WrittenPart(text) else { throw .usage("The new text is blank; 'delete' takes it out.") }
        let content = Part.stored(written.content, isHeading: written.isHeading)
        let which = which
        var edit = RecordEdit<Recipe>()
        edit.set(
            Part.plural,
            { (recipe) throws(CLIError) in
                let index = try recipe.index(of: which, Part.self)
                recipe[keyPath: Part.path][index].content = content
                recipe[keyPath: Part.path][index].isHeading = written.isHeading
            },
            // It may have another number by now, so the result is known by its text.
            isDone: { recipe in
                recipe[keyPath: Part.path].contains { $0.content == content && $0.isHeading == written.isHeading }
            }
        )
        try await daybook.edit(recipe, edit, of: .recipe, basedOn: base.basedOn, key: change.key)
    }
}
