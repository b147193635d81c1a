internal import Messages
internal import Service
internal import Store

/// The orders and their rows.
enum Orders {
    static var definition: ServiceDefinition {
        var routes = Routes()
        routes.entity(orders)
        return ServiceDefinition(
            name: .orders,
            migrations: [Migration(orders.schema + KnownNames.schema)],
            routes: routes,
            projections: [KnownNames.projection]
        )
    }

    /// With the longest names an order of so many rows still fits into an event twice.
    static let mostRows = 400

    static let orders = Entity<Order>(
        table: "orders",
        columns: [
            .integer("number") { $0.number },
            .day("date") { $0.date },
            .id("customer") { $0.customer },
            .text("customer.name") { $0.customerName },
            .boolean("made") { $0.made },
            .boolean("paid") { $0.paid },
            .integer("total") { $0.total },
            .text("currency") { $0.currency.code },
            .text("reference") { $0.reference },
        ],
        parts: [
            PartTable(
                table: "order_rows",
                columns: [
                    .id("service") { $0.service }, .text("service.name") { $0.serviceName }, .integer("sum") { $0.sum },
                ],
                sort: [SortKey("service.name"), SortKey("position")],
                parts: \.rows
            )
        ],
        indexes: ["coalesce(date, ''), customer_name_key", "number", "customer", "reference"],
        sort: [SortKey("date"), SortKey("customer.name")],
        derived: ["number", "customerName", "total", "rows/serviceName"],
        keyed: ["rows"],
        prepare: { (order, old, transaction) throws(ServiceError) in
            order.reference = try TextRules.optional(
                order.reference,
                field: "reference",
                limit: TextRules.longestName
            )
            try checkRows(order)
            let before = Set((old?.rows.compactMap(\.service) ?? []) + [old?.customer].compactMap { $0 })
            try KnownNames.fill(&order, trusting: before, &transaction)
            order.total = try total(order.rows)
            if let old {
                order.number = old.number
            } else {
                order.number = try transaction.nextNumber("order")
            }
        }
    )

    private static func checkRows(_ order: Order) throws(ServiceError) {
        guard order.rows.count <= mostRows else {
            throw .invalid(
                field: "rows",
                found: String(order.rows.count),
                "an order has at most \(mostRows) rows, not \(order.rows.count): make two orders of it"
            )
        }
        var seen: Set<Identifier> = []
        for row in order.rows where !seen.insert(row.id).inserted {
            throw .invalid(field: "rows", found: row.id.description, "two rows of the order have one id")
        }
    }

    /// The sum of the rows; too large a sum is refused, never wrapped.
    private static func total(_ rows: [OrderRow]) throws(ServiceError) -> Int64 {
        var total: Int64 = 0
        for row in rows {
            let (sum, overflows) = total.addingReportingOverflow(row.sum)
            guard !overflows else {
                throw .invalid(field: "rows", found: String(row.sum), "the rows add up to more than an amount can be")
            }
            total = sum
        }
        return total
    }
}
