import ArgumentParser
import Messages

struct OrderRowsEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a row of an order: only what is given.",
        examples: [
            "daybook orders rows edit 12 Bath --sum 12.50",
            "daybook orders rows edit 12 2 --service 'Claw trim'",
            "daybook orders rows edit 12 2 --clear service --sum=-2.00",
        ]
    )

    @Argument(help: ArgumentHelp("The order's number, reference, id, or the end of its id.", valueName: "order"))
    var which: String

    @Argument(help: "The row's number, its service's name, or the end of its id.")
    var row: String

    @Option(help: ArgumentHelp("What is sold: a name, the end of an id, or an id.", valueName: "which"))
    var service: String?

    @Option(help: ArgumentHelp("What it costs.", valueName: "sum"))
    var sum: String?

    @OptionGroup var edit: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func validate() throws {
        if let other = edit.clear.first(where: { $0 != "service" }) {
            throw ValidationError("--clear takes no '\(other)'; it takes service.")
        }
        if service != nil, !edit.clear.isEmpty {
            throw ValidationError("'service' is both given and cleared; do one of them.")
        }
        if service == nil, sum == nil, edit.clear.isEmpty {
            throw ValidationError("Nothing to change was given; --help lists what can be.")
        }
    }

    func run() async throws {
        let daybook = try Invocation(global, output)
        try daybook.presentation.show(try await edit(by: daybook))
    }

    func edit(by daybook: Invocation) async throws(CLIError) -> Order {
        _ = try Noun.order.selected(daybook.presentation.fields)
        var sold: Identifier?
        if let service { sold = try await daybook.resolver.record(SoldService.self, service).id }
        let set = { (row: inout OrderRow, currency: Currency) throws(CLIError) in
            if let sold { row.service = sold }
            if !edit.clear.isEmpty { row.service = nil }
            if let sum { row.sum = try Self.sum(sum, in: currency) }
        }
        // The row may have another name by now, so the result is known by its values.
        let isDone = { (order: Order) in
            order.rows.contains { row in
                var changed = row
                try? set(&changed, order.currency)
                return changed == row
            }
        }
        return try await OrderChange(which: which, basedOn: edit.basedOn, key: change.key).perform(
            by: daybook,
            isDone: isDone
        ) { (order) throws(CLIError) in
            let index = try order.indexOfRow(row)
            try set(&order.rows[index], order.currency)
        }
    }

    private static func sum(_ text: String, in currency: Currency) throws(CLIError) -> Int64 {
        do throws(AmountError) {
            return try DecimalText.minorUnits(text, decimals: currency.decimals)
        } catch {
            throw .usage("--sum: \(error.description)")
        }
    }
}
