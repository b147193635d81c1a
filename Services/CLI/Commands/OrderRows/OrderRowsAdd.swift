import ArgumentParser
import Messages

struct OrderRowsAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add rows to an order.",
        discussion:
            "A row is SERVICE=SUM, SERVICE=QUANTITY x PRICE, or just a sum; 'Bath=2x' and just 'Bath' take the service's own price, "
            + "@19 behind it adds 19 % of tax, and a text in double quotes may stand behind the service or in its place.",
        examples: [
            "daybook orders rows add 12 Bath=10.00",
            "daybook orders rows add 12 'Claw trim=4.50' =-2.00",
            "daybook orders rows add 12 'Bath=2 x 40.00 @19' '\"a tip\"=1.00'",
        ]
    )

    @Argument(help: ArgumentHelp("The order's number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Argument(help: ArgumentHelp("A service and its sum, or just one of them.", valueName: "service=sum"))
    var rows: [String]

    @OptionGroup var base: BaseOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await add(by: daybook))
    }

    func add(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        let written = try await WrittenRows(rows, key: change.key, from: 0, by: daybook)
        return try await OrderChange(which: which, basedOn: base.basedOn, key: change.key).perform(by: daybook) {
            (order) throws(CLIError) in try written.add(to: &order)
        }
    }
}
