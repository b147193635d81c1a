import Messages
import Text

/// One order for people, with only what there is of it. The rows stand as they always do: `Bath - 10.00`.
///
///     Order:     12
///     Date:      Mar 31, 2024
///     Due:       Apr 5, 2024
///     Customer:  Björn Åkesson
///     Made:      yes, Apr 4, 2024
///     Paid:      no
///     Rows:
///       Bath - 80.00 (2 x 40.00, 19 %)
///       Clipping - 25.50
///     Net:       105.50 EUR
///     Tax:       15.20 EUR
///       19 %: 15.20 on 80.00
///     Total:     120.70 EUR
///     Payments:
///       1. Apr 1, 2024 - 20.00, cash
///     Open:      100.70 EUR
///     Version:   3, see 'daybook history orders 12'
///     Id:        018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47
enum OrderText {
    static func text(_ order: Order, rowsBy sort: RowSort = .service) -> String {
        var text = line("Order", order.label)
        text += line("Date", order.date.english)
        if let due = order.due { text += line("Due", due.english) }
        text += line("Customer", order.customerLabel)
        if order.cancelled == true { text += line("Cancelled", "yes") }
        text += line("Made", progress(order.made, order.madeOn))
        text += line("Paid", progress(order.paid, order.paidOn))
        let rows = order.lines(by: sort)
        if !rows.isEmpty { text += "Rows:\n" + rows.map { "  \($0.text)\n" }.joined() }
        text += taxes(order)
        text += line("Total", Money(amount: order.total, currency: order.currency).description)
        let payments = order.paymentLines
        if !payments.isEmpty { text += "Payments:\n" + payments.map { "  \($0.number). \($0.text)\n" }.joined() }
        if order.remaining != (order.paid ? 0 : order.total) {
            text += line("Open", Money(amount: order.remaining, currency: order.currency).description)
        }
        if let note = order.note { text += line("Note", CellText.escaped(note)) }
        if let reference = order.reference { text += line("Reference", CellText.escaped(reference)) }
        if order.version > 1 {
            text += line("Version", "\(order.version), see 'daybook history orders \(order.label)'")
        }
        return text + line("Id", order.id.description)
    }

    /// `yes, Apr 4, 2024`.
    private static func progress(_ isDone: Bool, _ day: CalendarDay?) -> String {
        guard isDone else { return "no" }
        return day.map { "yes, \($0.english)" } ?? "yes"
    }

    /// Net, and the tax of each rate; nothing where no row has one.
    private static func taxes(_ order: Order) -> String {
        guard let net = order.net, let tax = order.tax, let summary = try? order.taxSummary() else { return "" }
        func plain(_ amount: Int64) -> String { Money(amount: amount, currency: order.currency).plain }
        var text = line("Net", Money(amount: net, currency: order.currency).description)
        text += line("Tax", Money(amount: tax, currency: order.currency).description)
        for part in summary.lines {
            guard let rate = part.rate else { continue }
            text += "  \(rate): \(plain(part.tax)) on \(plain(part.net))\n"
        }
        return text
    }

    private static func line(_ title: String, _ value: String) -> String {
        TerminalText.padded("\(title):", toCells: 11) + value + "\n"
    }
}

extension Presentation {
    /// Prints an order as `show` does.
    ///
    /// - Throws: as ``show(_:of:)``.
    func show(_ order: Order, rowsBy sort: RowSort = .service) throws(CLIError) {
        guard format == .table, fields == nil, !isQuiet else { return try show(order, of: .order) }
        try output.write(OrderText.text(order, rowsBy: sort))
    }
}
