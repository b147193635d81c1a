import Messages
import Testing

@testable import CLI

struct OrderTextTests {
    @Test(arguments: [("Lind", "Jan 31, 2024\tLind"), (nil, "Jan 31, 2024\t-- Unknown --")])
    func listsTheDateATabAndTheCustomer(customer: String?, line: String) {
        #expect(Sample.order(customer: customer).listLine == line)
    }

    @Test func keepsNamesFromSteeringTheTerminal() {
        #expect(Sample.order(customer: "A\tB\u{1B}[2J").listLine == "Jan 31, 2024\tA\\tB\\u{1B}[2J")
    }

    @Test func sortsRowsByTheServicesNames() {
        let zebra = SoldService(id: .test(0x2e), name: "zebra")
        let angel = SoldService(id: .test(0xae), name: "Ängel")
        let rows = [
            Sample.row(1, zebra, 100), Sample.row(2, Sample.bath, 250), Sample.row(3, nil, 1000),
            Sample.row(4, angel, -50), Sample.row(5, Sample.bath, 1),
        ]
        let order = Sample.order(rows: rows)
        #expect(
            order.lines.map(\.text) == [
                "-- Unknown -- - 10.00", "Ängel - -0.50", "Bath - 2.50", "Bath - 0.01", "zebra - 1.00",
            ]
        )
        #expect(order.lines.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test func showsAnOrder() throws {
        let capture = try Capture()
        let order = Sample.order(rows: [Sample.row(1, Sample.bath, 1000), Sample.row(2, nil, 250)], customer: "Lind")
        try capture.presentation().show(order)
        #expect(
            try capture.text() == """
                Order:     12
                Date:      Jan 31, 2024
                Customer:  Lind
                Made:      no
                Paid:      no
                Rows:
                  -- Unknown -- - 2.50
                  Bath - 10.00
                Total:     12.50 EUR
                Version:   3, see 'daybook history orders 12'
                Id:        018e95c2-4f00-7a31-9c2e-5b0d8f1a000d

                """
        )
    }

    @Test func showsTaxesPaymentsAndWhatRemains() throws {
        let capture = try Capture()
        let day = CalendarDay("2024-04-01")!
        var order = Sample.order(customer: "Lind")
        order.rows = [
            OrderRow(
                quantity: Quantity(millionths: 1_500_000),
                unitPrice: 9244,
                taxRate: TaxRate(hundredths: 1900),
                sum: 0
            ),
            OrderRow(id: .test(1), service: Sample.bath.id, serviceName: "Bath", text: "Rex", sum: 99),
        ]
        (order.due, order.made, order.madeOn, order.note) = (day, true, day, "by the back\tdoor")
        order.payments = [Payment(date: day, amount: 2000, note: "cash")]
        try order.settle(after: nil)
        try capture.presentation().show(order, rowsBy: .position)
        #expect(
            try capture.text() == """
                Order:     12
                Date:      Jan 31, 2024
                Due:       Apr 1, 2024
                Customer:  Lind
                Made:      yes, Apr 1, 2024
                Paid:      no
                Rows:
                  -- Unknown -- - 138.66 (1.5 x 92.44, 19 %)
                  Bath, Rex - 0.99
                Net:       139.65 EUR
                Tax:       26.35 EUR
                  19 %: 26.35 on 138.66
                Total:     166.00 EUR
                Payments:
                  1. Apr 1, 2024 - 20.00, cash
                Open:      146.00 EUR
                Note:      by the back\\tdoor
                Version:   3, see 'daybook history orders 12'
                Id:        018e95c2-4f00-7a31-9c2e-5b0d8f1a000d

                """
        )
    }

    @Test func printsOrdersAsJSON() throws {
        let capture = try Capture()
        try capture.presentation(.jsonl).show(Sample.order(rows: [Sample.row(1, Sample.bath, -1000)]))
        #expect(
            try capture.text() == """
                {"id":"018e95c2-4f00-7a31-9c2e-5b0d8f1a000d","number":12,"label":"12","date":"2024-01-31",\
                "due":null,"customerId":null,"customer":null,"net":null,"tax":null,\
                "total":{"amount":"-10.00","currency":"EUR"},"open":{"amount":"-10.00","currency":"EUR"},\
                "made":false,"madeOn":null,"paid":false,"paidOn":null,"cancelled":false,"printed":null,\
                "taxIncluded":false,"note":null,"reference":null,"version":3,\
                "rows":[{"number":1,"position":1,"id":"018e95c2-4f00-7a31-9c2e-5b0d8f1a0001",\
                "serviceId":"018e95c2-4f00-7a31-9c2e-5b0d8f1a00b1","service":"Bath","text":null,"quantity":null,\
                "unitPrice":null,"taxRate":null,"sum":{"amount":"-10.00","currency":"EUR"},"walks":null}],"payments":[]}

                """
        )
    }

    @Test func printsOnlyTheIdWhereQuiet() throws {
        let capture = try Capture()
        try capture.presentation(isQuiet: true).show(Sample.order())
        #expect(try capture.text() == "018e95c2-4f00-7a31-9c2e-5b0d8f1a000d\n")
    }
}
