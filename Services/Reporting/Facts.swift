internal import Messages
internal import Service
internal import Store
internal import Text

/// What reports are made of: names, orders and their rows.
enum Facts {
    static let schema = """
        CREATE TABLE names (
            id BLOB PRIMARY KEY,
            entity TEXT NOT NULL,
            name TEXT NOT NULL,
            name_key BLOB NOT NULL,
            reference TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE orders (
            id BLOB PRIMARY KEY NOT NULL,
            number INTEGER NOT NULL,
            number_year INTEGER,
            date TEXT NOT NULL,
            due TEXT,
            customer BLOB,
            currency TEXT NOT NULL,
            made INTEGER NOT NULL,
            paid INTEGER NOT NULL,
            cancelled INTEGER NOT NULL,
            total INTEGER NOT NULL,
            open INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX orders_customer ON orders (customer, date);
        CREATE INDEX orders_date ON orders (date);
        CREATE INDEX orders_unpaid ON orders (date) WHERE made = 1 AND paid = 0 AND cancelled = 0;
        CREATE INDEX orders_unpaid_customer ON orders (customer) WHERE made = 1 AND paid = 0 AND cancelled = 0;
        CREATE TABLE order_rows (
            "order" BLOB NOT NULL,
            position INTEGER NOT NULL,
            service BLOB,
            sum INTEGER NOT NULL,
            PRIMARY KEY ("order", position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX order_rows_service ON order_rows (service);

        """

    static let catalog = Projection(
        source: .catalog,
        entities: [Customer.entity, SoldService.entity],
        tables: ["names"],
        clear: { (transaction) throws(ServiceError) in
            try transaction.execute("DELETE FROM names")
        },
        apply: { (event, transaction) throws(ServiceError) in
            if let customer = try event.record(Customer.self) {
                try store(event, customer.name, customer.reference, &transaction)
            } else if let service = try event.record(SoldService.self) {
                try store(event, service.name, service.reference, &transaction)
            } else if event.isDelete {
                try transaction.execute("DELETE FROM names WHERE id = $1", .id(event.subject))
            }
            try touchUnpaid(of: event.subject, &transaction)
            try touchTotals(named: event.subject, &transaction)
        }
    )

    static let orders = Projection(
        source: .orders,
        entities: [Order.entity],
        tables: ["orders", "order_rows"],
        clear: { (transaction) throws(ServiceError) in
            try transaction.execute("DELETE FROM order_rows")
            try transaction.execute("DELETE FROM orders")
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard event.entity == Order.entity else { return }
            transaction.touch(report: "unpaid", event.subject)
            if event.version > 1 {
                try touchTotals(of: event.subject, &transaction)
                try transaction.execute("DELETE FROM order_rows WHERE \"order\" = $1", .id(event.subject))
            }
            guard let order = try event.record(Order.self) else {
                try transaction.execute("DELETE FROM orders WHERE id = $1", .id(event.subject))
                return
            }
            try store(order, &transaction)
            let groups = TotalsKey.groups(
                date: order.date.description,
                currency: order.currency.code,
                customer: order.customer,
                services: Set(order.rows.map(\.service))
            )
            for key in groups { transaction.touch(report: "totals", key.row) }
        }
    )

    /// The customer's name stands in the live lists of what is unpaid.
    private static func touchUnpaid(
        of customer: Identifier,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        var orders: [Identifier] = []
        try transaction.query(
            "SELECT id FROM orders WHERE made = 1 AND paid = 0 AND cancelled = 0 AND customer = $1",
            .id(customer)
        ) { (row) throws(StoreError) in
            if let id = row.id(0) { orders.append(id) }
        }
        for order in orders { transaction.touch(report: "unpaid", order) }
    }

    /// The groups that the order has a part in as it is stored.
    private static func touchTotals(
        of order: Identifier,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        var services: Set<Identifier?> = []
        try transaction.query("SELECT service FROM order_rows WHERE \"order\" = $1", .id(order)) { row in
            services.insert(row.id(0))
        }
        let stored = try transaction.first("SELECT date, currency, customer FROM orders WHERE id = $1", .id(order)) {
            (date: $0.text(0), currency: $0.text(1), customer: $0.id(2))
        }
        guard let stored else { return }
        let groups = TotalsKey.groups(
            date: stored.date,
            currency: stored.currency,
            customer: stored.customer,
            services: services
        )
        for key in groups { transaction.touch(report: "totals", key.row) }
    }

    /// The groups that have the customer's or service's name.
    private static func touchTotals(
        named id: Identifier,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        var keys: [TotalsKey] = []
        try transaction.query("SELECT DISTINCT currency FROM orders WHERE customer = $1", .id(id)) { row in
            keys.append(TotalsKey(by: .customer, id: id, currency: row.text(0)))
        }
        try transaction.query(
            """
            SELECT DISTINCT o.currency FROM order_rows r JOIN orders o ON o.id = r."order" WHERE r.service = $1
            """,
            .id(id)
        ) { row in keys.append(TotalsKey(by: .service, id: id, currency: row.text(0))) }
        for key in keys { transaction.touch(report: "totals", key.row) }
    }

    private static func store(
        _ event: Event,
        _ name: String,
        _ reference: String?,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO names (id, entity, name, name_key, reference) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, name_key = excluded.name_key, reference = excluded.reference
            """,
            .id(event.subject),
            .text(event.entity),
            .text(name),
            .blob(Collation.sortKey(name)),
            .optional(reference)
        )
    }

    private static func store(_ order: Order, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            """
            INSERT INTO orders
                (id, number, number_year, date, due, customer, currency, made, paid, cancelled, total, open)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (id) DO UPDATE SET
                number = excluded.number, number_year = excluded.number_year, date = excluded.date, due = excluded.due,
                customer = excluded.customer, currency = excluded.currency, made = excluded.made, paid = excluded.paid,
                cancelled = excluded.cancelled, total = excluded.total, open = excluded.open
            """,
            .id(order.id),
            .integer(order.number),
            .optional(order.numberYear.map(Int64.init)),
            .text(order.date.description),
            .optional(order.due?.description),
            .optional(order.customer),
            .text(order.currency.code),
            .boolean(order.made),
            .boolean(order.paid),
            .boolean(order.cancelled ?? false),
            .integer(order.total),
            .integer(order.remaining)
        )
        // What a row adds to the order's total, so that services add up to it: its sum and its share of the tax.
        let shares = try taxShares(order)
        for (position, row) in order.rows.enumerated() {
            try transaction.execute(
                "INSERT INTO order_rows (\"order\", position, service, sum) VALUES ($1, $2, $3, $4)",
                .id(order.id),
                .integer(Int64(position)),
                .optional(row.service),
                .integer(order.taxIncluded == true ? row.sum : row.sum + shares[position])
            )
        }
    }

    private static func taxShares(_ order: Order) throws(ServiceError) -> [Int64] {
        do throws(AmountError) {
            return try order.taxSummary().shares
        } catch {
            throw .store(.overflow)
        }
    }
}
