import ArgumentParser
import Messages

struct OrdersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete orders with their rows.",
        discussion: "All of them are looked up before the first is deleted.",
        examples: ["daybook orders delete 12", "daybook orders delete 12 13 --yes"]
    )

    @Argument(help: ArgumentHelp("Their numbers, references, ids, or the ends of their ids.", valueName: "order"))
    var which: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try await daybook.delete(which, of: .order, yes: confirmation.yes, key: change.key) { $0.phrase }
    }
}

extension Order {
    /// What it is called in sentences, safe for a terminal: `the order 12 (Mar 31, 2024, Lind)`.
    var phrase: String { "the order \(label) (\(date.english), \(customerLabel))" }
}
