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
    ///   - isSame: whether an order is the result of this very change; by default, whether the change does nothing to it.
    ///   - change: what is to be changed.
    /// - Returns: the order as it is stored now.
    /// - Throws: what finding and sending throw; a conflict's sentence shows both values.
    func perform(
        by daybook: Invocation,
        isSame: ((Order) -> Bool)? = nil,
        _ change: (inout Order) throws(CLIError) -> Void
    ) async throws(CLIError) -> Order {
        try await daybook.change(
            Put<Order>.self,
            key: key,
            isSame: { (reply) throws(CLIError) in
                guard isNamed(reply) else { return false }
                if let isSame { return isSame(reply) }
                var changed = reply
                try change(&changed)
                return changed == reply
            },
            perform: { () async throws(CLIError) in
                var order = try await daybook.resolver.record(Order.self, which)
                try change(&order)
                // The service merges: what others changed since this version is theirs, unless it is changed here too.
                if let basedOn { order.version = basedOn }
                do throws(CLIError) {
                    return try await daybook.send(Put(order), key: key)
                } catch .client(.refused(let service, .conflict, let body)) {
                    throw .client(.refused(service, .conflict, Self.showingBoth(body, wanted: order)))
                }
            }
        )
    }

    /// Whether the order could be called so; an end of an id, a number and a reference never change.
    private func isNamed(_ order: Order) -> Bool {
        let digits = which.lowercased().filter { $0 != "-" }
        return order.id.hexadecimal.hasSuffix(digits) || order.id.hexadecimal.hasPrefix(digits)
            || which == String(order.number) || which == "#\(order.number)" || which == order.reference
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

    /// The field as people read it; a row that is not there is `(none)`.
    private static func value(of field: String, in order: Order) -> String? {
        switch field {
        case "customer": return order.customerLabel
        case "date": return order.date.description
        case "made": return order.made ? "yes" : "no"
        case "paid": return order.paid ? "yes" : "no"
        case "currency": return order.currency.code
        default:
            guard field.hasPrefix("rows/"), let id = Identifier(String(field.dropFirst("rows/".count))) else {
                return nil
            }
            return order.lines.first { $0.id == id }?.text ?? "(none)"
        }
    }
}
