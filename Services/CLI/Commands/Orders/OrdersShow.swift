import ArgumentParser
import Messages

struct OrdersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order with its rows, taxes and payments.",
        discussion: "Rows stand by the services' names; with --sort position as they were entered.",
        examples: [
            "daybook orders show 12", "daybook orders show 12 --sort position", "daybook orders show 12 --format json",
        ]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @OptionGroup var rowSort: RowSortOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.order.selected(daybook.presentation.fields)
        try daybook.presentation.show(try await daybook.resolver.record(Order.self, which), rowsBy: rowSort.sort)
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
