internal import Messages
internal import Service
internal import Store

extension Orders {
    @Sendable static func pay(_ request: PayOrder, _ transaction: inout Transaction) throws(ServiceError) -> Order {
        var order = try named(by: request, transaction)
        guard order.currency == request.currency else {
            throw .invalid(
                field: "currency",
                found: request.currency.code,
                "the order \(order.label) is in \(order.currency), and the payment in \(request.currency): give the amount in "
                    + "\(order.currency)"
            )
        }
        order.payments = (order.payments ?? []) + [request.payment]
        return try transaction.put(order)
    }

    private static func named(by request: PayOrder, _ transaction: Transaction) throws(ServiceError) -> Order {
        switch (request.order, request.number) {
        case (let id?, nil):
            guard let order = try transaction.record(Order.self, id) else {
                throw try transaction.absence(of: Order.self, id)
            }
            return order
        case (nil, let number?):
            let found = try transaction.records(
                Order.self,
                where: "number = $1 AND ($2 IS NULL OR \"numberYear\" = $2)",
                .integer(number),
                .optional(request.numberYear.map(Int64.init))
            )
            let label = Order.label(number, year: request.numberYear)
            guard let order = found.first else {
                throw .refused(.notFound, "there is no order \(label)", field: "number", found: label)
            }
            guard found.count == 1 else {
                let labels = found.map(\.label).sorted().joined(separator: ", ")
                throw .invalid(
                    field: "number",
                    found: label,
                    "several orders have the number \(label): say which, \(labels)"
                )
            }
            return order
        default: throw .invalid(field: "order", "the order is named by its id or by its number: one of the two")
        }
    }
}
