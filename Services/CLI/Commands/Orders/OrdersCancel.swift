import ArgumentParser
import Messages

struct OrdersCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel an order: it keeps its number, and counts nowhere any more.",
        discussion:
            "'orders edit --no-cancelled' takes it back. An order that was printed can't be deleted, only cancelled.",
        examples: ["daybook orders cancel 12"]
    )

    @Argument(help: ArgumentHelp("Its number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        _ = try Noun.order.selected(daybook.presentation.fields)
        let order = try await OrderChange(which: which, basedOn: base.basedOn, key: change.key).perform(by: daybook) {
            (order) throws(CLIError) in order.cancelled = true
        }
        try daybook.presentation.show(order)
    }
}
