internal import Messages
internal import Service
internal import Store

/// Sums of all orders that are not cancelled, by day; and by month and customer or service: kept as the events arrive.
///
/// Sums are in two halves of 32 bits, the upper one signed, so that no sum of sums overflows: a report that doesn't fit
/// into an amount is refused when it is asked for, not when an order comes.
enum KeptSums {
    static let schema = """
        CREATE TABLE kept_sums (
            kind INTEGER NOT NULL,
            key BLOB NOT NULL,
            currency TEXT NOT NULL,
            time TEXT NOT NULL,
            made INTEGER NOT NULL,
            paid INTEGER NOT NULL,
            orders INTEGER NOT NULL,
            total_high INTEGER NOT NULL,
            total_low INTEGER NOT NULL,
            tax_high INTEGER NOT NULL,
            tax_low INTEGER NOT NULL,
            PRIMARY KEY (kind, key, currency, time, made, paid)
        ) STRICT, WITHOUT ROWID;

        """

    /// What the sums are of.
    enum Kind: Int64 {
        /// All orders of a day: `time` is as 2024-03-31.
        case all
        /// Those of a customer and a month: `time` is as 2024-03.
        case customer
        /// Rows, not orders, of a service and a month.
        case service
    }

    /// The id of the customer or service; empty for those without one.
    static func key(_ id: Identifier?) -> Value { id.map(Value.id) ?? .blob([]) }

    /// An amount, or a sum of amounts.
    struct Halves: Equatable {
        var high: Int64 = 0
        var low: Int64 = 0

        /// The amount of the halves; nil where it is more than an amount can be.
        var amount: Int64? { Int64(exactly: Int128(high) << 32 + Int128(low)) }

        mutating func add(_ other: Halves) {
            high += other.high
            low += other.low
        }

        mutating func add(_ amount: Int64, times: Int64) {
            high += (amount >> 32) * times
            low += (amount & 0xFFFF_FFFF) * times
        }
    }

    /// What the events of a batch change.
    final class Changes {
        private struct Cell: Hashable {
            var kind: Kind
            var key: Identifier?
            var currency: String
            var time: Substring
            var made: Bool
            var paid: Bool
        }

        private struct Change: Equatable {
            var orders: Int64 = 0
            var total = Halves()
            var tax = Halves()
        }

        private var cells: [Cell: Change] = [:]

        /// Those of the open batch.
        static func gathered(_ transaction: inout Transaction) -> Changes {
            if let changes = transaction.gathered as? Changes { return changes }
            let changes = Changes()
            transaction.gathered = changes
            return changes
        }

        /// Adds the order, or takes it away with -1 times.
        func count(_ order: OrderFact, times: Int64) {
            guard !order.cancelled else { return }
            var cell = Cell(
                kind: .all,
                key: nil,
                currency: order.currency,
                time: order.date[...],
                made: order.made,
                paid: order.paid
            )
            add(order.total, order.tax, orders: 1, times, to: cell)
            (cell.kind, cell.key, cell.time) = (.customer, order.customer, order.date.prefix(7))
            add(order.total, order.tax, orders: 1, times, to: cell)
            cell.kind = .service
            var counted: Set<Identifier?> = []
            for row in order.rows {
                cell.key = row.service
                add(row.sum, row.tax, orders: counted.insert(row.service).inserted ? 1 : 0, times, to: cell)
            }
        }

        private func add(_ total: Int64, _ tax: Int64, orders: Int64, _ times: Int64, to cell: Cell) {
            cells[cell, default: Change()].orders += orders * times
            cells[cell, default: Change()].total.add(total, times: times)
            cells[cell, default: Change()].tax.add(tax, times: times)
        }

        /// Writes each sum that was changed, once; one of no orders is no more.
        func write(_ transaction: inout Transaction) throws(ServiceError) {
            for (cell, change) in cells where change != Change() {
                let place: [Value] = [
                    .integer(cell.kind.rawValue), KeptSums.key(cell.key), .text(cell.currency),
                    .text(String(cell.time)), .boolean(cell.made), .boolean(cell.paid),
                ]
                let values: [Value] = [
                    .integer(change.orders), .integer(change.total.high), .integer(change.total.low),
                    .integer(change.tax.high), .integer(change.tax.low),
                ]
                let session = transaction.session
                try storing { () throws(StoreError) in
                    try session.execute(Self.upsert, place + values)
                    guard change.orders < 0 else { return }
                    try session.execute(Self.drop, place)
                }
            }
            cells = [:]
        }

        private static let upsert = """
            INSERT INTO kept_sums
                (kind, key, currency, time, made, paid, orders, total_high, total_low, tax_high, tax_low)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (kind, key, currency, time, made, paid) DO UPDATE SET
                orders = kept_sums.orders + excluded.orders,
                total_high = kept_sums.total_high + excluded.total_high,
                total_low = kept_sums.total_low + excluded.total_low,
                tax_high = kept_sums.tax_high + excluded.tax_high,
                tax_low = kept_sums.tax_low + excluded.tax_low
            """
        private static let drop = """
            DELETE FROM kept_sums
            WHERE kind = $1 AND key = $2 AND currency = $3 AND time = $4 AND made = $5 AND paid = $6 AND orders = 0
            """
    }
}
