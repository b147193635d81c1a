import ArgumentParser
import Client
import Messages
import Synchronization
import Testing
import ZeroMQ

@testable import CLI

struct ReportTests {
    private let epoch = Identifier.test(0xe0)

    private func order(_ number: Int64, _ customer: (id: UInt64, name: String)?, _ total: Money) -> ReportedOrder {
        ReportedOrder(
            id: .test(UInt64(number)),
            number: number,
            date: CalendarDay("2024-01-31")!,
            customer: customer.map { .test($0.id) },
            customerName: customer?.name,
            total: total,
            open: total
        )
    }

    private func euros(_ cents: Int64) -> Money { Money(amount: cents, currency: .eur) }

    @Test func printsUnpaidOrdersAsLines() throws {
        let capture = try Capture()
        let lines = [
            order(1, nil, euros(7450)), order(2, (0xaa01, "Kim Berg"), euros(-1000)),
            order(3, (0xaa02, "Kim Berg"), euros(0)), order(4, (0xaa03, "Lind"), euros(1)),
        ]
        let report = ReportDocument(lines: lines, totals: [euros(6451)], positions: [:])
        try capture.presentation().show(report, as: .unpaid(asTable: false))
        #expect(
            try capture.text() == """
                Jan 31, 2024\t-- Unknown --\t74.50 EUR
                Jan 31, 2024\tKim Berg (aa01)\t-10.00 EUR
                Jan 31, 2024\tKim Berg (aa02)\t0.00 EUR
                Jan 31, 2024\tLind\t0.01 EUR
                Total: 64.51 EUR (4 orders)

                """
        )
    }

    @Test func addsUpNoCurrencies() throws {
        let capture = try Capture()
        let totals = [euros(100), Money(amount: 5, currency: .usd)]
        let report = ReportDocument(
            lines: [order(1, nil, totals[0]), order(2, nil, totals[1])],
            totals: totals,
            positions: [:]
        )
        try capture.presentation().show(report, as: .unpaid(asTable: true))
        #expect(
            try capture.text() == """
                Id    No.  Date        Customer           Open
                0001    1  2024-01-31  -- Unknown --  1.00 EUR
                0002    2  2024-01-31  -- Unknown --  0.05 USD
                Total: 1.00 EUR
                Total: 0.05 USD
                2 orders

                """
        )
    }

    @Test func saysThatNothingIsUnpaid() throws {
        let capture = try Capture()
        let report = ReportDocument<ReportedOrder>(lines: [], totals: [], positions: [:])
        try capture.presentation().show(report, as: .unpaid(asTable: false))
        #expect(try capture.text() == "Nothing is unpaid.\n")
        try capture.presentation(.csv, fields: ["number", "total"]).show(report, as: .unpaid(asTable: false))
        #expect(try capture.text() == "number,total,total_currency\n")
    }

    @Test func tellsTwoOfOneNameApart() throws {
        let capture = try Capture()
        let groups = [
            TotalsGroup(id: .test(1), label: "IT", reference: "VALON", orders: 1, total: euros(1000)),
            TotalsGroup(id: .test(2), label: "IT", reference: nil, orders: 1, total: euros(500)),
            TotalsGroup(id: .test(3), label: "Lind", reference: "L", orders: 2, total: euros(-126_579_329)),
        ]
        let report = ReportDocument(by: "customer", lines: groups, orders: 4, totals: [euros(1500)], positions: [:])
        try capture.presentation().show(report, as: .totals(by: .customer, title: ""))
        #expect(
            try capture.text() == """
                Customer    Orders            Total
                IT (VALON)       1        10.00 EUR
                IT (0002)        1         5.00 EUR
                Lind             2  -1265793.29 EUR
                Total: 15.00 EUR (4 orders)

                """
        )
    }

    @Test func printsOneObjectAsJSON() throws {
        let capture = try Capture()
        let group = TotalsGroup(id: nil, label: "2024", reference: nil, orders: 1, total: euros(126_579_329))
        let positions = ["orders": Position(epoch: epoch, sequence: 7)]
        let report = ReportDocument(by: "year", lines: [group], orders: 1, totals: [group.total], positions: positions)
        try capture.presentation(.json, fields: ["label", "total"]).show(report, as: .totals(by: .year, title: ""))
        #expect(
            try capture.text() == """
                {
                  "by": "year",
                  "groups": [
                    {
                      "label": "2024",
                      "total": {"amount": "1265793.29", "currency": "EUR"}
                    }
                  ],
                  "orders": 1,
                  "totals": [
                    {
                      "amount": "1265793.29",
                      "currency": "EUR"
                    }
                  ],
                  "positions": [
                    {
                      "service": "orders",
                      "epoch": "018e95c2-4f00-7a31-9c2e-5b0d8f1a00e0",
                      "sequence": 7
                    }
                  ]
                }

                """
        )
    }

    @Test func waitsForWhatWasStoredBefore() async throws {
        let desk = ReportDesk(epoch: epoch, down: nil)
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        _ = try await daybook.report(UnpaidReport(), stale: false)
        #expect(
            desk.after == [
                "catalog": Position(epoch: epoch, sequence: 1), "orders": Position(epoch: epoch, sequence: 1),
            ]
        )
        _ = try await daybook.report(UnpaidReport(), stale: true)
        #expect(desk.after == [:])
    }

    @Test func namesAServiceThatIsDownUnlessStaleWillDo() async throws {
        let daybook = try Invocation(asking: ReportDesk(epoch: epoch, down: .orders), try Capture().presentation())
        let error = await #expect(throws: CLIError.self) { try await daybook.report(UnpaidReport(), stale: false) }
        #expect(error?.processStatus == .unreachable)
        #expect(error?.description.contains("orders service did not answer at ipc:///run/orders.requests") == true)
        #expect(error?.description.contains("--stale") == true)
        _ = try await daybook.report(UnpaidReport(), stale: true)
    }

    /// What a report can't take is told with the reason, and stands in no help.
    @Test(
        arguments: [
            (["unpaid", "--no-made"], "made and not paid"), (["unpaid", "--paid"], "made and not paid"),
            (["statement", "Lind", "--service", "Bath"], "whole orders"),
            (["statement", "Lind", "--paid"], "all payments"),
            (["walks", "--by", "dog", "--made"], "Walks are no orders"),
            (["top", "--limit", "0"], "--limit is 0"),
        ]
    )
    func refusesWhatMakesNoSenseWithTheReason(arguments: [String], reason: String) throws {
        let error = #expect(throws: (any Error).self) { try Report.parseAsRoot(arguments) }
        #expect(error.map { Report.fullMessage(for: $0).contains(reason) } == true, "\(String(describing: error))")
        #expect(!ReportStatement.helpMessage().contains("--service"))
    }

    @Test func refusesAnUnknownGrouping() {
        #expect(throws: (any Error).self) { try ReportTotals.parse(["--by", "decade"]) }
        #expect(throws: (any Error).self) { try ReportTotals.parse([]) }
    }
}

/// Reporting, and the heads of what it follows.
private final class ReportDesk: RequestSender {
    private let epoch: Identifier
    private let down: ServiceName?
    private let seen = Mutex<Positions>([:])

    init(epoch: Identifier, down: ServiceName?) {
        self.epoch = epoch
        self.down = down
    }

    /// The positions that the last report had to see.
    var after: Positions { seen.withLock { $0 } }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        guard let service, service != down else {
            throw .client(.unreachable(.orders, .ipc(path: "/run/orders.requests"), after: .seconds(1)))
        }
        let status = ServiceStatus(
            service: service,
            version: "1",
            epoch: epoch,
            run: epoch,
            sequence: 1,
            storeBytes: 0,
            uptime: 0,
            process: 1,
            sources: []
        )
        guard let reply = status as? R.Reply else { throw Desk.refusal(.unknownOperation) }
        return reply
    }

    func read<R: Request>(
        _ request: R,
        to service: ServiceName?,
        after positions: Positions
    ) async throws(CLIError) -> (reply: R.Reply, positions: Positions) {
        seen.withLock { $0 = positions }
        guard let reply = UnpaidReport.Reply(orders: [], totals: []) as? R.Reply else {
            throw Desk.refusal(.unknownOperation)
        }
        return (reply, positions)
    }
}
