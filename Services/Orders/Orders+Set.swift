internal import Messages
internal import Service

extension Orders {
    /// Changes many orders; the first that can't be changed ends it, and the transaction with it.
    @Sendable static func set(
        _ request: SetOrders,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> SetOrders.Reply {
        let count = request.orders.count
        guard count <= SetOrders.mostOrders else {
            throw .refused(
                .tooLarge,
                "one command changes at most \(SetOrders.mostOrders) orders, not \(count): take fewer at a time",
                field: "orders",
                found: String(count)
            )
        }
        var changed = 0
        for target in request.orders {
            guard let stored = try transaction.record(Order.self, target.id) else {
                throw try transaction.absence(of: Order.self, target.id)
            }
            if let version = target.version, version != stored.version {
                throw .refused(
                    .conflict,
                    "the order \(stored.label) was changed meanwhile, so none was changed: look again",
                    field: "orders",
                    found: stored.label
                )
            }
            var order = stored
            request.change.apply(to: &order)
            do throws(ServiceError) {
                if try transaction.put(order) != stored { changed += 1 }
            } catch .refused(let status, var body) {
                body.message = "order \(stored.label): \(body.message)"
                throw .refused(status, body)
            }
        }
        return SetOrders.Reply(orders: count, changed: changed)
    }
}
