import ArgumentParser
import Messages

struct SoldServicesAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a service that is sold.",
        examples: [
            "daybook services add 'Bath' --price 18.00 --info 'With drying and brushing.'",
            "daybook services add 'Claw trim' --price 9.50 --currency USD",
        ]
    )

    @Argument(help: "The name; two services may share one.")
    var name: String

    @OptionGroup var fields: SoldServiceFields
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let service = SoldService(id: .made(by: change.key), name: name)
        try await daybook.add(
            service,
            try fields.edit(name: nil, usual: daybook.configuration.currency),
            of: .service,
            key: change.key
        )
    }
}
