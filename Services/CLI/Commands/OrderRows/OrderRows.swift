import ArgumentParser

/// The rows of an order, and their verbs.
struct OrderRows: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rows",
        abstract: "The rows of an order.",
        discussion:
            "A row is called by its number in 'orders rows list', by its service's name, or by the end of its id.",
        subcommands: [OrderRowsList.self, OrderRowsAdd.self, OrderRowsEdit.self, OrderRowsDelete.self]
    )
}
