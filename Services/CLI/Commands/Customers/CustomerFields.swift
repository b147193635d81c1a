import ArgumentParser
import Messages

/// The fields of a customer that both `add` and `edit` take.
struct CustomerFields: ParsableArguments {
    @Option(help: ArgumentHelp("The e-mail address.", valueName: "address"))
    var email: String?

    @Option(help: ArgumentHelp("The phone number.", valueName: "number"))
    var phone: String?

    @Option(help: ArgumentHelp("The postal address.", valueName: "text"))
    var address: String?

    @Option(help: ArgumentHelp("Anything else worth knowing: text, @file, or - for standard input.", valueName: "text"))
    var info: String?

    @Option(help: ArgumentHelp("What the customer is called elsewhere.", valueName: "text"))
    var reference: String?

    /// What was given.
    func edit(name: String?) throws(CLIError) -> RecordEdit<Customer> {
        var edit = RecordEdit<Customer>()
        edit.set("name", \.name, name)
        edit.set("email", \.email, email)
        edit.set("phone", \.phone, phone)
        edit.set("address", \.address, address)
        edit.set("info", \.info, try TextSource.text(info, option: "--info"))
        edit.set("reference", \.reference, reference)
        return edit
    }
}
