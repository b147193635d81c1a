import ArgumentParser
import Documents
import Messages
import Testing

@testable import CLI

struct OrderPageTests {
    private let business = Business { key in
        [
            "name": "Daybook Bakery", "address": "Mill Lane 3\n0182 Oslo", "bank": "IBAN NO93",
            "footer": "Thank you.\nOpen daily.",
        ][key]
    }
    private let customer = Customer(id: .test(0xaa), name: "Zoë Lefèvre", address: "Rue 4\nParis")

    private func order(_ change: (inout Order) -> Void = { _ in }) throws -> Order {
        var order = Sample.order(customer: "Zoë Lefèvre")
        order.numberYear = 2024
        order.printed = Instant(microseconds: 1_711_843_200_000_000)
        change(&order)
        try order.settle(after: nil)
        return order
    }

    private func tables(_ document: Document) -> [DocumentTable] {
        document.blocks.compactMap { if case .table(let table) = $0 { table } else { nil } }
    }

    private func rate(_ hundredths: Int) -> TaxRate? { TaxRate(hundredths: hundredths) }

    @Test func anOrderWithoutTaxIsATableAndATotal() throws {
        let order = try order { order in
            order.rows = [Sample.row(1, Sample.claws, 250), Sample.row(2, Sample.bath, 1000)]
            order.due = CalendarDay("2024-02-05")
            order.note = "By the back door."
        }
        let document = try OrderPage.document(order, for: customer, from: business)
        #expect(document.title == "Order 2024-12")
        #expect(document.time == order.printed)
        #expect(document.footer == ["Daybook Bakery · IBAN NO93", "Thank you.", "Open daily."])
        let table = DocumentTable(
            columns: [.init("No.", .trailing), .init("Item"), .init("Sum, EUR", .trailing)],
            rows: [
                .init(["1", "Claw trim", "2.50"]), .init(["2", "Bath", "10.00"]),
                .init(["", "Total", "12.50"], .total),
            ]
        )
        #expect(
            document.blocks == [
                .columns(["Daybook Bakery\nMill Lane 3\n0182 Oslo", "Zoë Lefèvre\nRue 4\nParis"]),
                .text("Date: Jan 31, 2024\nDue: Feb 5, 2024"), .table(table), .text("By the back door."),
            ]
        )
    }

    @Test func taxesAreSummedByRate() throws {
        let order = try order { order in
            order.rows = [
                OrderRow(
                    service: Sample.bath.id,
                    serviceName: "Bath",
                    text: "Rex",
                    quantity: Quantity(millionths: 1_500_000),
                    unitPrice: 9244,
                    taxRate: rate(1900),
                    sum: 0
                ), OrderRow(text: "Bread", taxRate: rate(700), sum: 100), Sample.row(3, nil, -66),
            ]
        }
        let tables = tables(try OrderPage.document(order, for: customer, from: business))
        #expect(tables.count == 2)
        #expect(tables[0].columns.map(\.title) == ["No.", "Item", "Quantity", "Unit price", "Tax", "Sum, EUR"])
        #expect(
            tables[0].rows.map(\.cells) == [
                ["1", "Bath, Rex", "1.5", "92.44", "19 %", "138.66"], ["2", "Bread", "", "", "7 %", "1.00"],
                ["3", "", "", "", "", "-0.66"], ["", "Net", "", "", "", "139.00"], ["", "Tax", "", "", "", "26.42"],
                ["", "Total", "", "", "", "165.42"],
            ]
        )
        #expect(
            tables[1].rows.map(\.cells) == [
                ["none", "-0.66", "0.00", "-0.66"], ["7 %", "1.00", "0.07", "1.07"],
                ["19 %", "138.66", "26.35", "165.01"], ["Together", "139.00", "26.42", "165.42"],
            ]
        )
        #expect(order.total == 16542)
    }

    @Test func taxThatIsIncludedIsNotAdded() throws {
        let order = try order { order in
            order.taxIncluded = true
            order.rows = [OrderRow(text: "Bath", taxRate: rate(1900), sum: 11900)]
        }
        let tables = tables(try OrderPage.document(order, for: customer, from: business))
        #expect(tables[0].rows.map(\.cells).last == ["", "Total, tax included", "", "119.00"])
        #expect(tables[1].rows.map(\.cells).first == ["19 %", "100.00", "19.00", "119.00"])
    }

    @Test func paymentsAndWhatRemainsStandBelow() throws {
        let order = try order { order in
            order.rows = [Sample.row(1, Sample.bath, 1000)]
            order.payments = [Payment(date: CalendarDay("2024-02-01")!, amount: 400, note: "cash")]
        }
        let document = try OrderPage.document(order, for: customer, from: business)
        #expect(
            tables(document).last?.rows.map(\.cells) == [["Feb 1, 2024", "cash", "4.00"], ["To be paid", "", "6.00"]]
        )
    }

    @Test func aCancelledOrderSaysSo() throws {
        let order = try order { order in
            order.rows = [Sample.row(1, Sample.bath, 1000)]
            order.cancelled = true
        }
        let document = try OrderPage.document(order, for: nil, from: business)
        #expect(document.blocks.contains(.heading("Cancelled")))
        #expect(document.blocks.contains(.text("This order is cancelled: nothing is to be paid for it.")))
        #expect(tables(document).last?.rows.map(\.cells) == [["To be paid", "", "0.00"]])
    }

    // MARK: Where to

    private func path(_ arguments: [String], isTerminal: Bool) throws -> String? {
        try OrdersPrint.parse(["12"] + arguments).path(for: Sample.order(), isTerminal: isTerminal)
    }

    @Test func aTerminalGetsAFileAndAPipeTheBytes() throws {
        #expect(try path([], isTerminal: true) == "order-12.pdf")
        #expect(try path(["--format", "html"], isTerminal: true) == "order-12.html")
        #expect(try path([], isTerminal: false) == nil)
        #expect(try path(["-o", "-"], isTerminal: false) == nil)
        #expect(try path(["-o", "-", "--format", "html"], isTerminal: true) == nil)
        #expect(try path(["-o", "x.pdf"], isTerminal: false) == "x.pdf")
        #expect(try path(["-o", "papers/"], isTerminal: false) == "papers/order-12.pdf")
        #expect(try path(["-o", "/tmp"], isTerminal: false) == "/tmp/order-12.pdf")
        #expect(try OrdersPrint.parse(["12", "-o", "x.html"]).chosenFormat == .html)
        let error = #expect(throws: CLIError.self) { try path(["-o", "-"], isTerminal: true) }
        #expect(error?.processStatus == .usage)
    }

    @Test func whoseOrderItIsHasToBeConfigured() async throws {
        let desk = Desk { (_: any Request) throws(CLIError) -> any Sendable in throw .failure("nothing is to be asked")
        }
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await OrdersPrint.parse(["12"]).print(by: daybook, isTerminal: false)
        }
        #expect(error?.description.contains(#"{"business": {"name": "...", "address": "#) == true)
        #expect(error?.description.contains("config.json") == true)
        #expect(desk.requests.isEmpty)
    }
}
