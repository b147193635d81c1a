import Messages
import Text

/// One order for people. The rows stand as they always do: `Bath - 10.00`.
///
///     Order:     12
///     Date:      Mar 31, 2024
///     Customer:  Björn Åkesson
///     Made:      yes
///     Paid:      no
///     Rows:
///       Bath - 10.00
///       Clipping - 25.50
///     Total:     35.50 EUR
///     Id:        018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47
enum OrderText {
    static func text(_ order: Order) -> String {
        var text = line("Order", String(order.number))
        text += line("Date", order.date.english)
        text += line("Customer", order.customerLabel)
        text += line("Made", order.made ? "yes" : "no")
        text += line("Paid", order.paid ? "yes" : "no")
        let rows = order.lines
        if !rows.isEmpty { text += "Rows:\n" + rows.map { "  \($0.text)\n" }.joined() }
        text += line("Total", Money(amount: order.total, currency: order.currency).description)
        if let reference = order.reference { text += line("Reference", CellText.escaped(reference)) }
        return text + line("Id", order.id.description)
    }

    private static func line(_ title: String, _ value: String) -> String {
        TerminalText.padded("\(title):", toCells: 11) + value + "\n"
    }
}

extension Presentation {
    /// Prints an order as `show` does.
    ///
    /// - Throws: as ``show(_:of:)``.
    func show(_ order: Order) throws(CLIError) {
        guard format == .table, fields == nil, !isQuiet else { return try show(order, of: .order) }
        try output.write(OrderText.text(order))
    }
}
