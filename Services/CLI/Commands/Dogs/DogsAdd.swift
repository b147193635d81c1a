import ArgumentParser
import Messages

struct DogsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a dog.",
        examples: ["daybook dogs add Rex", "daybook dogs add Frieda --owner 'Ann Berg'"]
    )

    @Argument(help: "The name; no other dog may have it.")
    var name: String

    @OptionGroup var owner: OwnerOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let dog = Dog(id: .made(by: change.key), name: name)
        var edit = RecordEdit<Dog>()
        try await owner.set(in: &edit, by: daybook)
        try await daybook.add(dog, edit, of: .dog, key: change.key)
    }
}
