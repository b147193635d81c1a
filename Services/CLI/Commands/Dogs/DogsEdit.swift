import ArgumentParser
import Messages

struct DogsEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Rename a dog, or give it an owner.",
        discussion: "Its walks show the new name at once.",
        examples: [
            "daybook dogs edit Rex --name Max", "daybook dogs edit Rex --owner Lind",
            "daybook dogs edit Rex --clear owner",
        ]
    )

    @Argument(help: "The name, or the end or beginning of the id.")
    var dog: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var owner: OwnerOptions
    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var edit = RecordEdit<Dog>()
        edit.set("name", \.name, name)
        try await owner.set(in: &edit, by: daybook)
        try edit.clear(options.clear)
        try await daybook.edit(dog, edit, of: .dog, basedOn: options.basedOn, key: change.key)
    }
}
