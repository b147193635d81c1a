import ArgumentParser
import Messages

struct CustomersErase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erase what is personal about a customer, for good.",
        discussion: "Name, e-mail, phone, address, info and reference go from the customer and its history, from "
            + "orders and reports; orders and their amounts stay. It can't be undone. A deleted customer is erased by "
            + "its whole id. Copies that somebody else made, such as exports and backups, are not found.",
        examples: ["daybook customers erase 'Ann Berg'", "daybook customers erase 3f2a --yes"]
    )

    @Argument(help: "A name, a reference, or the end or beginning of an id; of a deleted customer the whole id.")
    var customer: String

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        try await Invocation(global, output).erase(Customer.self, customer, yes: confirmation.yes, key: change.key)
    }
}
