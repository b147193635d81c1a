internal import Messages
internal import Service
internal import Text

/// What an order must be to be stored, and its stored form.
enum OrderRules {
    /// With the longest names an order of so many rows still fits into an event twice.
    static let mostRows = 400
    static let mostPayments = 400

    /// Checks and normalises what was entered, and sets what follows from it.
    static func prepare(_ order: inout Order, _ old: Order?) throws(ServiceError) {
        order.reference = try TextRules.optional(order.reference, field: "reference", limit: TextRules.longestName)
        order.note = try TextRules.optional(order.note, field: "note")
        if order.taxIncluded == false { order.taxIncluded = nil }
        if order.cancelled == false { order.cancelled = nil }
        if !order.made { order.madeOn = nil }
        order.printed = old?.printed ?? order.printed
        try prepareRows(&order)
        try preparePayments(&order)
        try settle(&order, old)
    }

    private static func prepareRows(_ order: inout Order) throws(ServiceError) {
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
        for index in order.rows.indices {
            let row = order.rows[index]
            order.rows[index].text = try TextRules.optional(row.text, field: "rows/text", limit: TextRules.longestName)
            guard row.unitPrice == nil || row.quantity != nil else {
                throw .invalid(field: "rows/quantity", "a row with a unit price needs a quantity")
            }
        }
    }

    private static func preparePayments(_ order: inout Order) throws(ServiceError) {
        guard var payments = order.payments else { return }
        guard payments.count <= mostPayments else {
            throw .invalid(
                field: "payments",
                found: String(payments.count),
                "an order has at most \(mostPayments) payments, not \(payments.count)"
            )
        }
        var seen: Set<Identifier> = []
        for index in payments.indices {
            guard seen.insert(payments[index].id).inserted else {
                let id = payments[index].id.description
                throw .invalid(field: "payments", found: id, "two payments of the order have one id")
            }
            guard payments[index].amount != 0 else {
                throw .invalid(field: "payments/amount", found: "0", "a payment of nothing is none: give its amount")
            }
            let note = payments[index].note
            payments[index].note = try TextRules.optional(note, field: "payments/note", limit: TextRules.longestName)
        }
        order.payments = payments
    }

    private static func settle(_ order: inout Order, _ old: Order?) throws(ServiceError) {
        let given = order
        do throws(AmountError) {
            _ = try order.paidSum()
        } catch {
            throw .invalid(field: "payments", "the payments add up to more than an amount can be")
        }
        do throws(AmountError) {
            try order.settle(after: old)
        } catch {
            throw .invalid(field: "rows", "the rows add up to more than an amount can be")
        }
        guard let old else { return }
        let isUnpaid = old.paid && !given.paid && order.paid
        guard !isUnpaid || order.payments != old.payments || order.total != old.total else {
            throw .invalid(
                field: "paid",
                found: "false",
                "the order's payments cover its total: delete a payment instead"
            )
        }
        guard given.paidOn == old.paidOn || given.paidOn == nil || !order.paid || given.paidOn == order.paidOn else {
            throw .invalid(
                field: "paidOn",
                found: given.paidOn?.description ?? "",
                "the order is paid by its payments, on the day of the last: change the payment instead"
            )
        }
    }
}
