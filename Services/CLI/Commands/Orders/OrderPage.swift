import Documents
import Messages

/// An order as a page that its customer can be handed.
///
/// The rows stand as they were entered. Equal orders give equal pages: the page's time is when it was first printed.
enum OrderPage {
    /// - Parameters:
    ///   - customer: nil where the order has none, or it is not there any more.
    /// - Throws: ``CLIError/failure(_:)`` for amounts beyond 64 bits.
    static func document(_ order: Order, for customer: Customer?, from business: Business) throws(CLIError) -> Document
    {
        var document = Document(title: "Order \(order.label)", time: order.printed, footer: business.customerFooter)
        let sender = [business.name, business.address].compactMap(\.self).joined(separator: "\n")
        let recipient = [customer?.name ?? order.customerName, customer?.address].compactMap(\.self)
            .joined(separator: "\n")
        document.blocks = [.columns([sender, recipient]), .text(facts(of: order))]
        if order.cancelled == true {
            document.blocks += [.heading("Cancelled"), .text("This order is cancelled: nothing is to be paid for it.")]
        }
        do throws(AmountError) {
            let taxes = try order.taxSummary()
            document.blocks.append(.table(rows(of: order, taxes)))
            if taxes.hasRates { document.blocks.append(.table(table(of: taxes, order.currency))) }
            if order.payments?.isEmpty == false || order.remaining != order.total {
                document.blocks += [.heading("Payments"), .table(payments(of: order))]
            }
        } catch {
            throw .failure("Order \(order.label) can't be printed: \(error.description)")
        }
        if let note = order.note { document.blocks.append(.text(note)) }
        return document
    }

    private static func facts(of order: Order) -> String {
        var facts = ["Date: \(order.date.english)"]
        if let due = order.due { facts.append("Due: \(due.english)") }
        if let reference = order.reference { facts.append("Reference: \(reference)") }
        return facts.joined(separator: "\n")
    }

    /// What was ordered, and what it comes to. Columns that say nothing in any row are left out.
    private static func rows(of order: Order, _ taxes: TaxSummary) -> DocumentTable {
        let hasQuantities = order.rows.contains { $0.quantity != nil }
        let lines = order.lines(by: .position)
        var table = DocumentTable(columns: [.init("No.", .trailing), .init("Item")])
        if hasQuantities { table.columns += [.init("Quantity", .trailing), .init("Unit price", .trailing)] }
        if taxes.hasRates { table.columns.append(.init("Tax", .trailing)) }
        table.columns.append(.init("Sum, \(order.currency)", .trailing))
        for line in lines {
            let names = [line.serviceName, line.row.text].compactMap(\.self)
            var cells = ["\(line.position)", names.joined(separator: ", ")]
            if hasQuantities { cells += [line.row.quantity?.description ?? "", line.unitPrice?.plain ?? ""] }
            if taxes.hasRates { cells.append(line.row.taxRate?.description ?? "") }
            table.rows.append(.init(cells + [line.sum.plain]))
        }
        let title = !taxes.hasRates ? "Total" : order.taxIncluded == true ? "Total, tax included" : "Net"
        let sum = taxes.hasRates && order.taxIncluded != true ? taxes.net : taxes.gross
        table.rows.append(total(title, sum, order, columns: table.columns.count))
        if taxes.hasRates, order.taxIncluded != true {
            table.rows.append(total("Tax", taxes.tax, order, columns: table.columns.count, .plain))
            table.rows.append(total("Total", taxes.gross, order, columns: table.columns.count))
        }
        return table
    }

    private static func total(
        _ title: String,
        _ amount: Int64,
        _ order: Order,
        columns: Int,
        _ style: DocumentTable.RowStyle = .total
    ) -> DocumentTable.Row {
        var cells = [String](repeating: "", count: columns)
        cells[1] = title
        cells[columns - 1] = Money(amount: amount, currency: order.currency).plain
        return .init(cells, style)
    }

    /// Net, tax and gross for each rate.
    private static func table(of taxes: TaxSummary, _ currency: Currency) -> DocumentTable {
        func plain(_ amount: Int64) -> String { Money(amount: amount, currency: currency).plain }
        var table = DocumentTable(
            columns: [
                .init("Tax rate"), .init("Net, \(currency)", .trailing), .init("Tax, \(currency)", .trailing),
                .init("Gross, \(currency)", .trailing),
            ]
        )
        table.rows = taxes.lines.map { line in
            .init([line.rate?.description ?? "none", plain(line.net), plain(line.tax), plain(line.gross)])
        }
        table.rows.append(.init(["Together", plain(taxes.net), plain(taxes.tax), plain(taxes.gross)], .total))
        return table
    }

    private static func payments(of order: Order) -> DocumentTable {
        var table = DocumentTable(
            columns: [.init("Date"), .init("Note"), .init("Amount, \(order.currency)", .trailing)]
        )
        for line in order.paymentLines {
            table.rows.append(.init([line.payment.date.english, line.payment.note ?? "", line.amount.plain]))
        }
        if order.paidByHand == true, let day = order.paidOn {
            table.rows.append(.init(["Paid \(day.english)", "", ""]))
        }
        let open = Money(amount: order.remaining, currency: order.currency)
        table.rows.append(.init(["To be paid", "", open.plain], .total))
        return table
    }
}
