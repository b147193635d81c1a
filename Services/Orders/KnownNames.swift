internal import Messages
internal import Service
internal import Store

/// The names of customers and services, as Catalog's events tell them: made from its log alone.
enum KnownNames {
    static let schema = """
        CREATE TABLE known_names (
            id BLOB PRIMARY KEY,
            entity TEXT NOT NULL,
            name TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX order_rows_service ON order_rows (service);

        """

    static let projection = Projection(
        source: .catalog,
        entities: [Customer.entity, SoldService.entity],
        tables: ["known_names"],
        clear: { (transaction) throws(ServiceError) in
            try transaction.execute("DELETE FROM known_names")
        },
        apply: { (event, transaction) throws(ServiceError) in
            guard [Customer.entity, SoldService.entity].contains(event.entity) else { return }
            let customer = try event.record(Customer.self)
            let service = try event.record(SoldService.self)
            let name = customer?.name ?? service?.name
            guard let name else {
                try transaction.execute("DELETE FROM known_names WHERE id = $1", .id(event.subject))
                return
            }
            let known = try transaction.first("SELECT name FROM known_names WHERE id = $1", .id(event.subject)) {
                $0.text(0)
            }
            guard known != name else { return }
            try transaction.execute(
                """
                INSERT INTO known_names (id, entity, name) VALUES ($1, $2, $3)
                ON CONFLICT (id) DO UPDATE SET entity = excluded.entity, name = excluded.name
                """,
                .id(event.subject),
                .text(event.entity),
                .text(name)
            )
            for order in try orders(referringTo: event.subject, transaction) {
                var renamed = order
                renamed.name(event.subject, name)
                try transaction.refresh(order, to: renamed)
            }
        },
        react: { (event, transaction) throws(ServiceError) in
            guard [Customer.entity, SoldService.entity].contains(event.entity) else { return }
            if event.isErasure { try eraseName(of: event.subject, &transaction) }
            guard event.isDelete else { return }
            for order in try orders(referringTo: event.subject, transaction) {
                var cleared = order
                cleared.clear(event.subject)
                try transaction.put(cleared)
            }
        },
        mend: { (transaction) throws(ServiceError) in
            for id in try erasedCustomers(transaction) { try eraseName(of: id, &transaction) }
            for order in try transaction.records(Order.self, where: danglingReferences) {
                var cleared = order
                for id in Set(order.rows.compactMap(\.service) + [order.customer].compactMap { $0 }) {
                    let isKnown = try transaction.first("SELECT 1 FROM known_names WHERE id = $1", .id(id)) { _ in true
                    }
                    if isKnown == nil { cleared.clear(id) }
                }
                try transaction.put(cleared)
            }
        }
    )

    /// Erases the customer's name from what is kept of orders; the orders themselves have the new one already.
    private static func eraseName(of customer: Identifier, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.eraseKept(Order.self, mentioning: customer) { order in
            if order.customer == customer, order.customerName != nil { order.customerName = Erased.name }
        }
    }

    private static func erasedCustomers(_ transaction: Transaction) throws(ServiceError) -> [Identifier] {
        var ids: [Identifier] = []
        try storing { () throws(StoreError) in
            try transaction.session.query(
                "SELECT id FROM known_names WHERE entity = $1 AND name = $2",
                .text(Customer.entity),
                .text(Erased.name)
            ) { if let id = $0.id(0) { ids.append(id) } }
        }
        return ids
    }

    /// Orders that refer to what Catalog doesn't have.
    private static let danglingReferences = """
        (customer IS NOT NULL AND customer NOT IN (SELECT id FROM known_names))
        OR id IN (
            SELECT "order" FROM order_rows
            WHERE service IS NOT NULL AND service NOT IN (SELECT id FROM known_names)
        )
        """

    /// Sets the names of an order's customer and services.
    ///
    /// - Parameter trusted: references that the order had before: they are not checked again.
    /// - Throws: `invalid` for a reference to nothing, once Catalog's log was followed to its head.
    static func fill(
        _ order: inout Order,
        trusting trusted: Set<Identifier>,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        order.customerName = nil
        if let id = order.customer {
            order.customerName = try name(
                of: id,
                Customer.entity,
                field: "customer",
                isTrusted: trusted.contains(id),
                &transaction
            )
        }
        for index in order.rows.indices {
            order.rows[index].serviceName = nil
            guard let id = order.rows[index].service else { continue }
            order.rows[index].serviceName = try name(
                of: id,
                SoldService.entity,
                field: "rows/service",
                isTrusted: trusted.contains(id),
                &transaction
            )
        }
    }

    private static func name(
        of id: Identifier,
        _ entity: String,
        field: String,
        isTrusted: Bool,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> String? {
        let known = try transaction.first(
            "SELECT name FROM known_names WHERE id = $1 AND entity = $2",
            .id(id),
            .text(entity)
        ) { $0.text(0) }
        if known != nil || (isTrusted && !transaction.isRestoring) || transaction.skipsForeignChecks { return known }
        guard try transaction.isFollowedToHead(.catalog) else {
            throw .refused(
                .unavailable,
                "cannot check now whether there is a \(entity) \(id): the catalog service does not answer; try again",
                field: field
            )
        }
        throw .invalid(field: field, found: id.description, "there is no \(entity) \(id)")
    }

    private static func orders(
        referringTo id: Identifier,
        _ transaction: Transaction
    ) throws(ServiceError) -> [Order] {
        try transaction.records(
            Order.self,
            where: "customer = $1 OR id IN (SELECT \"order\" FROM order_rows WHERE service = $1)",
            .id(id)
        )
    }
}

extension Order {
    /// Sets the name that goes with a reference.
    fileprivate mutating func name(_ id: Identifier, _ name: String) {
        if customer == id { customerName = name }
        for index in rows.indices where rows[index].service == id { rows[index].serviceName = name }
    }

    /// Takes a reference out.
    fileprivate mutating func clear(_ id: Identifier) {
        if customer == id { customer = nil }
        for index in rows.indices where rows[index].service == id { rows[index].service = nil }
    }
}
