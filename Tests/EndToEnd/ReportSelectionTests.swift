import Messages
import Support
import Testing

/// What every report has to keep to, by the command: the limits of a period, people of one name, minus and zero.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReportSelectionTests {
    /// Reports of orders that end with a total.
    private static let totals =
        ["unpaid", "unpaid --ageing", "top", "top --by service --limit 1", "top --by month"]
        + TotalsReport.Grouping.allCases.map { "totals --by \($0.rawValue)" }

    /// The line of the total of what each of these reports prints, by the report.
    private func closings(_ reports: [String], _ options: String, _ daybook: Daybook) async throws -> [String: String] {
        var closings: [String: String] = [:]
        for report in reports {
            let output = try await daybook.shell("daybook report \(report) \(options)")
            try #require(output.code == 0, "\(report) \(options): \(output.error)")
            let total = output.lines.last { $0.hasPrefix("Total: ") } ?? output.lines.last ?? ""
            closings[report] = total.split(separator: " (").first.map(String.init)
        }
        return closings
    }

    @Test func aPeriodHasItsLastDayInEveryReport() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let made = try await daybook.shell(
                """
                set -e
                daybook customers add Kim
                daybook services add Bath
                for order in 2024-01-31=10 2024-02-01=20 2024-02-29=40 2024-03-01=80; do
                    daybook orders add --customer Kim --date ${order%=*} --row "Bath=${order#*=}.00" --made
                    daybook walks add Rex --at "${order%=*} 23:59:59" --for "${order#*=} min"
                done
                """
            )
            #expect(made.code == 0, "\(made.error)")
            for (options, total) in [
                ("--from 2024-02-01 --to 2024-02-29", "60.00"), ("--period 2024-02", "60.00"),
                ("--period 2024-02-01..2024-02-29", "60.00"), ("--from 2024-02-01 --to 2024-02-01", "20.00"),
                ("--period 2024-02-01", "20.00"), ("--to 2024-02", "70.00"),
                ("--period 2024-02-01.. --customer kim", "140.00"),
            ] {
                for (report, closing) in try await closings(Self.totals, options, daybook) {
                    #expect(closing == "Total: \(total) EUR", "\(report) \(options)")
                }
                let walks = try await daybook.shell(
                    "daybook report walks --by week --format csv --fields seconds "
                        + options.replacing("--customer kim", with: "--dog Rex")
                )
                let minutes = walks.lines.dropFirst().compactMap { Int64($0) }.reduce(0, +) / 60
                #expect("\(minutes).00" == total, "\(options): \(walks.text)\(walks.error)")
            }
            let statement = try await daybook.shell("daybook report statement Kim --period 2024-02 | grep balance")
            #expect(statement.text == "Opening balance: 10.00 EUR\nClosing balance: 70.00 EUR\n")
            for report in Self.totals + ["statement Kim", "walks --by dog"] {
                for wrong in [
                    "--from 2024-02-02 --to 2024-02-01", "--period 2023-02-29", "--period 2024-02-02..2024-02-01",
                ] {
                    let output = try await daybook.shell("daybook report \(report) \(wrong)")
                    #expect(output.code == 2 && output.text.isEmpty, "\(report) \(wrong): \(output.error)")
                }
            }
        }
    }

    @Test func twoOfOneNameStayTwoInEveryReport() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            var ids: [String] = []
            for (date, sum) in [("2024-01-31", "10.00"), ("2024-02-01", "5.00")] {
                let customer = try await daybook.run("customers", "add", "Kim Berg", "--quiet")
                let id = try #require(customer.lines.first)
                ids.append(id)
                let order = try await daybook.shell(
                    "daybook orders add --customer \(id) --date \(date) --row =\(sum) --made"
                )
                #expect(order.code == 0, "\(order.error)")
            }
            let reports = ["unpaid", "unpaid --ageing", "totals --by customer", "top"]
            for report in reports {
                let lines = try await daybook.shell("daybook report \(report)").lines.filter {
                    $0.contains("Kim Berg (")
                }
                #expect(
                    lines.count == 2 && Set(lines.map { $0.prefix { $0 != ")" } }).count == 2,
                    "\(report): \(lines)"
                )
                #expect(lines.contains { $0.contains("10.00 EUR") } && lines.contains { $0.contains("5.00 EUR") })
            }
            let ambiguous = try await daybook.shell("daybook report statement 'Kim Berg'")
            #expect(ambiguous.code == 2 && ambiguous.error.contains("Kim Berg"), "\(ambiguous.error)")
            let renamed = try await daybook.run("customers", "edit", ids[1], "--name", "Kim Lind")
            #expect(renamed.code == 0, "\(renamed.error)")
            for report in reports {
                let lines = try await daybook.shell("daybook report \(report)").lines
                #expect(
                    lines.contains { $0.contains("Kim Berg") && !$0.contains("(") && $0.contains("10.00 EUR") },
                    "\(lines)"
                )
                #expect(lines.contains { $0.contains("Kim Lind") && $0.contains("5.00 EUR") }, "\(lines)")
            }
            for (id, closing) in zip(ids, ["10.00", "5.00"]) {
                let statement = try await daybook.shell("daybook report statement \(id)")
                #expect(statement.text.hasSuffix("Closing balance: \(closing) EUR\n"), "\(statement.text)")
            }
        }
    }

    @Test func minusAndZeroCountInEveryReport() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let made = try await daybook.shell(
                """
                set -e
                daybook customers add Kim
                daybook orders add --customer Kim --date 2024-03-31 --row =100.00 --row =-25.50 --row =0.00 --made
                daybook orders add --customer Kim --date 2024-03-31 --row =-10.00 --made
                daybook orders add --customer Kim --date 2024-03-31 --made
                """
            )
            #expect(made.code == 0, "\(made.error)")
            for (report, closing) in try await closings(Self.totals, "", daybook) {
                #expect(closing == "Total: 64.50 EUR", "\(report)")
            }
            let csv = try await daybook.shell("daybook report unpaid --format csv --fields open,label | sort")
            #expect(csv.lines == ["-10.00,EUR,2", "0.00,EUR,3", "74.50,EUR,1", "open,open_currency,label"])
            let statement = try await daybook.shell(
                "daybook report statement Kim --format jsonl --fields amount,balance"
            )
            #expect(statement.lines.count == 3 && statement.text.contains(#""amount":{"amount":"-10.00""#))
            #expect(statement.lines.last?.contains(#""balance":{"amount":"64.50""#) == true, "\(statement.text)")
            let day = try await daybook.shell("daybook report totals --by day --format json")
            #expect(day.text.contains(#""amount": "64.50""#) && day.text.contains("\"orders\": 3"))
            let chart = try await daybook.shell("daybook report unpaid --chart")
            #expect(
                chart.text.contains("Kim") && chart.text.hasSuffix("Total: 64.50 EUR (3 orders)\n"),
                "\(chart.text)"
            )
        }
    }
}
