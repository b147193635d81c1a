internal import Messages
internal import Service
internal import Store

/// The orders, their rows and payments.
enum Orders {
    static var definition: ServiceDefinition { definition(.running) }

    static func definition(_ numbering: Numbering) -> ServiceDefinition {
        let orders = entity(numbering)
        var routes = Routes()
        routes.entity(orders)
        routes.command(PrintOrder.self, print)
        routes.command(SetOrders.self, set)
        routes.command(PayOrder.self, pay)
        routes.query(OrderNumbers.self, Numbering.list)
        routes.query(FindBilledWalks.self, BilledWalks.find)
        return ServiceDefinition(
            name: .orders,
            migrations: [Migration(orders.schema + Numbering.schema + BilledWalks.schema + OrderNames.schema)],
            routes: routes,
            projections: [OrderNames.projection],
            archived: [Numbering.archived]
        )
    }

    private static func entity(_ numbering: Numbering) -> Entity<Order> {
        Entity<Order>(
            table: "orders",
            columns: columns,
            parts: [rows, payments],
            indexes: [
                "coalesce(date, ''), customer_name_key", "number", "coalesce(due, '')", "customer", "reference",
            ],
            sort: [SortKey("date"), SortKey("customer.name")],
            derived: [
                "number", "numberYear", "customerName", "net", "tax", "total", "open", "paidByHand", "rows/serviceName",
            ],
            keyed: ["rows", "payments"],
            searched: { order in
                [order.label, order.customerName, order.reference, order.note]
                    + order.rows.flatMap { [$0.serviceName, $0.text] } + (order.payments ?? []).map(\.note)
            },
            prepare: { (order, old, transaction) throws(ServiceError) in
                try OrderRules.prepare(&order, old)
                try BilledWalks.prepare(&order)
                let before = Set((old?.rows.compactMap(\.service) ?? []) + [old?.customer].compactMap { $0 })
                try OrderNames.fill(&order, trusting: before, &transaction)
                if let old {
                    (order.number, order.numberYear) = (old.number, old.numberYear)
                } else {
                    try numbering.number(&order, &transaction)
                }
            },
            didWrite: { (order, old, transaction) throws(ServiceError) in
                if old == nil, transaction.isRestoring { try Numbering.didCreate(order, &transaction) }
                try BilledWalks.didWrite(order, old, &transaction)
            },
            willDelete: { (order, _, transaction) throws(ServiceError) in
                guard order.printed == nil else {
                    throw .invalid(
                        field: "printed",
                        "the order \(order.label) was printed: it can't be deleted any more, only cancelled"
                    )
                }
                try BilledWalks.free(order, &transaction)
            },
            didDelete: Numbering.didDelete,
            shown: OrderNames.shown
        )
    }

    private static var columns: [Column<Order>] {
        [
            .integer("number") { $0.number },
            .integer("numberYear") { $0.numberYear.map(Int64.init) },
            .day("date") { $0.date },
            .day("due") { $0.due },
            .id("customer") { $0.customer },
            .text("customer.name") { $0.customerName },
            .boolean("made") { $0.made },
            .day("madeOn") { $0.madeOn },
            .boolean("paid") { $0.paid },
            .day("paidOn") { $0.paidOn },
            .boolean("cancelled") { $0.cancelled ?? false },
            .boolean("printed") { $0.printed != nil },
            .integer("net") { $0.net ?? $0.total },
            .integer("tax") { $0.tax ?? 0 },
            .integer("total") { $0.total },
            .integer("open") { $0.remaining },
            .text("currency") { $0.currency.code },
            .text("note") { $0.note },
            .text("reference") { $0.reference },
        ]
    }

    private static var rows: PartTable<Order> {
        PartTable(
            table: "order_rows",
            columns: [
                .id("service") { $0.service }, .text("service.name") { $0.serviceName }, .plain("text") { $0.text },
                .plain("quantity") { $0.quantity?.description }, .integer("unitPrice") { $0.unitPrice },
                .integer("taxRate") { $0.taxRate.map { Int64($0.hundredths) } }, .integer("sum") { $0.sum },
            ],
            sort: [SortKey("service.name"), SortKey("position")],
            currency: \.currency,
            parts: \.rows
        )
    }

    private static var payments: PartTable<Order> {
        PartTable(
            table: "order_payments",
            columns: [.day("date") { $0.date }, .integer("amount") { $0.amount }, .plain("note") { $0.note }],
            sort: [SortKey("date"), SortKey("position")],
            currency: \.currency,
            parts: { $0.payments ?? [] }
        )
    }

    /// Notes that the order was printed, the first time.
    @Sendable private static func print(
        _ request: PrintOrder,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> Order {
        guard var order = try transaction.record(Order.self, request.id) else {
            throw try transaction.absence(of: Order.self, request.id)
        }
        order.printed = order.printed ?? transaction.time
        return try transaction.put(order)
    }
}
