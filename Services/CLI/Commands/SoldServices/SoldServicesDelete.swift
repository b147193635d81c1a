import ArgumentParser

struct SoldServicesDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete services.",
        discussion: "One that orders refer to is refused, unless --force says that they may lose it.",
        examples: ["daybook services delete Bath", "daybook services delete 3f2a 77c0 --yes"]
    )

    @Argument(help: "Names, references, or ends or beginnings of ids.")
    var services: [String]

    @OptionGroup var force: ForceOptions
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).delete(
            services,
            of: .service,
            yes: confirmation.yes,
            force: force.force,
            key: change.key
        )
    }
}
