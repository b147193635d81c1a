internal import Messages
internal import Service
internal import Store

/// What reports are made of: names, orders with their rows and payments, as they are and as they were; and sums of them
/// that are kept.
///
/// A version counts from `since` on, the number of the event that told it, and a past one up to `until`, which is that
/// of the event that ended it. Numbers of names are those of the catalog's log, the others those of the orders' log.
enum Facts {
    static let schema = """
        CREATE TABLE names (
            id BLOB PRIMARY KEY,
            entity TEXT NOT NULL,
            name TEXT NOT NULL,
            name_key BLOB NOT NULL,
            reference TEXT,
            since INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE past_names (
            id BLOB NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            name TEXT NOT NULL,
            name_key BLOB NOT NULL,
            reference TEXT,
            PRIMARY KEY (id, since)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE orders (
            id BLOB PRIMARY KEY NOT NULL,
            since INTEGER NOT NULL,
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
            tax INTEGER NOT NULL,
            open INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX orders_customer ON orders (customer, date);
        CREATE INDEX orders_date ON orders (date);
        CREATE INDEX orders_unpaid ON orders (date) WHERE made = 1 AND paid = 0 AND cancelled = 0;
        CREATE INDEX orders_unpaid_customer ON orders (customer) WHERE made = 1 AND paid = 0 AND cancelled = 0;
        CREATE TABLE past_orders (
            id BLOB NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
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
            tax INTEGER NOT NULL,
            open INTEGER NOT NULL,
            PRIMARY KEY (id, since)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX past_orders_until ON past_orders (until);
        -- What a row adds to its order's total, tax included, and the tax in that.
        CREATE TABLE order_rows (
            "order" BLOB NOT NULL,
            position INTEGER NOT NULL,
            service BLOB,
            sum INTEGER NOT NULL,
            tax INTEGER NOT NULL,
            PRIMARY KEY ("order", position)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX order_rows_service ON order_rows (service);
        CREATE TABLE past_order_rows (
            "order" BLOB NOT NULL,
            since INTEGER NOT NULL,
            position INTEGER NOT NULL,
            service BLOB,
            sum INTEGER NOT NULL,
            tax INTEGER NOT NULL,
            PRIMARY KEY ("order", since, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE payments (
            "order" BLOB NOT NULL,
            position INTEGER NOT NULL,
            date TEXT NOT NULL,
            amount INTEGER NOT NULL,
            PRIMARY KEY ("order", position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE past_payments (
            "order" BLOB NOT NULL,
            since INTEGER NOT NULL,
            position INTEGER NOT NULL,
            date TEXT NOT NULL,
            amount INTEGER NOT NULL,
            PRIMARY KEY ("order", since, position)
        ) STRICT, WITHOUT ROWID;

        """ + Moments.schema + KeptSums.schema + WalkFact.schema + KeptWalks.schema

    static let catalog = Projection(
        source: .catalog,
        entities: [Customer.entity, SoldService.entity],
        tables: ["names"],
        unhashed: ["since"],
        clear: { (transaction) throws(ServiceError) in
            for table in ["names", "past_names"] { try transaction.execute("DELETE FROM \(table)") }
            try Moments.clear(.catalog, &transaction)
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard [Customer.entity, SoldService.entity].contains(event.entity) else { return }
            try Moments.note(event, of: .catalog, &transaction)
            try NameFact.apply(event, &transaction)
            guard transaction.isWatched else { return }
            try touchUnpaid(of: event.subject, &transaction)
            try touchTotals(named: event.subject, &transaction)
            transaction.touch(report: "statement", StatementKey(event.subject, .customer).row)
        }
    )

    static let orders = Projection(
        source: .orders,
        entities: [Order.entity],
        tables: ["orders", "order_rows", "payments", "kept_sums"],
        unhashed: ["since"],
        clear: { (transaction) throws(ServiceError) in
            let tables = [
                "order_rows", "payments", "orders", "past_order_rows", "past_payments", "past_orders", "kept_sums",
            ]
            for table in tables { try transaction.execute("DELETE FROM \(table)") }
            try Moments.clear(.orders, &transaction)
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard event.entity == Order.entity else { return }
            try Moments.note(event, of: .orders, &transaction)
            let new = try event.record(Order.self).map { (order) throws(ServiceError) in try OrderFact(order) }
            let old = event.version > 1 ? try OrderFact.stored(event.subject, transaction) : nil
            guard old != new else { return }
            if old != nil { try OrderFact.end(event.subject, at: event.sequence, &transaction) }
            try new?.store(since: event.sequence, &transaction)
            let sums = KeptSums.Changes.gathered(&transaction)
            if let old { sums.count(old, times: -1) }
            if let new { sums.count(new, times: 1) }
            guard transaction.isWatched else { return }
            transaction.touch(report: "unpaid", event.subject)
            let groups = (old.map(TotalsKey.groups) ?? []) + (new.map(TotalsKey.groups) ?? [])
            for key in groups { transaction.touch(report: "totals", key.row) }
            let lines = (old.map(StatementKey.keys) ?? []) + (new.map(StatementKey.keys) ?? [])
            for key in lines { transaction.touch(report: "statement", key.row) }
        },
        flush: { (transaction) throws(ServiceError) in
            try KeptSums.Changes.gathered(&transaction).write(&transaction)
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

    /// The groups that have the customer's or service's name.
    private static func touchTotals(
        named id: Identifier,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        var keys: [TotalsKey] = []
        for (kind, by) in [(KeptSums.Kind.customer, TotalsReport.Grouping.customer), (.service, .service)] {
            try transaction.query(
                "SELECT DISTINCT currency FROM kept_sums WHERE kind = $1 AND key = $2",
                .integer(kind.rawValue),
                .id(id)
            ) { keys.append(TotalsKey(by: by, id: id, currency: $0.text(0))) }
        }
        for key in keys { transaction.touch(report: "totals", key.row) }
    }
}
