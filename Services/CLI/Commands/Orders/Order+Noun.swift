import Messages
import Text

extension Noun where Row == Order {
    /// Orders as they are printed; as a list for people, a line each.
    static let order = Noun(
        "order",
        plural: "orders",
        summary: "What someone ordered on a day.",
        fields: [
            .id("id", "Id", "The order's UUID.") { $0.id },
            .integer("number", "No.", "The running number.", inTable: false) { $0.number },
            .number("label", "No.", "The number as people write it: 17, or 2024-17.") { $0.label },
            .day("date", "Date", "The calendar day.") { $0.date },
            .day("due", "Due", "When it is to be made.", inTable: false) { $0.due },
            .id("customerId", "Customer id", "Who ordered: the customer's UUID.", inTable: false) { $0.customer },
            .text("customer", "Customer", "The customer's name as it is now.") { $0.customerName },
            .money("net", "Net", "The total without tax, where a row has a tax rate.", inTable: false) {
                $0.money($0.net)
            },
            .money("tax", "Tax", "The tax in the total, where a row has a tax rate.", inTable: false) {
                $0.money($0.tax)
            },
            .money("total", "Total", "What is owed for it, tax included.") {
                Money(amount: $0.total, currency: $0.currency)
            },
            .money("open", "Open", "What remains to be paid.", inTable: false) {
                Money(amount: $0.remaining, currency: $0.currency)
            },
            .boolean("made", "Made", "Whether it is made.") { $0.made },
            .day("madeOn", "Made on", "When it was made.", inTable: false) { $0.madeOn },
            .boolean("paid", "Paid", "Whether it is paid.") { $0.paid },
            .day("paidOn", "Paid on", "When it was paid.", inTable: false) { $0.paidOn },
            .boolean("cancelled", "Cancelled", "Whether it is cancelled, and counts nowhere.", inTable: false) {
                $0.cancelled ?? false
            },
            .instant("printed", "Printed", "When it was first printed for the customer.", inTable: false) {
                $0.printed
            },
            .boolean("taxIncluded", "Tax included", "Whether the rows' sums hold their tax.", inTable: false) {
                $0.taxIncluded ?? false
            },
            .text("note", "Note", "Anything about it.", inTable: false) { $0.note },
            .text("reference", "Reference", "What the order is called elsewhere.", inTable: false) { $0.reference },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
            .list("rows", "Rows", "What was ordered, by the services' names.", of: Noun<OrderLine>.orderRow.fields) {
                $0.lines
            },
            .list("payments", "Payments", "What was paid.", of: Noun<OrderPayment>.payment.fields) { $0.paymentLines },
        ],
        id: \.id,
        lines: Lines { $0.listLine }
    )

    /// The same with columns for people too.
    static let orderTable = {
        var noun = Noun.order
        noun.lines = nil
        return noun
    }()
}

extension Order {
    /// What stands for a customer or a service that there is not, or no longer.
    static let unknown = "-- Unknown --"

    /// `Jan 31, 2024`, a tab, the customer's name. The month is always English.
    var listLine: String { "\(date.english)\t\(customerLabel)" }

    /// The customer's name, safe for a terminal.
    var customerLabel: String { customerName.map(CellText.escaped) ?? Self.unknown }

    /// Each once, in order.
    private func walkNumbers(of row: Identifier) -> [Int64] {
        Set((walks ?? []).filter { $0.row == row }.compactMap(\.number)).sorted()
    }

    /// The rows by the services' names, those without one first; of one name in the order in which they were entered.
    var lines: [OrderLine] {
        let keyed = rows.enumerated().map { index, row in
            (key: row.serviceName.map(Collation.sortKey) ?? [], index: index, row: row)
        }
        let sorted = keyed.sorted {
            $0.key == $1.key ? $0.index < $1.index : $0.key.lexicographicallyPrecedes($1.key)
        }
        return sorted.enumerated().map { index, element in
            OrderLine(
                number: index + 1,
                position: element.index + 1,
                row: element.row,
                currency: currency,
                walks: walkNumbers(of: element.row.id)
            )
        }
    }
}
