import ArgumentParser
import Messages

struct SoldServicesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a service that is sold.",
        examples: [
            "daybook services add 'Bath' --price 18.00 --info 'With drying and brushing.'",
            "daybook services add 'Claw trim' --price 9.50 --currency USD",
            "daybook services add 'Rye loaf' --price 6.20 --recipe 'Rye loaf'",
        ]
    )

    @Argument(help: "The name; two services may share one.")
    var name: String

    @OptionGroup var fields: SoldServiceFields
    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let recipe = try await daybook.recipe(fields.recipe)
        let service = SoldService(id: .made(by: change.key), name: name)
        try await daybook.add(
            service,
            try fields.edit(name: nil, usual: daybook.configuration.currency, recipe: recipe),
            of: .service,
            key: change.key
        )
    }
}

extension Invocation {
    /// The recipe of this name; nil where none was given.
    func recipe(_ text: String?) async throws(CLIError) -> Recipe? {
        guard let text else { return nil }
        return try await resolver.record(Recipe.self, text)
    }
}
