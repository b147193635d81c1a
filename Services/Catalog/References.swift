internal import Messages
internal import Service
internal import Store

/// What is known of which orders refer to which customers and services: made from the orders' events.
enum References {
    static let schema = """
        CREATE TABLE order_references (
            "order" BLOB NOT NULL,
            target BLOB NOT NULL,
            PRIMARY KEY ("order", target)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX order_references_target ON order_references (target);

        """

    static let projection = Projection(
        source: .orders,
        entities: [Order.entity],
        tables: ["order_references"],
        clear: { (transaction) throws(ServiceError) in
            try transaction.execute("DELETE FROM order_references")
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard event.entity == Order.entity else { return }
            try transaction.execute("DELETE FROM order_references WHERE \"order\" = $1", .id(event.subject))
            guard let order = try event.record(Order.self) else { return }
            for target in Set(order.rows.compactMap(\.service) + [order.customer].compactMap { $0 }) {
                try transaction.execute(
                    "INSERT INTO order_references (\"order\", target) VALUES ($1, $2)",
                    .id(event.subject),
                    .id(target)
                )
            }
        }
    )

    /// Refuses to delete what orders refer to, unless it is forced; then the orders clear their references.
    static func checkUnused(
        _ id: Identifier,
        _ noun: String,
        _ name: String,
        _ force: Bool?,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        if force == true { return }
        guard try transaction.isFollowedToHead(.orders) else {
            throw .refused(
                .unavailable,
                "cannot check now whether orders refer to '\(name)': the orders service does not answer; try again"
            )
        }
        let count = try transaction.first("SELECT count(*) FROM order_references WHERE target = $1", .id(id)) {
            $0.integer(0)
        }
        guard let count, count > 0 else { return }
        throw .refused(
            .inUse,
            """
            the \(noun) '\(name)' is in use by \(count) \(count == 1 ? "order" : "orders"): \
            change or delete them first, or delete with force to leave them without it
            """,
            field: "id",
            found: String(count)
        )
    }
}
