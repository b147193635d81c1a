import CBOR
import Messages
import Support
import Testing

@testable import Reporting
@testable import Service

/// Reports as of a moment, against what was printed then.
struct AsOfTests {
    /// What the reports say, now or then.
    private func printed(_ trade: Trade, _ asOf: AsOf? = nil) throws -> [String] {
        var lines: [String] = []
        for order in try trade.reporting.send(UnpaidReport(asOf: asOf)).orders { lines.append("\(order)") }
        for by in TotalsReport.Grouping.allCases {
            let report = try trade.reporting.send(TotalsReport(by: by, asOf: asOf))
            lines += ["\(by) \(report.orders) \(report.totals)"] + report.groups.map { "\($0)" }
        }
        for customer in trade.customers {
            let statement = try trade.reporting.send(StatementReport(customer: customer.id, asOf: asOf))
            lines += ["\(statement.customerName ?? "-") \(statement.balances)"] + statement.entries.map { "\($0)" }
        }
        return lines
    }

    @Test(arguments: 0..<4) func aReportAsOfAMomentIsTheReportOfThen(seed: UInt64) throws {
        var random = SeededGenerator("as of \(seed)")
        let trade = try Trade()
        for index in 0..<3 { _ = try trade.add(customer: "Kim \(index)") }
        // Statements are of those who are customers in the end, so that the lines can be compared.
        var moments: [AsOf] = []
        var texts: [[String]] = []
        for _ in 0..<60 {
            let before = trade.orders.engine.log.sequence
            try trade.step(&random)
            let sequence = trade.orders.engine.log.sequence
            let known = trade.customers.count
            if sequence > before, Bool.random(using: &random) {
                moments.append(AsOf(sequence: sequence))
            } else {
                moments.append(AsOf(time: .now()))
            }
            texts.append(try printed(trade))
            #expect(trade.customers.count == known)
        }
        try compare(trade, moments, texts)
        try trade.rebuild(inPiecesOf: 5)
        try compare(trade, moments, texts)
    }

    private func compare(_ trade: Trade, _ moments: [AsOf], _ texts: [[String]]) throws {
        for (moment, text) in zip(moments, texts) {
            // Customers that came later have no entries, and those that went are asked for no more.
            let then = Set(try printed(trade, moment)).subtracting(["- []"])
            let printed = Set(text)
            #expect(then.subtracting(printed).isEmpty, "\(moment)")
            let missing = printed.subtracting(then)
            #expect(
                missing.allSatisfy {
                    $0.hasPrefix("StatementEntry") || $0.contains("StatementBalance") || $0.hasSuffix(" []")
                },
                "\(moment)"
            )
        }
    }

    @Test func whatWasOwedThenHasTheNamesOfThen() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim Berg")
        let order = try trade.put("2024-03-31", kim, [OrderRow(sum: 1000)])
        let first = trade.orders.engine.log.sequence
        try trade.rename(kim, to: "Kim Lind")
        let between = Instant.now()
        let day = try #require(CalendarDay("2024-04-01"))
        _ = try trade.change(order) { $0.payments = [Payment(date: day, amount: 400)] }
        _ = try trade.change(order) { $0.paid = true }

        func unpaid(_ asOf: AsOf?) throws -> [String] {
            try trade.reporting.send(UnpaidReport(asOf: asOf)).orders.map { "\($0.customerName ?? "-") \($0.open)" }
        }
        #expect(try unpaid(nil) == [])
        #expect(try unpaid(AsOf(sequence: first)) == ["Kim Berg 10.00 EUR"])
        #expect(try unpaid(AsOf(time: between)) == ["Kim Lind 10.00 EUR"])
        #expect(try unpaid(AsOf(sequence: first + 1)) == ["Kim Lind 6.00 EUR"])
        #expect(try unpaid(AsOf(sequence: 0)) == [])
        #expect(try unpaid(AsOf(time: .now())) == [])
        let reply = try trade.reporting.send(UnpaidReport(asOf: AsOf(time: between)))
        #expect(reply.asOf?.orders == first && reply.asOf?.catalog == 2)
        for wrong in [AsOf(sequence: first + 99), AsOf(sequence: -1)] {
            #expect(throws: ServiceError.self) { try unpaid(wrong) }
        }
        var both = AsOf(sequence: first)
        both.time = between
        #expect(throws: ServiceError.self) { try unpaid(both) }
    }

    @Test func erasedNamesAreErasedFromThePast() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim Berg", reference: "K-1")
        _ = try trade.put("2024-03-31", kim, [OrderRow(sum: 1000)])
        let then = AsOf(sequence: trade.orders.engine.log.sequence)
        try trade.rename(kim, to: "Kim Lind")
        try trade.catalog.send(Erase<Customer>(id: kim.id))
        try trade.follow()
        let report = try trade.reporting.send(TotalsReport(by: .customer, asOf: then))
        #expect(report.groups.map(\.label) == [Erased.name] && report.groups.map(\.reference) == [nil])
        #expect(report.totals.map(\.amount) == [1000])
        #expect(try trade.reporting.rows("SELECT name FROM past_names").allSatisfy { $0 == Erased.name })
    }

    /// An event as a log has it.
    private func event(_ sequence: Int64, _ order: Order, at seconds: Int64) throws -> EncodedCBOR {
        try EncodedCBOR(
            encoding: Event(
                sequence: sequence,
                previous: sequence - 1,
                transaction: sequence,
                last: true,
                type: sequence == 1 ? "order.created" : "order.updated",
                subject: order.id,
                time: Instant(microseconds: seconds * 1_000_000),
                version: Int(sequence),
                data: try EncodedCBOR(encoding: order),
                before: nil,
                principal: nil,
                cause: nil,
                traceparent: nil
            )
        )
    }

    @Test func aClockThatWasPutBackLeavesTheOrderOfEvents() throws {
        let trade = try Trade()
        _ = try trade.add(customer: "Kim")
        let day = try #require(CalendarDay("2024-03-31"))
        var events: [EncodedCBOR] = []
        // The third event's clock is behind the second's.
        for (index, seconds) in [100, 300, 200, 400].enumerated() {
            let total = Int64(index + 1) * 100
            let order = Order(id: .test, date: day, currency: .eur, made: true, total: total, open: total)
            events.append(try event(Int64(index + 1), order, at: Int64(seconds)))
        }
        try trade.reporting.apply(events, of: .orders, epoch: .make())
        func open(_ seconds: Int64) throws -> [Int64] {
            let asOf = AsOf(time: Instant(microseconds: seconds * 1_000_000))
            return try trade.reporting.send(TotalsReport(by: .month, asOf: asOf)).totals.map(\.amount)
        }
        #expect(try open(50) == [] && open(100) == [100] && open(250) == [100])
        #expect(try open(300) == [300] && open(399) == [300] && open(400) == [400])
    }

    @Test func whatIsOlderThanACopyIsRefusedWithTheEarliestMoment() throws {
        let trade = try Trade()
        let kim = try trade.add(customer: "Kim")
        var order = try trade.put("2024-03-31", kim, [OrderRow(sum: 1000)])
        order = try trade.change(order) { $0.rows = [OrderRow(sum: 2000)] }
        let whole = try trade.reporting.send(HashProjection(source: .orders))
        let sums = try trade.reporting.send(TotalsReport(by: .customer))
        // The orders are copied as they are, at the log's head.
        let head = trade.orders.engine.log.sequence
        let engine = trade.reporting.engine
        try engine.reset(.orders, isOtherLog: false, isCopied: true).get()
        var copy = SnapshotCopy(epoch: trade.orders.engine.log.epoch, entities: [Order.entity])
        let page = try trade.orders.send(ReadSnapshot(entity: Order.entity))
        copy.add(page)
        try engine.copy(CopiedRows(entity: Order.entity, rows: page.rows, sequence: page.sequence), of: .orders).get()
        let cursor = Cursor(epoch: page.epoch, sequence: page.sequence, chain: page.chain)
        _ = try engine.apply([], of: .orders, reaching: cursor, catchingUp: copy).get()

        #expect(try trade.reporting.send(HashProjection(source: .orders)) == whole)
        #expect(try trade.reporting.send(TotalsReport(by: .customer)) == sums)
        let error = #expect(throws: ServiceError.self) {
            try trade.reporting.send(TotalsReport(by: .month, asOf: AsOf(sequence: head - 1)))
        }
        #expect(error.map { "\($0)".contains("event \(head) on") } == true)
        #expect(error.map { "\($0)".contains("gone") } == true)
        let report = try trade.reporting.send(TotalsReport(by: .month, asOf: AsOf(sequence: head)))
        #expect(report.totals.map(\.amount) == [2000])
        // From there on the past is known.
        let then = Instant.now()
        _ = try trade.change(order) { $0.rows = [] }
        #expect(try trade.reporting.send(TotalsReport(by: .month)).totals.map(\.amount) == [0])
        #expect(
            try trade.reporting.send(TotalsReport(by: .month, asOf: AsOf(time: then))).totals.map(\.amount) == [2000]
        )
    }
}

extension Identifier {
    fileprivate static let test = Identifier.make()
}
