import ArgumentParser
import Messages

struct CustomersAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a customer.",
        examples: [
            "daybook customers add 'Ann Berg' --email ann@example.org --phone '+46 46 123'",
            "id=$(daybook customers add 'Ann Berg' --quiet)",
        ]
    )

    @Argument(help: "The name; two customers may share one.")
    var name: String

    @OptionGroup var fields: CustomerFields
    @OptionGroup var change: ChangeOptions
    @OptionGroup var queueing: QueueOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output, queueing: queueing)
        let customer = Customer(id: .made(by: change.key), name: name)
        try await daybook.add(customer, try fields.edit(name: nil), of: .customer, key: change.key)
    }
}
