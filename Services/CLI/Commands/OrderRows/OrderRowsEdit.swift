import ArgumentParser
import Messages

struct OrderRowsEdit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a row of an order: only what is given.",
        discussion: "With a quantity and a price, the sum follows from them; --sum takes the price away.",
        examples: [
            "daybook orders rows edit 12 Bath --sum 12.50",
            "daybook orders rows edit 12 2 --service 'Claw trim'",
            "daybook orders rows edit 12 2 --clear service --sum=-2.00",
            "daybook orders rows edit 12 Bath --quantity 2 --price 40.00 --tax 19",
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

    @Option(help: ArgumentHelp("How many or how much: 2, 1.5.", valueName: "number"))
    var quantity: String?

    @Option(help: ArgumentHelp("What one costs; one it is where no quantity is known.", valueName: "price"))
    var price: String?

    @Option(help: ArgumentHelp("The tax in percent: 19, 5.5.", valueName: "rate"))
    var tax: String?

    @Option(help: ArgumentHelp("What the row is for.", valueName: "text"))
    var text: String?

    @OptionGroup var edit: EditOptions
    @OptionGroup var change: ChangeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    private static let clearable = ["service", "text", "quantity", "price", "tax"]

    func validate() throws {
        let given = ["service": service, "text": text, "quantity": quantity, "price": price, "tax": tax]
        for field in edit.clear {
            guard Self.clearable.contains(field) else {
                throw ValidationError(
                    "--clear takes no '\(field)'; it takes \(Self.clearable.joined(separator: ", "))."
                )
            }
            guard given[field] == .some(nil) else {
                throw ValidationError("'\(field)' is both given and cleared; do one of them.")
            }
        }
        if sum != nil, price != nil { throw ValidationError("The sum follows from the price: give one of them.") }
        if given.values.allSatisfy({ $0 == nil }), sum == nil, edit.clear.isEmpty {
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
        let found = sold
        let set = { (row: inout OrderRow, currency: Currency) throws(CLIError) in
            if let found { row.service = found }
            try change(&row, currency)
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

    private func change(_ row: inout OrderRow, _ currency: Currency) throws(CLIError) {
        for field in edit.clear {
            switch field {
            case "service": row.service = nil
            case "text": row.text = nil
            case "tax": row.taxRate = nil
            case "price": row.unitPrice = nil
            default: (row.quantity, row.unitPrice) = (nil, nil)
            }
        }
        if let text { row.text = EnteredText.optional(text) }
        if let tax { row.taxRate = try Self.amount("--tax") { () throws(AmountError) in try TaxRate(parsing: tax) } }
        if let quantity {
            row.quantity = try Self.amount("--quantity") { () throws(AmountError) in try Quantity(parsing: quantity) }
        }
        if let price {
            row.quantity = row.quantity ?? .one
            row.unitPrice = try Self.amount("--price") { () throws(AmountError) in
                try DecimalText.minorUnits(price, decimals: currency.decimals)
            }
        }
        if let sum {
            row.unitPrice = nil
            row.sum = try Self.amount("--sum") { () throws(AmountError) in
                try DecimalText.minorUnits(sum, decimals: currency.decimals)
            }
        }
        let changed = row
        row.sum = try Self.amount("The sum") { () throws(AmountError) in
            var row = changed
            try row.settle(currency)
            return row.sum
        }
    }

    private static func amount<Value>(
        _ option: String,
        _ read: () throws(AmountError) -> Value
    ) throws(CLIError) -> Value {
        do throws(AmountError) {
            return try read()
        } catch {
            throw .usage("\(option): \(error.description)")
        }
    }
}
