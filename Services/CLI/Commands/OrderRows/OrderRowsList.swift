import ArgumentParser
import Messages

struct OrderRowsList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List an order's rows with their numbers and ids, by the services' names.",
        examples: [
            "daybook orders rows list 12", "daybook orders rows list 12 --format csv",
            "daybook orders rows list 12 --watch",
        ]
    )

    @Argument(help: ArgumentHelp("The order's number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @OptionGroup var rowSort: RowSortOptions
    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        if !watching.watch { _ = try Noun.orderRow.selected(daybook.presentation.fields) }
        let moment = try past.moment(of: Order.service, watch: watching.watch)
        let order = try await daybook.resolver(asOf: moment).record(Order.self, which)
        if watching.watch { return try await daybook.watchRows(of: order, by: rowSort.sort) }
        try daybook.presentation.list(order.lines(by: rowSort.sort), of: .orderRow)
    }
}
