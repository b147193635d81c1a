import CBOR
import Client
import Messages
import Store
import Support
import ZeroMQ

/// What each report takes over 1,000,000 rows of orders: the whole trip of its request, beside the same sums added up by
/// bare SQLite from one table of the rows.
enum Reports {
    static var benchmark: Benchmark {
        Benchmark(
            name: "reports",
            title: "reports over 1,000,000 rows of 100,000 orders; ratio to SELECT … GROUP BY over the rows",
            rounds: 5,
            prepare: { scratch in
                let books = try await LargeBooks(scratch, "books")
                let questions = try questions(books)
                func rate(_ name: String, _ time: UInt64) -> Figure {
                    let rows = Double(LargeBooks.orders * LargeBooks.rowsOfOrder)
                    return Figure(name, Double(time) / rows, "ns")
                }
                return [
                    Case(name: "bare SQLite") {
                        try questions.flatMap { question in
                            let time = try timed { try books.bare.query(question.sql) { _ in } }
                            return Figure.times(question.name, [time])
                        } + [rate("row built", books.times.inserted), rate("row imported", books.times.inserted)]
                    },
                    Case(name: "Daybook") {
                        try questions.flatMap { question in
                            try Figure.times(question.name, times(question.frames, books.reporting))
                        } + [
                            rate("row built", books.times.built), rate("row imported", books.times.imported),
                            Figure("peak memory of reporting", books.peakBytes() / 1_048_576, "MiB"),
                        ]
                    },
                ]
            }
        )
    }

    private struct Question {
        var name: String
        var frames: [[UInt8]]
        var sql: String

        init(_ name: String, _ request: some Request, _ sql: String) throws {
            (self.name, self.sql) = (name, sql)
            frames = try RawSocket.frames(request)
        }
    }

    /// As many as fit into a second, up to 20.
    private static func times(_ frames: [[UInt8]], _ asking: Asking) throws -> [UInt64] {
        var times: [UInt64] = []
        let start = now()
        while times.isEmpty || times.count < 20 && now() - start < 1_000_000_000 {
            times.append(
                try timed {
                    try asking.send(frames)
                    let header = try asking.reply()[0].withUnsafeBytes {
                        try CBORDecoder().decode(ReplyHeader.self, from: $0)
                    }
                    guard header.status == .ok else {
                        throw HarnessError("a report was answered with \(header.status)")
                    }
                }
            )
        }
        return times
    }

    private static func sums(_ group: String, where condition: String = "1", _ rest: String = "") -> String {
        """
        SELECT \(group) AS part, currency, count(DISTINCT "order"), sum(sum) FROM rows WHERE \(condition)
        GROUP BY part, currency \(rest)
        """
    }

    private static func questions(_ books: LargeBooks) throws -> [Question] {
        let groups: [(TotalsReport.Grouping, String)] = [
            (.customer, "customer"), (.service, "service"), (.day, "date"), (.week, "strftime('%Y-%W', date)"),
            (.month, "substr(date, 1, 7)"), (.quarter, "(substr(date, 6, 2) + 2) / 3 + substr(date, 1, 4) * 10"),
            (.year, "substr(date, 1, 4)"),
        ]
        let (from, through) = (CalendarDay("2023-01-01"), CalendarDay("2023-12-31"))
        let year = "date BETWEEN '2023-01-01' AND '2023-12-31'"
        let customer = "customer = x'\(hexadecimal(books.customer))'"
        let service = "service = x'\(hexadecimal(books.service))'"
        var questions = try groups.map { by, group in
            try Question("by \(by.rawValue)", TotalsReport(by: by), sums(group))
        }
        questions += try groups.filter { $0.0 != .day && $0.0 != .week }.map { by, group in
            let report = TotalsReport(by: by, from: from, through: through)
            return try Question("by \(by.rawValue), 12 months", report, sums(group, where: year))
        }
        questions += [
            try Question(
                "by month, unpaid",
                TotalsReport(by: .month, made: true, paid: false),
                sums("substr(date, 1, 7)", where: "made = 1 AND paid = 0")
            ),
            try Question(
                "by month, a customer",
                TotalsReport(by: .month, customer: books.customer),
                sums("substr(date, 1, 7)", where: customer)
            ),
            try Question(
                "by service, a customer",
                TotalsReport(by: .service, customer: books.customer),
                sums("service", where: customer)
            ),
            try Question(
                "by customer, a service",
                TotalsReport(by: .customer, service: books.service),
                sums("customer", where: service)
            ),
            try Question(
                "by customer, 45 days",
                TotalsReport(by: .customer, from: from, through: CalendarDay("2023-02-14")),
                sums("customer", where: "date BETWEEN '2023-01-01' AND '2023-02-14'")
            ),
            try Question(
                "top 10 customers",
                TotalsReport(by: .customer, limit: 10),
                sums("customer", "ORDER BY 4 DESC LIMIT 10")
            ),
            try Question("unpaid", UnpaidReport(), sums("\"order\"", where: "made = 1 AND paid = 0")),
            try Question("statement", StatementReport(customer: books.customer), sums("\"order\"", where: customer)),
            try Question(
                "by month, as of the middle",
                TotalsReport(by: .month, asOf: AsOf(sequence: books.head / 2)),
                sums("substr(date, 1, 7)", where: "rowid <= \(LargeBooks.orders * LargeBooks.rowsOfOrder / 2)")
            ),
        ]
        return questions
    }

    private static func hexadecimal(_ id: Identifier) -> String {
        id.description.filter { $0 != "-" }
    }
}
