import ArgumentParser
import Messages

struct OrdersShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an order with its rows, by the services' names.",
        examples: ["daybook orders show 12", "daybook orders show 12 --format json"]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.order.selected(daybook.presentation.fields)
        try daybook.presentation.show(try await daybook.resolver.record(Order.self, which))
    }
}
