import CBOR
import Messages
import Store
import Support
import Testing

@testable import LiveList
@testable import Reporting
@testable import Service

/// Reports as live lists: after each step of following, what a watcher has is the report that is asked for then.
struct LiveReportTests {
    /// A list, a mirror of it which knows only what is told, and the report that its rows make.
    private struct Watched {
        var plan: ListHub.Plan
        var mirror: FetchedResults<EncodedCBOR>
        var isReport: (FetchedResults<EncodedCBOR>, Trade) throws -> Bool
    }

    private func watch<R: Request, Row: Decodable>(
        _ report: R,
        _ trade: Trade,
        _ hub: inout ListHub,
        isReport: @escaping ([Row], R.Reply) throws -> Bool
    ) throws -> Watched {
        let name = try #require(R.operation.split(separator: ".").last)
        let query = ListQuery(.report(String(name)), parameters: try EncodedCBOR(encoding: report))
        let engine = trade.reporting.engine
        let plan = try hub.plan(query, service: .reporting)
        guard case .build = hub.open(plan, now: 0) else { throw Unexpected("the list is open already") }
        let list = try plan.build(engine.session, positions: engine.positions)
        let built = try hub.built(plan, list, positions: engine.positions, engine.session, now: 0)
        let snapshot = try #require(built)
        return Watched(plan: plan, mirror: try FetchedResults(snapshot.reply(topic: plan.topic))) { mirror, trade in
            try isReport(try mirror.rows.map { try $0.decode(Row.self) }, try trade.reporting.send(report))
        }
    }

    private func watch(_ report: UnpaidReport, _ trade: Trade, _ hub: inout ListHub) throws -> Watched {
        try watch(report, trade, &hub) { (rows: [ReportedOrder], reply) in rows == reply.orders }
    }

    private func watch(_ report: TotalsReport, _ trade: Trade, _ hub: inout ListHub) throws -> Watched {
        try watch(report, trade, &hub) { (rows: [TotalsGroup], reply) in rows == reply.groups }
    }

    private func watch(_ report: StatementReport, _ trade: Trade, _ hub: inout ListHub) throws -> Watched {
        try watch(report, trade, &hub) { (rows: [StatementLine], reply) in
            try StatementReport.Reply(of: rows) == reply
        }
    }

    private func all(_ trade: Trade, _ hub: inout ListHub) throws -> [Watched] {
        let (from, through) = (CalendarDay("2023-12-15"), CalendarDay("2024-01-31"))
        let (kim, bath) = (trade.customers[0].id, try #require(trade.services.first).id)
        var watched = [
            try watch(UnpaidReport(), trade, &hub), try watch(UnpaidReport(from: from, service: bath), trade, &hub),
            try watch(UnpaidReport(through: through, customer: kim), trade, &hub),
            try watch(TotalsReport(by: .customer, from: from, service: bath, paid: false), trade, &hub),
            try watch(TotalsReport(by: .service, through: through, customer: kim, made: true), trade, &hub),
        ]
        for by in TotalsReport.Grouping.allCases { watched.append(try watch(TotalsReport(by: by), trade, &hub)) }
        for customer in trade.customers.prefix(3) {
            for (from, through) in [(nil, nil), (from, through), (nil, through), (from, nil)] {
                let report = StatementReport(customer: customer.id, from: from, through: through)
                watched.append(try watch(report, trade, &hub))
            }
        }
        watched.append(try watch(StatementReport(customer: .make()), trade, &hub))
        return watched
    }

    @Test(arguments: 0..<4) func watchersHaveTheReportAfterEachStep(seed: UInt64) throws {
        var random = SeededGenerator("live reports \(seed)")
        let trade = try Trade()
        for _ in 0..<3 { _ = try trade.add(customer: "Kim") }
        for _ in 0..<40 { try trade.step(&random) }
        try trade.addService("Bath")
        let engine = trade.reporting.engine
        engine.tracksChanges = true
        var hub = ListHub(engine.definition.routes.listSources)
        var watched = try all(trade, &hub)
        var count = 0
        for round in 0..<120 {
            try trade.step(&random)
            for message in try hub.apply(engine.takeTouched(), positions: engine.positions, engine.session) {
                let batch = try CBORDecoder().decode(ListBatch.self, from: message.body)
                for index in watched.indices where watched[index].plan.topic == message.topic {
                    #expect(try watched[index].mirror.apply(batch))
                    count += 1
                }
            }
            for list in watched {
                let told = list.mirror.sections.map { ListSection(key: $0.key, rows: $0.rows) }
                #expect(try told == list.plan.build(engine.session, positions: [:]).sections, "round \(round)")
                #expect(try list.isReport(list.mirror, trade), "round \(round): \(list.plan.query)")
            }
        }
        #expect(count > 200)
    }

    @Test func whatIsNotOfNowIsNoLiveList() throws {
        let trade = try Trade()
        var hub = ListHub(trade.reporting.engine.definition.routes.listSources)
        let kim = try trade.add(customer: "Kim")
        let day = CalendarDay("2024-01-31")
        let then = AsOf(sequence: 0)
        for report in [UnpaidReport(asOf: then), UnpaidReport(from: day, through: CalendarDay("2024-01-30"))] {
            #expect(throws: ServiceError.self) { try watch(report, trade, &hub) }
        }
        for report in [TotalsReport(by: .month, asOf: then), TotalsReport(by: .month, limit: 1)] {
            #expect(throws: ServiceError.self) { try watch(report, trade, &hub) }
        }
        #expect(throws: ServiceError.self) { try watch(StatementReport(customer: kim.id, asOf: then), trade, &hub) }
        for name in ["totals", "statement"] {
            #expect(throws: ServiceError.self) { try hub.plan(ListQuery(.report(name)), service: .reporting) }
        }
    }
}
