import ArgumentParser

/// The noun and its verbs.
struct Customers: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who orders.",
        subcommands: [
            CustomersAdd.self, CustomersList.self, CustomersShow.self, CustomersEdit.self, CustomersDelete.self,
            CustomersErase.self,
        ]
    )
}
