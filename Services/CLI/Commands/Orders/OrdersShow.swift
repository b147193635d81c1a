import ArgumentParser
import Messages

struct OrdersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order with its rows, taxes and payments.",
        discussion: "Rows stand by the services' names; with --sort position as they were entered. --watch prints the "
            + "list of the rows where it prints JSON lines; --fields then chooses theirs.",
        examples: [
            "daybook orders show 12", "daybook orders show 12 --sort position", "daybook orders show 12 --format json",
            "daybook orders show 12 --watch", "daybook orders show 12 --as-of yesterday",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @OptionGroup var rowSort: RowSortOptions
    @OptionGroup var past: AsOfOptions
    @OptionGroup var watching: WatchOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        let moment = try past.moment(of: Order.service, watch: watching.watch)
        if watching.watch { return try await watch(by: daybook) }
        _ = try Noun.order.selected(daybook.presentation.fields)
        let order = try await daybook.resolver(asOf: moment).record(Order.self, which)
        try daybook.presentation.show(order, rowsBy: rowSort.sort)
    }

    private func watch(by daybook: Invocation) async throws(CLIError) {
        guard daybook.watchesOnTerminal else {
            return try await daybook.watchRows(
                of: try await daybook.resolver.record(Order.self, which),
                by: rowSort.sort
            )
        }
        let selected = try Noun.order.selected(daybook.presentation.fields)
        let (presentation, sort) = (daybook.presentation, rowSort.sort)
        let order = try await daybook.resolver.record(Order.self, which)
        try await daybook.watch(order, as: .order) {
            presentation.fields == nil
                ? OrderText.text($0, rowsBy: sort) : presentation.text($0, of: .order, selected, $1)
        }
    }
}

/// How rows of an order are sorted.
enum RowSort: String, CaseIterable, ExpressibleByArgument, Sendable {
    case service
    case position
}

/// The option of commands that show rows of an order.
struct RowSortOptions: ParsableArguments {
    @Option(help: "The order of the rows: by the services' names, or by the position at which they were entered.")
    var sort: RowSort = .service
}

extension Order {
    /// The rows in this order; their numbers stay those by the services' names.
    func lines(by sort: RowSort) -> [OrderLine] {
        sort == .service ? lines : lines.sorted { $0.position < $1.position }
    }
}
