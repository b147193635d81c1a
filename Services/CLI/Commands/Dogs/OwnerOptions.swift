import ArgumentParser
import Messages

/// The option of whose dog it is.
struct OwnerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The customer whose dog it is: a name, or an id or its end.", valueName: "which"))
    var owner: String?

    /// The customer's id; nil where none was given.
    ///
    /// - Throws: what finding throws.
    func id(by daybook: Invocation, in list: ListOptions) async throws(CLIError) -> Identifier? {
        guard let owner else { return nil }
        return try await daybook.id(Customer.self, owner, in: list)
    }

    /// Gives what an edit sets, and what `--clear` knows.
    func set(in edit: inout RecordEdit<Dog>, by daybook: Invocation) async throws(CLIError) {
        let clear: RecordEdit<Dog>.Step = { (dog) throws(CLIError) in dog.owner = nil }
        guard let owner else { return edit.set("owner", nil, clear: clear) }
        let customer = try await daybook.resolver.record(Customer.self, owner)
        // The name is for a conflict that shows both.
        let step: RecordEdit<Dog>.Step = { (dog) throws(CLIError) in
            dog.owner = customer.id
            dog.ownerName = customer.name
        }
        edit.set("owner", step, clear: clear, isDone: { $0.owner == customer.id })
    }
}
