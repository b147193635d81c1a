import ArgumentParser
import Messages

struct DogsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a dog.",
        examples: ["daybook dogs add Rex"]
    )

    @Argument(help: "The name; no other dog may have it.")
    var name: String

    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let dog = Dog(id: .made(by: change.key), name: name)
        try await daybook.add(dog, RecordEdit(), of: .dog, key: change.key)
    }
}
