internal import Messages
internal import Service
internal import Store

/// The names of customers and services that orders show, as Catalog tells them.
enum OrderNames {
    static let schema = KnownNames.schema + "CREATE INDEX order_rows_service ON order_rows (service);\n"

    private static let known = KnownNames(
        of: .catalog,
        [Customer.entity, SoldService.entity],
        name: { (event) throws(ServiceError) in
            if let customer = try event.record(Customer.self) { return customer.name }
            return try event.record(SoldService.self)?.name
        }
    )

    static let projection = known.projection(
        KnownNames.Referrers(
            rename: { (id, name, transaction) throws(ServiceError) in
                for order in try orders(referringTo: id, transaction) {
                    var renamed = order
                    renamed.name(id, name)
                    try transaction.refresh(order, to: renamed)
                }
            },
            clear: { (id, transaction) throws(ServiceError) in
                for order in try orders(referringTo: id, transaction) {
                    var cleared = order
                    cleared.clear(id)
                    try transaction.put(cleared)
                }
            },
            eraseName: { (customer, transaction) throws(ServiceError) in
                // The orders themselves have the new one already.
                try transaction.eraseKept(Order.self, mentioning: customer) { order in
                    if order.customer == customer, order.customerName != nil { order.customerName = Erased.name }
                }
            },
            references: ForeignReferences(
                dangling: "SELECT 'order', id FROM orders WHERE \(danglingReferences)",
                clear: { (transaction) throws(ServiceError) in
                    for order in try transaction.records(Order.self, where: danglingReferences) {
                        var cleared = order
                        for id in Set(order.rows.compactMap(\.service) + [order.customer].compactMap { $0 }) {
                            let isKnown = try transaction.first("SELECT 1 FROM known_names WHERE id = $1", .id(id)) {
                                _ in true
                            }
                            if isKnown == nil { cleared.clear(id) }
                        }
                        try transaction.put(cleared)
                    }
                }
            )
        )
    )

    /// What orders show of Catalog's records.
    static let shown = ShownNames<Order>(
        referring: "customer = $1 OR id IN (SELECT \"order\" FROM order_rows WHERE service = $1)",
        rename: { (order, former) throws(ServiceError) in
            for id in Set(order.rows.compactMap(\.service) + [order.customer].compactMap { $0 }) {
                if let name = try former(id) { order.name(id, name) }
            }
        }
    )

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
            order.customerName = try known.name(
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
            order.rows[index].serviceName = try known.name(
                of: id,
                SoldService.entity,
                field: "rows/service",
                isTrusted: trusted.contains(id),
                &transaction
            )
        }
    }

    private static func orders(
        referringTo id: Identifier,
        _ transaction: Transaction
    ) throws(ServiceError) -> [Order] {
        try transaction.records(Order.self, where: shown.referring, .id(id))
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
