internal import Messages
internal import Service
internal import Store

/// How orders are numbered, and what became of the numbers: each from 1 to the last one is an order's, or was.
enum Numbering: String, CaseIterable {
    /// One run of numbers, for good.
    case running
    /// Anew in each year, by the order's date; shown as `2024-17`.
    case yearly

    /// Reads the setting.
    ///
    /// - Throws: ``StartError`` for another word.
    init(setting: String?) throws(StartError) {
        guard let setting else {
            self = .running
            return
        }
        guard let numbering = Numbering(rawValue: setting) else {
            throw StartError("DAYBOOK_ORDER_NUMBERS is '\(setting)': write running or yearly")
        }
        self = numbering
    }

    /// What remains of a deleted order: its number, and when it went.
    static let schema = """
        CREATE TABLE deleted_orders (
            id BLOB PRIMARY KEY NOT NULL,
            "numberYear" INTEGER,
            number INTEGER NOT NULL,
            date TEXT NOT NULL,
            deleted INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deleted_orders_number ON deleted_orders ("numberYear", number);

        """

    /// Gives a new order its number. It is never given to another: a refused command takes none.
    func number(_ order: inout Order, _ transaction: inout Transaction) throws(ServiceError) {
        order.numberYear = self == .yearly ? order.date.year : nil
        let counter = order.numberYear.map { "order/\($0)" } ?? "order"
        order.number = try transaction.nextNumber(counter)
    }

    /// Numbers are accounted for also where the log no longer goes back to them.
    static let archived = ArchivedTable(
        "deleted_orders",
        key: "id",
        columns: ["id", "numberYear", "number", "date", "deleted"],
        read: .beforeLog
    )

    @Sendable static func didDelete(_ order: Order, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute(
            "INSERT INTO deleted_orders (id, \"numberYear\", number, date, deleted) VALUES ($1, $2, $3, $4, $5)"
                + " ON CONFLICT (id) DO UPDATE SET deleted = excluded.deleted",
            .id(order.id),
            .optional(order.numberYear.map(Int64.init)),
            .integer(order.number),
            .text(order.date.description),
            .integer(transaction.time.microseconds)
        )
    }

    /// A deleted order that is made again has its number again.
    static func didCreate(_ order: Order, _ transaction: inout Transaction) throws(ServiceError) {
        try transaction.execute("DELETE FROM deleted_orders WHERE id = $1", .id(order.id))
    }

    @Sendable static func list(_ request: OrderNumbers, _ reading: Reading) throws(ServiceError) -> OrderNumbers.Reply {
        let limit = request.limit ?? OrderNumbers.longestPage
        guard 1...OrderNumbers.longestPage ~= limit else {
            throw .invalid(
                field: "limit",
                found: String(limit),
                "a page has 1 to \(OrderNumbers.longestPage) numbers, not \(limit)"
            )
        }
        var numbers: [OrderNumbers.Number] = []
        try reading.query(
            """
            SELECT number, id, date, cancelled, NULL FROM orders
            WHERE "numberYear" IS NOT DISTINCT FROM $1 AND number > $2
            UNION ALL
            SELECT number, id, date, 0, deleted FROM deleted_orders
            WHERE "numberYear" IS NOT DISTINCT FROM $1 AND number > $2
            ORDER BY 1 LIMIT $3
            """,
            .optional(request.year.map(Int64.init)),
            .integer(request.after ?? 0),
            .integer(Int64(limit) + 1)
        ) { (row) throws(StoreError) in
            guard let id = row.id(1), let date = CalendarDay(row.text(2)) else {
                throw .fault("an order's number can't be read")
            }
            let deleted = row.isNull(4) ? nil : Instant(microseconds: row.integer(4))
            let state: OrderNumbers.State = deleted != nil ? .deleted : row.boolean(3) ? .cancelled : .kept
            numbers.append(
                OrderNumbers.Number(number: row.integer(0), id: id, date: date, state: state, deleted: deleted)
            )
        }
        var years: [Int] = []
        try reading.query(
            """
            SELECT DISTINCT "numberYear" FROM orders WHERE "numberYear" IS NOT NULL
            UNION SELECT "numberYear" FROM deleted_orders WHERE "numberYear" IS NOT NULL ORDER BY 1
            """
        ) { row in years.append(Int(row.integer(0))) }
        let more = numbers.count > limit
        if more { numbers.removeLast() }
        return OrderNumbers.Reply(numbers: numbers, years: years, next: more ? numbers.last?.number : nil)
    }
}
