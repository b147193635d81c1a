import ArgumentParser
import CBOR
import Client
import Messages
import Testing

@testable import CLI

struct OrderChangesTests {
    private let key = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!

    /// Knows one order and two services, and stores whatever is put.
    private func desk(_ order: Order = Sample.order(), put: Desk.Answer? = nil) -> Desk {
        Desk { (request) throws(CLIError) in
            switch request {
            case is List<Order>: return Page(rows: [order], next: nil)
            case let list as List<SoldService>:
                guard case .startsWith("name", let text)? = list.filter else {
                    return Page<SoldService>(rows: [], next: nil)
                }
                let rows = [Sample.bath, Sample.claws].filter { $0.name.lowercased().hasPrefix(text.lowercased()) }
                return Page(rows: rows, next: nil)
            case let change as Put<Order>:
                if let put { return try put(request) }
                var stored = change.record
                stored.version += 1
                return stored
            default: throw Desk.refusal(.unknownOperation)
            }
        }
    }

    private func record(_ desk: Desk) -> Order? { (desk.requests.last as? Put<Order>)?.record }

    @Test func entersABareOrderOfToday() async throws {
        let desk = desk()
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let order = try await OrdersAdd.parse([]).add(by: daybook)
        #expect(order.date == .today())
        #expect(order.customer == nil)
        #expect(order.rows.isEmpty)
        #expect(!order.made && !order.paid)
        #expect(order.currency == .eur)
        #expect(desk.requests.count == 1)
    }

    @Test func makesTheSameOrderOfTheSameKey() async throws {
        let desk = desk()
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let arguments = ["--row", "Bath=1", "--row", "=2", "--row", "Bath=-0.50", "--key", key.description, "--made"]
        let first = try await OrdersAdd.parse(arguments).add(by: daybook)
        let second = try await OrdersAdd.parse(arguments).add(by: daybook)
        #expect(first == second)
        #expect(first.rows.map(\.sum) == [100, 200, -50])
        #expect(first.rows.map(\.service) == [Sample.bath.id, nil, Sample.bath.id])
        #expect(Set(first.rows.map(\.id) + [first.id]).count == 4)
        // The day on which the key was made, not the day on which it is used.
        #expect(first.date == .today(at: Instant(microseconds: key.milliseconds! * 1000)))
        #expect(desk.keys.last == key)
    }

    @Test(arguments: [
        ["--row", "3abc"], ["--row", "Bath=1.005"], ["--date", "2024-02-30"], ["--currency", "EURO"],
    ])
    func asksNobodyWhereTheArgumentsAreWrong(arguments: [String]) async throws {
        let desk = desk()
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) { try await OrdersAdd.parse(arguments).add(by: daybook) }
        #expect(error?.processStatus == .usage)
        #expect(desk.requests.isEmpty)
    }

    @Test func changesOnlyWhatIsGiven() async throws {
        let order = Sample.order(rows: [Sample.row(1, Sample.bath, 100)], customer: "Lind")
        let desk = desk(order)
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        _ = try await OrdersEdit.parse(["12", "--paid", "--clear", "customer"]).edit(by: daybook)
        var expected = order
        expected.paid = true
        expected.paidOn = .today()
        expected.customer = nil
        #expect(record(desk) == expected)
    }

    @Test func keepsTheMeaningOfSums() async throws {
        let desk = desk(Sample.order(rows: [Sample.row(1, nil, 100)]))
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await OrdersEdit.parse(["12", "--currency", "JPY"]).edit(by: daybook)
        }
        #expect(error?.processStatus == .usage)
        _ = try await OrdersEdit.parse(["12", "--currency", "USD"]).edit(by: daybook)
        #expect(record(desk)?.currency == .usd)
    }

    @Test func changesRows() async throws {
        let order = Sample.order(rows: [Sample.row(1, Sample.bath, 100), Sample.row(2, nil, 5)])
        let desk = desk(order)
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        _ = try await OrderRowsAdd.parse(["12", "claw=4.50", "-1"]).add(by: daybook)
        #expect(record(desk)?.rows.map(\.sum) == [100, 5, 450, -100])
        #expect(record(desk)?.rows[2].service == Sample.claws.id)
        _ = try await OrderRowsEdit.parse(["12", "bath", "--sum", "2"]).edit(by: daybook)
        #expect(record(desk)?.rows.map(\.sum) == [200, 5])
        _ = try await OrderRowsEdit.parse(["12", "bath", "--clear", "service"]).edit(by: daybook)
        #expect(record(desk)?.rows.map(\.service) == [nil, nil])
        _ = try await OrderRowsDelete.parse(["12", "1", "bath", "--yes"]).delete(by: daybook)
        #expect(record(desk)?.rows == [])
        #expect(record(desk)?.version == 3)
    }

    @Test func deletesNoRowWhereNobodyCanBeAsked() async throws {
        let desk = desk(Sample.order(rows: [Sample.row(1, Sample.bath, 100)]))
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await OrderRowsDelete.parse(["12", "bath"]).delete(by: daybook)
        }
        #expect(error?.description.contains("--yes") == true)
        #expect(!desk.requests.contains { $0 is Put<Order> })
    }

    @Test func basesAnEditOnTheVersionThatWasSeen() async throws {
        let desk = desk()
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        _ = try await OrdersEdit.parse(["12", "--paid", "--based-on", "2"]).edit(by: daybook)
        #expect(record(desk)?.version == 2)
    }

    @Test func showsBothValuesOfAConflict() throws {
        let mine = Sample.order(rows: [Sample.row(1, Sample.bath, 100)])
        var body = ErrorBody(code: "conflict", message: "changed", field: "rows/\(Identifier.test(1))")
        body.current = try EncodedCBOR(encoding: Sample.order(rows: [Sample.row(1, Sample.bath, 200)]))
        #expect(
            OrderChange.showingBoth(body, wanted: mine).message
                == "changed\n  yours: Bath - 1.00\n  stored: Bath - 2.00"
        )
        body.current = try EncodedCBOR(encoding: Sample.order())
        #expect(
            OrderChange.showingBoth(body, wanted: mine).message == "changed\n  yours: Bath - 1.00\n  stored: (none)"
        )
    }

    /// An edit to the value that it was before others' change is none to the service, which then answers with theirs.
    @Test func tellsAConflictWhereTheServiceKeptTheOtherValue() async throws {
        var theirs = Sample.order()
        theirs.paid = true
        let kept = theirs
        let desk = desk(theirs) { (_) throws(CLIError) in kept }
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await OrdersEdit.parse(["12", "--no-paid", "--based-on", "1"]).edit(by: daybook)
        }
        #expect(error?.processStatus == .conflict)
        #expect(error?.description.hasSuffix("\n  yours: no\n  stored: yes") == true, "\(error?.description ?? "")")
    }
}
