import ArgumentParser

/// The noun and its verbs.
struct Orders: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What was ordered, by whom, whether it is made and paid.",
        discussion: "An order is called by its running number, its reference, its id, or the end of its id.",
        subcommands: [
            OrdersAdd.self, OrdersList.self, OrdersShow.self, OrdersEdit.self, OrdersPay.self, OrdersPrint.self,
            OrderRows.self, OrdersSet.self, OrdersClone.self, OrdersCancel.self, OrdersDelete.self, OrdersNumbers.self,
        ]
    )
}
