import ArgumentParser

struct CustomersEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a customer.",
        discussion: "Only what is given changes. Orders show the new name at once.",
        examples: [
            "daybook customers edit 'Ann Berg' --phone '+46 46 124'",
            "daybook customers edit 3f2a --name 'Ann Lind' --clear email --clear info",
        ]
    )

    @Argument(help: "The name, the reference, or the end or beginning of the id.")
    var customer: String

    @Option(help: ArgumentHelp("The new name.", valueName: "text"))
    var name: String?

    @OptionGroup var fields: CustomerFields
    @OptionGroup var options: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var edit = try fields.edit(name: name)
        try edit.clear(options.clear)
        try await daybook.edit(customer, edit, of: .customer, basedOn: options.basedOn, key: change.key)
    }
}
