internal import Messages
internal import Service
internal import Store

// The statements of totals. Each row has the id, the name or the day or month, the reference, how many orders, the halves
// of the total and of the tax, and the currency.

extension KeptSums {
    /// Which kept sums count.
    static func condition(_ question: TotalsQuestion, _ kind: Kind, _ parameters: inout Parameters) -> String {
        var conditions = ["s.kind = \(kind.rawValue)"]
        if case .only(let id) = kind == .service ? question.service : kind == .customer ? question.customer : .all {
            conditions.append("s.key = \(parameters.add(key(id)))")
        }
        if let currency = question.currency { conditions.append("s.currency = \(parameters.add(.text(currency)))") }
        for (comparison, day) in [(">=", question.from), ("<=", question.through)] {
            guard let day else { continue }
            // Days are kept of all, months of customers and services.
            let time = kind == .all ? day.description : String(day.description.prefix(7))
            conditions.append("s.time \(comparison) \(parameters.add(.text(time)))")
        }
        if let made = question.made { conditions.append("s.made = \(made ? 1 : 0)") }
        if let paid = question.paid { conditions.append("s.paid = \(paid ? 1 : 0)") }
        return conditions.joined(separator: " AND ")
    }

    /// Sums by customer, service, day or month.
    static func sums(_ question: TotalsQuestion, _ kind: Kind, _ parameters: inout Parameters) -> String {
        let names = FactView(nil, &parameters).names
        let group =
            switch question.by {
            case .customer, .service: "s.key"
            case .day, .week: "s.time"
            case .month, .quarter, .year: "substr(s.time, 1, 7)"
            }
        return Addition.named(
            """
            SELECT \(group) AS part, s.currency, cast(sum(s.orders) AS BIGINT) AS orders,
                cast(sum(s.total_high) AS BIGINT) AS total_high, cast(sum(s.total_low) AS BIGINT) AS total_low,
                cast(sum(s.tax_high) AS BIGINT) AS tax_high, cast(sum(s.tax_low) AS BIGINT) AS tax_low
            FROM kept_sums s WHERE \(condition(question, kind, &parameters)) GROUP BY \(group), s.currency
            """,
            by: question.by,
            names
        )
    }
}

/// Sums that are added up from orders or their rows.
struct Addition {
    /// What stands behind FROM: `o` are the orders, and where rows are added up `r` the rows.
    let source: String
    /// Sums by customer, service or day.
    let sums: String

    init(_ question: TotalsQuestion, _ parameters: inout Parameters) {
        let view = FactView(question.asOf, &parameters)
        var conditions = ["o.cancelled = 0"]
        if let from = question.from { conditions.append("o.date >= \(parameters.add(.text(from.description)))") }
        if let through = question.through {
            conditions.append("o.date <= \(parameters.add(.text(through.description)))")
        }
        if let made = question.made { conditions.append("o.made = \(made ? 1 : 0)") }
        if let paid = question.paid { conditions.append("o.paid = \(paid ? 1 : 0)") }
        if let currency = question.currency { conditions.append("o.currency = \(parameters.add(.text(currency)))") }
        for (column, choice) in [("o.customer", question.customer), ("r.service", question.service)] {
            guard case .only(let id) = choice else { continue }
            conditions.append(id.map { "\(column) = \(parameters.add(.id($0)))" } ?? "\(column) IS NULL")
        }
        let isOfRows = question.isOfRows
        let tables = isOfRows ? "\(view.rows) r JOIN \(view.orders) o ON o.id = r.\"order\"" : "\(view.orders) o"
        source = "\(tables) WHERE \(conditions.joined(separator: " AND "))"
        let (total, tax) = isOfRows ? ("r.sum", "r.tax") : ("o.total", "o.tax")
        let part = question.by == .customer ? "o.customer" : question.by == .service ? "r.service" : "o.date"
        sums = Self.named(
            """
            SELECT \(part) AS part, o.currency, \(isOfRows ? "count(DISTINCT o.id)" : "count(*)") AS orders,
                cast(sum(\(total) >> 32) AS BIGINT) AS total_high,
                cast(sum(\(total) & 4294967295) AS BIGINT) AS total_low,
                cast(sum(\(tax) >> 32) AS BIGINT) AS tax_high, cast(sum(\(tax) & 4294967295) AS BIGINT) AS tax_low
            FROM \(source) GROUP BY \(part), o.currency
            """,
            by: question.by,
            view.names
        )
    }

    /// The sums with the names of what they are of.
    fileprivate static func named(_ sums: String, by: TotalsReport.Grouping, _ names: String) -> String {
        let values = "s.orders, s.total_high, s.total_low, s.tax_high, s.tax_low, s.currency"
        guard by == .customer || by == .service else {
            return "SELECT NULL, s.part, NULL, \(values) FROM (\(sums)) s"
        }
        return """
            SELECT s.part, n.name, n.reference, \(values) FROM (\(sums)) s LEFT JOIN \(names) n ON n.id = s.part
            ORDER BY coalesce(n.name_key, x''), s.part, s.currency
            """
    }
}
