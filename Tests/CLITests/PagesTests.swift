import ArgumentParser
import Documents
import Glibc
import Messages
import Testing

@testable import CLI

struct PagesTests {
    private func euros(_ cents: Int64) -> Money { Money(amount: cents, currency: .eur) }

    @Test func aListIsATableOfAPage() throws {
        let capture = try Capture()
        let sales = [Sale.example(1, name: "a < b"), Sale.example(2, name: nil)]
        try capture.presentation(.html).list(sales, of: .sale)
        let text = try capture.text()
        #expect(text.hasPrefix("<!DOCTYPE html>"))
        #expect(text.contains("<title>Sales</title>"))
        #expect(text.contains("<th class=\"number\">No.</th><th>Name</th><th>Day</th><th class=\"number\">Total</th>"))
        #expect(text.contains("<td class=\"number\">1</td><td>a &lt; b</td><td>2024-03-31</td>"))
        #expect(!text.contains("018e95c2"))
        try capture.presentation(.html, fields: ["id"]).list(sales, of: .sale)
        #expect(try capture.text().contains("<td>018e95c2-4f00-7a31-9c2e-5b0d8f1a6e01</td>"))
    }

    @Test func aRecordIsAPageWithItsLists() throws {
        let capture = try Capture()
        let sale = Sale.example(1, name: "Ada\nLind", rows: [.init(name: "Bath", sum: euros(1000))])
        try capture.presentation(.html).show(sale, of: .sale)
        let text = try capture.text()
        #expect(text.contains("<td>Name</td><td>Ada<br>Lind</td>"))
        #expect(text.contains("<h2>Rows</h2>"))
        #expect(!text.contains("018e95c2") && !text.contains("<td>Tip</td>"))
        #expect(text.contains("<td>Bath</td><td class=\"number\">10.00 EUR</td>"))
    }

    @Test func onlyReportsArePictures() throws {
        let capture = try Capture()
        for print in [
            { try capture.presentation(.svg).list([Sale](), of: .sale) },
            { try capture.presentation(.svg).show(Sale.example(1, name: nil), of: .sale) },
        ] {
            let error = #expect(throws: CLIError.self) { try print() }
            #expect(error?.processStatus == .usage)
            #expect(error?.description.contains("report totals") == true)
        }
    }

    @Test func aReportHasATotalOfEachCurrencyItsChartsAndPositions() throws {
        let dollars = Money(amount: 7, currency: .usd)
        let groups = [
            TotalsGroup(id: .test(1), label: "Lind", reference: nil, orders: 2, total: euros(1050)),
            TotalsGroup(id: .test(1), label: "Lind", reference: nil, orders: 1, total: dollars),
        ]
        let epoch = Identifier.test(0xe0)
        let report = ReportDocument(
            by: "customer",
            lines: groups,
            orders: 3,
            totals: [euros(1050), dollars],
            positions: ["orders": Position(epoch: epoch, sequence: 7), "catalog": Position(epoch: epoch, sequence: 2)]
        )
        let sheet = ReportSheet(
            title: "Totals by customer",
            notes: ["Jan 1, 2024 – Jan 31, 2024", "Only orders that are made."],
            charts: try ReportChart.byCurrency("Totals by customer", .bars, groups.map { ($0.label ?? "", $0.total) }),
            footer: ["Daybook Bakery"],
            time: Instant("2024-03-31T18:05:09.5Z")!
        )
        let presentation = try Capture().presentation(.html)
        let document = try sheet.document(report, .totalsGroup, presentation)
        #expect(document.title == "Totals by customer" && document.footer == ["Daybook Bakery"])
        guard case .table(let table) = document.blocks[1] else {
            Issue.record("no table")
            return
        }
        #expect(table.columns.map(\.title) == ["Name", "Reference", "Orders", "Total"])
        #expect(
            table.rows == [
                .init(["Lind", "", "2", "10.50 EUR"]), .init(["Lind", "", "1", "0.07 USD"]),
                .init(["Total", "", "", "10.50 EUR"], .total), .init(["Total", "", "", "0.07 USD"], .total),
            ]
        )
        #expect(document.blocks[0] == .text("Jan 1, 2024 – Jan 31, 2024\nOnly orders that are made."))
        #expect(document.blocks[2...3] == [.chart(sheet.charts[0].chart), .chart(sheet.charts[1].chart)])
        #expect(
            document.blocks.last == .text("Made 2024-03-31T18:05:09Z; goes up to change 2 of catalog, 7 of orders.")
        )
        #expect(sheet.picture.contains(">Totals by customer, EUR</text>"))
        #expect(sheet.picture.contains(">Totals by customer, USD</text>"))
    }

    @Test(
        arguments: [
            (["--chart", "--format", "json"], "leave --format json out"), (["--chart", "--quiet"], "leave --fields"),
            (["--chart", "--fields", "date"], "leave --fields"), (["--chart", "--watch"], "--watch"),
            (["--output", "x", "--watch"], "--watch"),
        ]
    )
    func aChartGoesWithNoOtherForm(arguments: [String], sentence: String) async throws {
        let report = try ReportUnpaid.parse(arguments)
        let error = await #expect(throws: CLIError.self) { try await report.run() }
        #expect(error?.processStatus == .usage)
        #expect(error?.description.contains(sentence) == true)
    }

    // MARK: The program

    @Test func aProgramIsGivenItsInputWhileItPrints() throws {
        // Far more than the pipes hold: whoever waited for all input to be taken first would wait for ever.
        let input = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let outcome = try ChildProcess.run("/bin/cat", input: input)
        #expect(outcome.ending == .status(0) && outcome.output == input && outcome.error.isEmpty)
    }

    @Test func aProgramMayLeaveItsInput() throws {
        let outcome = try ChildProcess.run("/bin/false", input: [UInt8](repeating: 0, count: 1_000_000))
        #expect(outcome.ending == .status(1) && outcome.output.isEmpty)
        let error = #expect(throws: CLIError.self) { try ChildProcess.run("/nonexistent", input: []) }
        #expect(error?.description == "Can't start /nonexistent: No such file or directory.")
    }

    @Test func aMissingProgramIsNamed() {
        let error = #expect(throws: CLIError.self) {
            try PaperProgram(path: "/nonexistent/daybook-paper").pdf(of: Document(title: "x"))
        }
        #expect(error?.description.contains("/nonexistent/daybook-paper, which is missing") == true)
    }

    @Test func aProgramThatFailsSaysWhy() {
        let error = #expect(throws: CLIError.self) {
            try PaperProgram(path: "/bin/false").pdf(of: Document(title: "x"))
        }
        #expect(error?.description == "/bin/false ended with status 1.")
    }
}
