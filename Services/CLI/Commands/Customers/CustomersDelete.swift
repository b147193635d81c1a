import ArgumentParser

struct CustomersDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete customers.",
        discussion: "One that orders refer to is refused, unless --force says that they may lose it.",
        examples: ["daybook customers delete 'Ann Berg'", "daybook customers delete 3f2a 77c0 --yes"]
    )

    @Argument(help: "Names, references, or ends or beginnings of ids.")
    var customers: [String]

    @OptionGroup var force: ForceOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).delete(
            customers,
            of: .customer,
            yes: confirmation.yes,
            force: force.force,
            key: change.key
        )
    }
}
