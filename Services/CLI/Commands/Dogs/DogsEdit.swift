import ArgumentParser
import Messages

struct DogsEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Rename a dog.",
        discussion: "Its walks show the new name at once.",
        examples: ["daybook dogs edit Rex --name Max"]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var dog: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        var edit = RecordEdit<Dog>()
        edit.set("name", \.name, name)
        try await Invocation(global, output).edit(dog, edit, of: .dog, basedOn: base.basedOn, key: change.key)
    }
}
