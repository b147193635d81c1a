import Messages
import Text

/// A row of an order as it is shown: with its number among the rows, and its sum as money.
struct OrderLine: Sendable, Hashable {
    /// From 1, in the order in which rows are shown.
    var number: Int
    /// From 1, in the order in which they were entered.
    var position: Int
    var row: OrderRow
    var currency: Currency
    /// The numbers of the walks that it bills.
    var walks: [Int64] = []

    var id: Identifier { row.id }
    var serviceName: String? { row.serviceName }
    var sum: Money { Money(amount: row.sum, currency: currency) }
    var unitPrice: Money? { row.unitPrice.map { Money(amount: $0, currency: currency) } }

    /// `Bath - 10.00`, `Bath, Rex - 80.00 (2 x 40.00, 19 %)`, `Walk, 2024-03-31 Rex - 15.00 (0.75 x 20.00), walk 12`.
    var text: String {
        let names = [row.serviceName, row.text].compactMap { $0.map(CellText.escaped) }
        let details = [quantityText, row.taxRate?.description].compactMap(\.self)
        let end = details.isEmpty ? "" : " (\(details.joined(separator: ", ")))"
        let name = names.isEmpty ? Order.unknown : names.joined(separator: ", ")
        return "\(name) - \(sum.plain)\(end)" + (walksText.map { ", walk \($0)" } ?? "")
    }

    /// `12`, `12, 13`; nil where it bills none.
    var walksText: String? { walks.isEmpty ? nil : walks.map(String.init).joined(separator: ", ") }

    /// `2 x 40.00`, or the quantity alone.
    private var quantityText: String? {
        row.quantity.map { quantity in unitPrice.map { "\(quantity) x \($0.plain)" } ?? quantity.description }
    }
}

extension Noun where Row == OrderLine {
    /// Rows of an order as they are printed.
    static let orderRow = Noun(
        "row",
        plural: "rows",
        summary: "A part of an order: a service and what it costs, or just a sum.",
        fields: [
            .integer("number", "No.", "The row's number, from 1 in the order of the services' names.") {
                Int64($0.number)
            },
            .integer("position", "Position", "From 1, in the order in which rows were entered.", inTable: false) {
                Int64($0.position)
            },
            .id("id", "Id", "The row's UUID.") { $0.id },
            .id("serviceId", "Service id", "What was sold: the service's UUID.", inTable: false) { $0.row.service },
            .text("service", "Service", "The service's name as it is now.") { $0.serviceName },
            .text("text", "Text", "What the row is for.", inTable: false) { $0.row.text },
            .number("quantity", "Quantity", "How many or how much: a decimal number.", inTable: false) {
                $0.row.quantity?.description
            },
            .money("unitPrice", "Unit price", "What one costs.", inTable: false) { $0.unitPrice },
            .number("taxRate", "Tax rate", "The tax in percent.", inTable: false) { line in
                line.row.taxRate.map { String($0.description.dropLast(2)) }
            },
            .money("sum", "Sum", "What it costs; may be negative.") { $0.sum },
            .text("walks", "Walks", "The numbers of the walks that it bills.", inTable: false) { $0.walksText },
        ],
        id: \.id
    )
}

/// A payment as it is shown: with its number, and its amount as money.
struct OrderPayment: Sendable, Hashable {
    /// From 1, in the order in which they were entered.
    var number: Int
    var payment: Payment
    var currency: Currency

    var amount: Money { Money(amount: payment.amount, currency: currency) }

    /// `Mar 31, 2024 - 20.00, cash`.
    var text: String {
        "\(payment.date.english) - \(amount.plain)" + (payment.note.map { ", \(CellText.escaped($0))" } ?? "")
    }
}

extension Noun where Row == OrderPayment {
    /// Payments of an order as they are printed.
    static let payment = Noun(
        "payment",
        plural: "payments",
        summary: "What was paid for an order on a day.",
        fields: [
            .integer("number", "No.", "The payment's number, from 1 in the order in which they were entered.") {
                Int64($0.number)
            },
            .id("id", "Id", "The payment's UUID.") { $0.payment.id },
            .day("date", "Date", "The day of the payment.") { $0.payment.date },
            .money("amount", "Amount", "What was paid; negative for what was given back.") { $0.amount },
            .text("note", "Note", "Anything about it.") { $0.payment.note },
        ],
        id: { $0.payment.id }
    )
}

extension Order {
    /// The payments in the order in which they were entered.
    var paymentLines: [OrderPayment] {
        (payments ?? []).enumerated().map { OrderPayment(number: $0 + 1, payment: $1, currency: currency) }
    }

    /// An amount in the order's currency; nil where there is none.
    func money(_ amount: Int64?) -> Money? { amount.map { Money(amount: $0, currency: currency) } }
}
