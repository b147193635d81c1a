import Messages
import Store
import Support
import Testing

@testable import Reporting
@testable import Service

/// Totals against the orders themselves, added up here.
struct KeptSumsTests {
    /// A group: what it is of, and its currency.
    private struct Place: Hashable {
        var id: Identifier?
        var label: String?
        var currency: String
    }

    private struct Sum: Hashable {
        var orders: Set<Identifier> = []
        var total: Int64 = 0
        var tax: Int64 = 0
    }

    private func expected(_ report: TotalsReport, _ orders: [Order]) throws -> [Place: Sum] {
        var sums: [Place: Sum] = [:]
        for order in orders where order.cancelled != true {
            if let from = report.from, order.date < from { continue }
            if let through = report.through, order.date > through { continue }
            if let made = report.made, order.made != made { continue }
            if let paid = report.paid, order.paid != paid { continue }
            if let customer = report.customer, order.customer != customer { continue }
            let shares = try order.taxSummary().shares
            let isOfRows = report.by == .service || report.service != nil
            let parts: [(service: Identifier?, total: Int64, tax: Int64)] =
                isOfRows
                ? zip(order.rows, shares).map { row, tax in
                    (row.service, row.sum + (order.taxIncluded == true ? 0 : tax), tax)
                } : [(nil, order.total, order.tax ?? 0)]
            for part in parts {
                if let service = report.service, part.service != service { continue }
                var place = Place(currency: order.currency.code)
                let day = order.date
                switch report.by {
                case .customer: place.id = order.customer
                case .service: place.id = part.service
                case .day: place.label = "\(day)"
                case .week: place.label = "\(day.week)"
                case .month: place.label = String("\(day)".prefix(7))
                case .quarter: place.label = "\("\(day)".prefix(4))-Q\((day.month + 2) / 3)"
                case .year: place.label = String("\(day)".prefix(4))
                }
                sums[place, default: Sum()].orders.insert(order.id)
                sums[place, default: Sum()].total += part.total
                sums[place, default: Sum()].tax += part.tax
            }
        }
        return sums
    }

    private func check(_ report: TotalsReport, _ trade: Trade, _ orders: [Order]) throws {
        let expected = try expected(report, orders)
        let reply = try trade.reporting.send(report)
        var found: [Place: [Int64]] = [:]
        for group in reply.groups {
            let isByTime = group.start != nil
            let place = Place(id: group.id, label: isByTime ? group.label : nil, currency: group.total.currency.code)
            #expect(found[place] == nil)
            found[place] = [group.orders, group.total.amount, group.tax.amount]
        }
        #expect(found == expected.mapValues { [Int64($0.orders.count), $0.total, $0.tax] }, "\(report)")
        let counted = expected.values.reduce(into: Set<Identifier>()) { $0.formUnion($1.orders) }
        // By service, orders without rows are in no group, and count all the same.
        if report.by != .service { #expect(reply.orders == Int64(counted.count), "\(report)") }
        var totals: [String: Int64] = [:]
        for (place, sum) in expected { totals[place.currency, default: 0] += sum.total }
        #expect(Dictionary(uniqueKeysWithValues: reply.totals.map { ($0.currency.code, $0.amount) }) == totals)
        if report.by != .customer, report.by != .service {
            #expect(reply.groups.map(\.start) == reply.groups.map(\.start).sorted { ($0 ?? .last) < ($1 ?? .last) })
        }
    }

    private static let periods: [(String?, String?)] = [
        (nil, nil), ("2023-12-01", "2024-01-31"), ("2024-01-01", nil), (nil, "2024-02-29"),
        ("2023-12-05", "2024-02-10"),
    ]

    @Test(arguments: 0..<6) func totalsAreTheSumsOfTheOrdersWhateverHappens(seed: UInt64) throws {
        var random = SeededGenerator("totals \(seed)")
        let trade = try Trade()
        for round in 0..<150 {
            try trade.step(&random)
            guard round % 25 == 24 else { continue }
            let orders = try trade.all()
            for by in TotalsReport.Grouping.allCases {
                for (from, through) in Self.periods {
                    let report = TotalsReport(
                        by: by,
                        from: from.flatMap(CalendarDay.init),
                        through: through.flatMap(CalendarDay.init),
                        customer: Int.random(in: 0..<3, using: &random) == 0
                            ? trade.customers.randomElement(using: &random)?.id : nil,
                        service: Int.random(in: 0..<3, using: &random) == 0
                            ? trade.services.randomElement(using: &random)?.id : nil,
                        made: [nil, nil, true, false].randomElement(using: &random) ?? nil,
                        paid: [nil, nil, true, false].randomElement(using: &random) ?? nil
                    )
                    try check(report, trade, orders)
                }
                try check(TotalsReport(by: by), trade, orders)
            }
        }
        try checkKept(trade)
    }

    /// The kept sums are those that a rebuild in other pieces gives, and there is none of no orders.
    private func checkKept(_ trade: Trade) throws {
        let hash = HashProjection(source: .orders)
        let before = try trade.reporting.send(hash)
        try trade.rebuild(inPiecesOf: 7)
        #expect(try trade.reporting.send(hash) == before)
        try trade.rebuild(inPiecesOf: 1)
        #expect(try trade.reporting.send(hash) == before)
        #expect(try trade.reporting.rows("SELECT time FROM kept_sums WHERE orders <= 0").isEmpty)
    }

    @Test func daysOfAllAndMonthsOfEachAreReadFromKeptSumsAlone() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim")
        for day in 10..<30 { _ = try trade.put("2024-02-\(day)", kim, [OrderRow(sum: 100)]) }
        let day = try #require(CalendarDay("2024-02-01"))
        let end = try #require(CalendarDay("2024-02-29"))
        for by in TotalsReport.Grouping.allCases {
            let question = try TotalsQuestion(TotalsReport(by: by, from: day, through: end, made: true), asOf: nil)
            #expect(question.kept != nil, "\(by)")
        }
        #expect(try TotalsQuestion(TotalsReport(by: .month, from: end), asOf: nil).kept == .all)
        #expect(try TotalsQuestion(TotalsReport(by: .customer, from: end), asOf: nil).kept == nil)
        #expect(try TotalsQuestion(TotalsReport(by: .day, customer: kim.id), asOf: nil).kept == nil)
        // What the orders' tables say no longer takes part.
        try trade.reporting.engine.session.execute("UPDATE orders SET total = 0")
        for by in TotalsReport.Grouping.allCases where by != .service {
            #expect(try trade.reporting.send(TotalsReport(by: by)).totals.map(\.amount) == [2000], "\(by)")
        }
    }

    /// Many events of one batch that change one sum write it once.
    @Test func aBatchWritesEachSumOnce() throws {
        let trade = try Trade()
        for _ in 0..<50 {
            try trade.orders.send(Put(Order(date: try #require(CalendarDay("2024-03-31")), currency: .eur, rows: [])))
        }
        let session = trade.reporting.engine.session
        try session.executeScript(
            """
            CREATE TABLE writes (kind INTEGER);
            CREATE TRIGGER inserted AFTER INSERT ON kept_sums BEGIN INSERT INTO writes VALUES (new.kind); END;
            CREATE TRIGGER updated AFTER UPDATE ON kept_sums BEGIN INSERT INTO writes VALUES (new.kind); END;
            """
        )
        try trade.follow()
        #expect(try trade.reporting.rows("SELECT kind FROM writes ORDER BY kind") == ["0", "1"])
        #expect(try trade.reporting.send(TotalsReport(by: .month)).groups.map(\.orders) == [50])
    }

    @Test func sumsBeyondAnAmountAreRefusedWhenAskedForOnly() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim")
        let lind = try trade.add(customer: "Lind")
        for customer in [kim, lind] { _ = try trade.put("2024-03-31", customer, [OrderRow(sum: .max)]) }
        #expect(throws: ServiceError.self) { try trade.reporting.send(TotalsReport(by: .month)) }
        let report = TotalsReport(by: .month, customer: kim.id)
        #expect(try trade.reporting.send(report).totals.map(\.amount) == [.max])
        _ = try trade.put("2024-03-31", kim, [OrderRow(sum: -.max)])
        #expect(try trade.reporting.send(TotalsReport(by: .month)).totals.map(\.amount) == [.max])
    }

    @Test func onlyTheLargestOfEachCurrencyAreToldWhereThereIsALimit() throws {
        let trade = try Trade()
        for (name, sum) in [("Ada", 100), ("Bo", 300), ("Cy", 200), ("Di", 300)] {
            _ = try trade.put("2024-03-31", trade.add(customer: name), [OrderRow(sum: Int64(sum))])
        }
        let report = try trade.reporting.send(TotalsReport(by: .customer, limit: 3))
        #expect(report.groups.map(\.label) == ["Bo", "Di", "Cy"])
        #expect(report.totals.map(\.amount) == [900] && report.orders == 4)
        #expect(throws: ServiceError.self) { try trade.reporting.send(TotalsReport(by: .customer, limit: 0)) }
    }

    @Test func theLastDayIsInThePeriod() throws {
        let trade = try Trade()
        for (date, sum) in [("2024-01-31", 1000), ("2024-02-01", 2000), ("2024-02-29", 4000), ("2024-03-01", 8000)] {
            _ = try trade.put(date, nil, [OrderRow(sum: Int64(sum))])
        }
        func total(_ from: String, _ through: String) throws -> [Int64] {
            let (from, through) = (CalendarDay(from), CalendarDay(through))
            let unpaid = try trade.reporting.send(UnpaidReport(from: from, through: through)).totals.map(\.amount)
            let totals = try trade.reporting.send(TotalsReport(by: .day, from: from, through: through)).totals
            #expect(totals.map(\.amount) == unpaid)
            return unpaid
        }
        #expect(try total("2024-02-01", "2024-02-29") == [6000])
        #expect(try total("2024-02-01", "2024-02-01") == [2000])
        #expect(throws: ServiceError.self) { try total("2024-02-02", "2024-02-01") }
    }

    @Test func minusAndZeroCount() throws {
        let trade = try Trade()
        _ = try trade.put("2024-03-31", nil, [OrderRow(sum: 10_000), OrderRow(sum: -2550), OrderRow(sum: 0)])
        _ = try trade.put("2024-03-31", nil, [OrderRow(sum: -1000)])
        _ = try trade.put("2024-03-31", nil, [])
        let unpaid = try trade.reporting.send(UnpaidReport())
        #expect(Set(unpaid.orders.map(\.open.amount)) == [7450, -1000, 0] && unpaid.totals.map(\.amount) == [6450])
        for by in TotalsReport.Grouping.allCases {
            let report = try trade.reporting.send(TotalsReport(by: by))
            #expect(report.totals.map(\.amount) == [6450] && report.orders == 3, "\(by)")
        }
    }
}
