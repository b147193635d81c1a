import ArgumentParser
import Messages
import Testing

@testable import CLI

struct OrdersListTests {
    private func list(_ arguments: [String], _ presentation: Presentation) async throws -> [List<Order>] {
        let desk = Desk { (request) throws(CLIError) in
            switch request {
            case is List<Order>: Page(rows: [Sample.order(customer: "Lind"), Sample.order()], next: nil)
            case is Get<Customer>: Customer(id: .test(0xaa), name: "Lind")
            default: throw Desk.refusal(.unknownOperation)
            }
        }
        let daybook = try Invocation(asking: desk, presentation)
        try await OrdersList.parse(arguments).list(by: daybook)
        return desk.requests.compactMap { $0 as? List<Order> }
    }

    @Test func printsLinesUnlessATableIsAskedFor() async throws {
        let capture = try Capture()
        _ = try await list([], capture.presentation())
        #expect(try capture.text() == "Jan 31, 2024\tLind\nJan 31, 2024\t-- Unknown --\n")
        _ = try await list(["--format", "table"], capture.presentation())
        #expect(
            try capture.text() == """
                Id    No.  Date        Customer     Total  Made  Paid
                000d   12  2024-01-31  Lind      0.00 EUR  no    no
                000d   12  2024-01-31            0.00 EUR  no    no

                """
        )
    }

    @Test func filtersAndSorts() async throws {
        let presentation = try Capture().presentation()
        let customer = Identifier.test(0xaa).description
        let requests = try await list(
            [
                "--customer", customer, "--from", "2024-01-01", "--to", "2024-12-31", "--made", "--no-paid",
                "--sort", "-customer,number", "--limit", "5",
            ],
            presentation
        )
        #expect(
            requests.first?.filter
                == .and([
                    .range("date", from: .text("2024-01-01"), through: .text("2024-12-31")),
                    .equal("made", .boolean(true)), .equal("paid", .boolean(false)),
                    .equal("customer", .id(.test(0xaa))),
                ])
        )
        #expect(requests.first?.sort == [SortKey("customer.name", descending: true), SortKey("number")])
        #expect(requests.first?.limit == 5)
        #expect(try await list([], presentation).first?.filter == nil)
        #expect(try await list([], presentation).first?.asOf == nil)
        // As of a moment, a whole id is taken as it is: the customer may be gone.
        let past = try await list(["--as-of", "17", "--customer", customer], presentation)
        #expect(past.first?.asOf == AsOf(sequence: 17))
        #expect(past.first?.filter == .equal("customer", .id(.test(0xaa))))
        #expect(
            try await list(["--from", "2024-01-01"], presentation).first?.filter
                == .range("date", from: .text("2024-01-01"), through: nil)
        )
    }
}
