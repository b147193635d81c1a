import CBOR
import Client
import Messages

/// Reads an order, changes what is to be changed, and stores it with the version that was read.
struct OrderChange: Sendable {
    /// What the order is called.
    var which: String
    /// The version that the change is based on; nil for that of now.
    var basedOn: Int?
    var key: Identifier?

    /// - Parameters:
    ///   - isDone: whether the change is done in an order; by default, whether it does nothing to it.
    ///   - change: what is to be changed.
    /// - Returns: the order as it is stored now.
    /// - Throws: what finding and sending throw; a conflict's sentence shows both values.
    func perform(
        by daybook: Invocation,
        isDone: ((Order) -> Bool)? = nil,
        _ change: (inout Order) throws(CLIError) -> Void
    ) async throws(CLIError) -> Order {
        func isDoneIn(_ order: Order) -> Bool {
            if let isDone { return isDone(order) }
            var changed = order
            return (try? change(&changed)) != nil && changed == order
        }
        return try await daybook.change(
            Put<Order>.self,
            key: key,
            isSame: { reply in reply.answers(to: which) && isDoneIn(reply) },
            perform: { () async throws(CLIError) in
                var order = try await daybook.resolver.record(Order.self, which)
                try change(&order)
                // The service merges: what others changed since this version is theirs, unless it is changed here too.
                if let basedOn { order.version = basedOn }
                do throws(CLIError) {
                    let stored = try await daybook.send(Put(order), key: key)
                    guard isDoneIn(stored) else { throw Self.conflict(wanted: order, stored: stored) }
                    return stored
                } catch .client(.refused(let service, .conflict, let body)) {
                    throw .client(.refused(service, .conflict, Self.showingBoth(body, wanted: order)))
                }
            }
        )
    }

    /// A value that was given and is that of the version before others' change is no change to the service.
    private static func conflict(wanted: Order, stored: Order) -> CLIError {
        let rows = (wanted.rows + stored.rows).map { "rows/\($0.id)" }
        let payments = ((wanted.payments ?? []) + (stored.payments ?? [])).map { "payments/\($0.id)" }
        let fields = Self.fields + rows + payments
        let field = fields.first { value(of: $0, in: wanted) != value(of: $0, in: stored) }
        let body = ErrorBody(
            code: Status.conflict.rawValue,
            message: "the order was changed meanwhile: \(field ?? "it") has another value now",
            field: field,
            current: try? EncodedCBOR(encoding: stored)
        )
        return .client(.refused(.orders, .conflict, body))
    }

    /// The refusal with the value that was wanted and the one there is.
    static func showingBoth(_ body: ErrorBody, wanted: Order) -> ErrorBody {
        guard let field = body.field, let current = try? body.current?.decode(Order.self),
            let mine = value(of: field, in: wanted), let theirs = value(of: field, in: current)
        else { return body }
        var body = body
        body.message += "\n  yours: \(mine)\n  stored: \(theirs)"
        return body
    }

    private static let fields = [
        "customer", "date", "due", "note", "made", "madeOn", "paid", "paidOn", "cancelled", "taxIncluded", "currency",
    ]

    /// The field as people read it; what is not there is `(none)`.
    private static func value(of field: String, in order: Order) -> String? {
        switch field {
        case "customer": return order.customerLabel
        case "date": return order.date.description
        case "due": return order.due?.description ?? "(none)"
        case "note": return order.note.map(CellText.escaped) ?? "(none)"
        case "made": return order.made ? "yes" : "no"
        case "madeOn": return order.madeOn?.description ?? "(none)"
        case "paid": return order.paid ? "yes" : "no"
        case "paidOn": return order.paidOn?.description ?? "(none)"
        case "cancelled": return order.cancelled == true ? "yes" : "no"
        case "taxIncluded": return order.taxIncluded == true ? "yes" : "no"
        case "currency": return order.currency.code
        default:
            guard let slash = field.firstIndex(of: "/"),
                let id = Identifier(String(field[field.index(after: slash)...]))
            else { return nil }
            return switch field[..<slash] {
            case "rows": order.lines.first { $0.id == id }?.text ?? "(none)"
            case "payments": order.paymentLines.first { $0.payment.id == id }?.text ?? "(none)"
            default: nil
            }
        }
    }
}
