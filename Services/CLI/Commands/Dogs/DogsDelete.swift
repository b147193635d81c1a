import ArgumentParser
import Messages

struct DogsDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete dogs with their walks.",
        examples: ["daybook dogs delete Rex", "daybook dogs delete 3f2a 77c0 --yes"]
    )

    @Argument(help: "Names, or ends or beginnings of ids.")
    var dogs: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await daybook.delete(dogs, of: .dog, yes: confirmation.yes, key: change.key) { dog in
            "the dog \(quoted(dog.name)) (\(dog.id.tail(4))) with its walks"
        }
    }
}
