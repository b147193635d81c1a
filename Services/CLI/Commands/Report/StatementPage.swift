import Documents
import Messages

/// A customer's account as a page that the customer can be handed.
enum StatementPage {
    /// Both names, the period, and for each currency what was charged and paid between the balances.
    ///
    /// - Parameters:
    ///   - notes: the period, and what it goes back to; a line each.
    ///   - charts: below the tables.
    static func document(
        _ statement: Statement,
        from business: Business,
        notes: [String],
        charts: [Chart] = [],
        time: Instant = .now()
    ) -> Document {
        let reply = statement.reply
        let sender = [business.name, business.address].compactMap(\.self).joined(separator: "\n")
        var document = Document(title: "Account statement", time: time, footer: business.customerFooter)
        document.blocks = [
            .columns([sender, reply.customerName ?? Order.unknown]), .text(notes.joined(separator: "\n")),
        ]
        for balance in reply.balances {
            document.blocks.append(
                .table(table(balance, reply.entries.filter { $0.balance.currency == balance.closing.currency }))
            )
        }
        if reply.balances.isEmpty { document.blocks.append(.text("There are no orders or payments.")) }
        document.blocks += charts.map(DocumentBlock.chart)
        return document
    }

    private static func table(_ balance: StatementBalance, _ entries: [StatementEntry]) -> DocumentTable {
        let currency = balance.closing.currency
        return DocumentTable(
            columns: [
                .init("Date"), .init("What"), .init("Amount, \(currency)", .trailing),
                .init("Balance, \(currency)", .trailing),
            ],
            rows: [.init(["", "Opening balance", "", balance.opening.plain], .group)]
                + entries.map { entry in
                    let what = entry.kind == .order ? "Order \(entry.label)" : "Payment for order \(entry.label)"
                    return .init([entry.date.english, what, entry.amount.plain, entry.balance.plain])
                } + [.init(["", "Closing balance", "", balance.closing.plain], .total)]
        )
    }
}
