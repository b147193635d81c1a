import ArgumentParser
import Messages

struct OrderRowsDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete rows of an order.",
        examples: ["daybook orders rows delete 12 Bath", "daybook orders rows delete 12 1 2 --yes"]
    )

    @Argument(help: ArgumentHelp("The order's number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Argument(help: ArgumentHelp("Their numbers, services' names, or the ends of their ids.", valueName: "row"))
    var rows: [String]

    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await delete(by: daybook))
    }

    func delete(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        // A row that is gone can't be compared; that the key was used for this order has to do.
        let isDone = { (order: Order) in
            rows.allSatisfy { Int64($0) != nil || (try? order.indexOfRow($0)) == nil }
        }
        return try await OrderChange(which: which, basedOn: base.basedOn, key: change.key).perform(
            by: daybook,
            isDone: isDone
        ) { (order) throws(CLIError) in
            var ids: Set<Identifier> = []
            for row in rows { ids.insert(order.rows[try order.indexOfRow(row)].id) }
            try confirm(order.lines.filter { ids.contains($0.id) }, of: order)
            order.rows.removeAll { ids.contains($0.id) }
        }
    }

    private func confirm(_ lines: [OrderLine], of order: Order) throws(CLIError) {
        let question = "Delete \(lines.map(\.text).joined(separator: ", ")) from the order \(order.label)?"
        try Confirmation.ask(question, yes: confirmation.yes)
    }
}
