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
            .integer("number", "No.", "The running number.") { $0.number },
            .day("date", "Date", "The calendar day.") { $0.date },
            .id("customerId", "Customer id", "Who ordered: the customer's UUID.", inTable: false) { $0.customer },
            .text("customer", "Customer", "The customer's name as it is now.") { $0.customerName },
            .money("total", "Total", "The sum of the rows.") { Money(amount: $0.total, currency: $0.currency) },
            .boolean("made", "Made", "Whether it is made.") { $0.made },
            .boolean("paid", "Paid", "Whether it is paid.") { $0.paid },
            .text("reference", "Reference", "What the order is called elsewhere.", inTable: false) { $0.reference },
            .integer("version", "Version", "Raised by one with each change.", inTable: false) { Int64($0.version) },
            .list("rows", "Rows", "What was ordered, by the services' names.", of: Noun<OrderLine>.orderRow.fields) {
                $0.lines
            },
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

/// A row of an order as it is shown: with its number among the rows, and its sum as money.
struct OrderLine: Sendable, Hashable {
    /// From 1, in the order in which rows are shown.
    var number: Int
    var id: Identifier
    var service: Identifier?
    var serviceName: String?
    var sum: Money

    /// `Bath - 10.00`.
    var text: String { "\(serviceName.map(CellText.escaped) ?? Order.unknown) - \(sum.plain)" }
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
            .id("id", "Id", "The row's UUID.") { $0.id },
            .id("serviceId", "Service id", "What was sold: the service's UUID.", inTable: false) { $0.service },
            .text("service", "Service", "The service's name as it is now.") { $0.serviceName },
            .money("sum", "Sum", "What it costs; may be negative.") { $0.sum },
        ],
        id: \.id
    )
}

extension Order {
    /// What stands for a customer or a service that there is not, or no longer.
    static let unknown = "-- Unknown --"

    /// `Jan 31, 2024`, a tab, the customer's name. The month is always English.
    var listLine: String { "\(date.english)\t\(customerLabel)" }

    /// The customer's name, safe for a terminal.
    var customerLabel: String { customerName.map(CellText.escaped) ?? Self.unknown }

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
                id: element.row.id,
                service: element.row.service,
                serviceName: element.row.serviceName,
                sum: Money(amount: element.row.sum, currency: currency)
            )
        }
    }
}
