internal import Messages
internal import Service
internal import Store

/// The values of a statement, numbered as they are added.
struct Parameters {
    private(set) var values: [Value] = []

    /// The value's name in the statement: `$3`.
    mutating func add(_ value: Value) -> String {
        values.append(value)
        return "$\(values.count)"
    }
}

/// What a statement reads: the facts of now, or those of a moment. Each is a table or a subquery with the columns that
/// reports read.
struct FactView {
    let orders: String
    let rows: String
    let payments: String
    let names: String

    init(_ reached: AsOf.Reached?, _ parameters: inout Parameters) {
        guard let reached else {
            (orders, rows, payments, names) = ("orders", "order_rows", "payments", "names")
            return
        }
        let catalog = parameters.add(.integer(reached.catalog ?? 0))
        let sequence = parameters.add(.integer(reached.orders ?? 0))
        let columns = """
            id, number, number_year, date, due, customer, currency, made, paid, cancelled, total, tax, open
            """
        orders = """
            (SELECT \(columns) FROM orders WHERE since <= \(sequence) UNION ALL
            SELECT \(columns) FROM past_orders WHERE since <= \(sequence) AND until > \(sequence))
            """
        rows = Self.parts("order_rows", ["service", "sum", "tax"], sequence)
        payments = Self.parts("payments", ["position", "date", "amount"], sequence)
        names = """
            (SELECT id, name, name_key, reference FROM names WHERE since <= \(catalog) UNION ALL
            SELECT id, name, name_key, reference FROM past_names WHERE since <= \(catalog) AND until > \(catalog))
            """
    }

    private static func parts(_ table: String, _ columns: [String], _ sequence: String) -> String {
        let columns = (["\"order\""] + columns).map { "p.\($0)" }.joined(separator: ", ")
        return """
            (SELECT \(columns) FROM \(table) p JOIN orders v ON v.id = p."order" WHERE v.since <= \(sequence) UNION ALL
            SELECT \(columns) FROM past_\(table) p JOIN past_orders v ON v.id = p."order" AND v.since = p.since
            WHERE v.since <= \(sequence) AND v.until > \(sequence))
            """
    }
}

/// Live lists are of now.
func checkIsOfNow(_ asOf: AsOf?) throws(ServiceError) {
    guard asOf != nil else { return }
    throw .invalid(field: "parameters", "a live list shows what is now: leave asOf out")
}

/// A period of days, both ends included, as the store compares them.
struct Period {
    let from: String
    let through: String

    init(from: CalendarDay?, through: CalendarDay?) throws(ServiceError) {
        if let from, let through, through < from {
            throw .invalid(
                field: "through",
                found: through.description,
                "the period ends on \(through), before it starts on \(from): turn the two around"
            )
        }
        self.from = from?.description ?? "0000-00-00"
        self.through = through?.description ?? "9999-99-99"
    }
}
