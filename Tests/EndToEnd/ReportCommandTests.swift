import Client
import Messages
import Support
import Testing

/// `daybook report` with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReportCommandTests {
    private static let reports = [
        "unpaid", "unpaid --ageing", "statement Lind", "totals --by customer", "totals --by service",
        "totals --by month", "totals --by week", "top --limit 1",
    ]

    /// What the reports print, without the line that says what they go back to.
    private func printed(_ daybook: Daybook, _ options: String = "") async throws -> [String] {
        var lines: [String] = []
        for report in Self.reports {
            let output = try await daybook.shell("daybook report \(report) \(options)")
            try #require(output.code == 0, "\(report) \(options): \(output.error)")
            lines += output.lines.filter { !$0.hasPrefix("As of event") }
        }
        return lines
    }

    @Test func anyReportGoesBackToWhatItPrintedThen() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let made = try await daybook.shell(
                """
                set -e
                daybook customers add Lind
                daybook services add Bath
                daybook orders add --customer Lind --date 2024-01-31 --row 'Bath=100.00 @19' --row =-25.50 --made
                daybook orders add --customer Lind --date 2024-02-01 --row Bath=20.00 --made
                daybook orders add --date 2024-02-29 --row =5.00 --currency USD --made
                """
            )
            #expect(made.code == 0, "\(made.error)")
            let then = try await printed(daybook)
            let sequence = try await daybook.client.send(StatusRequest(), to: .orders).value.sequence
            let changed = try await daybook.shell(
                """
                set -e
                daybook orders pay 1 50.00 --on 2024-02-10
                daybook orders edit 2 --date 2024-03-05
                daybook orders delete 3 --yes
                """
            )
            #expect(changed.code == 0, "\(changed.error)")
            let now = try await printed(daybook)
            #expect(now != then)
            #expect(try await printed(daybook, "--as-of \(sequence)") == then)
            #expect(try await printed(daybook, "--as-of orders:\(sequence)") == then)
            #expect(try await printed(daybook, "--as-of today") == now)
            #expect(try await printed(daybook, "--as-of yesterday").contains("Nothing is unpaid."))

            let json = try await daybook.run("report", "unpaid", "--as-of", "\(sequence)", "--format", "json")
            #expect(json.text.contains("\"sequence\": \(sequence)"))
            let rebuilt = try await daybook.run("projection", "rebuild", "reporting", limit: .seconds(30))
            #expect(rebuilt.code == 0, "\(rebuilt.error)")
            #expect(try await printed(daybook) == now)
            #expect(try await printed(daybook, "--as-of \(sequence)") == then)

            // With the name of then.
            #expect(try await daybook.run("customers", "edit", "Lind", "--name", "Ada Lind").code == 0)
            #expect(try await daybook.run("report", "unpaid").text.contains("Ada Lind"))
            let past = try await daybook.run("report", "unpaid", "--as-of", "\(sequence)")
            #expect(past.text.contains("\tLind\t") && !past.text.contains("Ada"))
            let beyond = try await daybook.run("report", "unpaid", "--as-of", "\(sequence + 100)")
            #expect(beyond.code != 0 && beyond.error.contains("there is no event \(sequence + 100) of orders"))
        }
    }

    @Test func aStatementAndAgesAgreeWithWhatIsUnpaid() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let made = try await daybook.shell(
                """
                set -e
                daybook customers add Lind
                daybook orders add --customer Lind --date 2024-01-31 --row '=100.00 @19' --made
                daybook orders pay 1 19.00 --on 2024-02-10
                daybook orders add --customer Lind --date 2024-03-01 --row =20.00 --made
                """
            )
            #expect(made.code == 0, "\(made.error)")
            let statement = try await daybook.run(
                "report",
                "statement",
                "lind",
                "--from",
                "2024-02-01",
                "--to",
                "2024-03"
            )
            #expect(
                statement.text == """
                    Lind
                    Opening balance: 119.00 EUR
                    Date        Kind     No.      Amount     Balance
                    2024-02-10  payment    1  -19.00 EUR  100.00 EUR
                    2024-03-01  order      2   20.00 EUR  120.00 EUR
                    Closing balance: 120.00 EUR

                    """,
                "\(statement.text)\(statement.error)"
            )
            let unpaid = try await daybook.run("report", "unpaid", "--customer", "Lind")
            #expect(unpaid.text.hasSuffix("Total: 120.00 EUR (2 orders)\n"))
            let ages = try await daybook.run("report", "unpaid", "--ageing", "--format", "csv")
            #expect(ages.text.contains("Lind,") && ages.text.contains(",120.00,EUR,120.00,EUR"), "\(ages.text)")
            let sums = try await daybook.run("report", "totals", "--by", "quarter", "--format", "csv")
            #expect(
                sums.text == """
                    label,id,reference,start,orders,net,net_currency,tax,tax_currency,total,total_currency
                    2024-Q1,,,2024-01-01,2,120.00,EUR,19.00,EUR,139.00,EUR

                    """,
                "\(sums.text)"
            )
        }
    }

    @Test func walksAreCountedByDogAndByWeek() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let made = try await daybook.shell(
                """
                set -e
                daybook customers add Lind
                daybook dogs add Rex --owner Lind
                daybook walks add Rex Ada --at '2024-03-31 08:00' --for 45min
                daybook walks add Rex --at '2024-03-24 23:59' --for 90min
                daybook walks start Ada --at '2024-04-01 00:00'
                """
            )
            #expect(made.code == 0, "\(made.error)")
            let byDog = try await daybook.shell("daybook report walks --by dog")
            #expect(
                byDog.text == """
                    Dog  Walks        Time  Without end
                    Ada      2      45 min            1
                    Rex      2  2 h 15 min            0
                    Total: 2 h 15 min (3 walks, 1 of them without an end)

                    """,
                "\(byDog.text)\(byDog.error)"
            )
            let byWeek = try await daybook.shell("daybook report walks --by week --customer Lind --format csv")
            #expect(
                byWeek.text == """
                    label,id,start,walks,minutes,seconds,untimed
                    2024-W12,,2024-03-18,1,90,5400,0
                    2024-W13,,2024-03-25,1,45,2700,0

                    """,
                "\(byWeek.text)\(byWeek.error)"
            )
            let period = try await daybook.shell(
                "daybook report walks --by dog --period 2024-03 --dog Ada --format json"
            )
            #expect(period.text.contains("\"walks\": 1,\n  \"minutes\": 45"), "\(period.text)\(period.error)")
            let sequence = try await daybook.client.send(StatusRequest(), to: .walks).value.sequence
            let changed = try await daybook.shell(
                "daybook walks stop --at '2024-04-01 00:20'; daybook walks delete 1 --yes"
            )
            #expect(changed.code == 0, "\(changed.error)")
            let now = try await daybook.shell("daybook report walks --by dog")
            #expect(now.text.hasSuffix("Total: 1 h 50 min (2 walks)\n"), "\(now.text)")
            for moment in ["\(sequence)", "walks:\(sequence)"] {
                let then = try await daybook.shell("daybook report walks --by dog --as-of \(moment)")
                #expect(then.text.hasPrefix(byDog.text) && then.text.contains("As of event \(sequence) of walks"))
            }
            let other = try await daybook.shell("daybook report walks --by dog --as-of orders:1")
            #expect(other.code == 2 && other.error.contains("write walks:1"), "\(other.error)")
            let chart = try await daybook.shell("daybook report walks --by week --chart")
            #expect(chart.text.hasPrefix("Walks by week, hours\n"), "\(chart.text)")
            let page = try await daybook.shell("daybook report walks --by dog --format html")
            #expect(page.text.contains("1 h 50 min") && page.text.contains("<h1>Walks by dog</h1>"))
            try await daybook.stop(.walks)
            let down = try await daybook.shell("daybook report walks --by week --timeout 0.5")
            #expect(down.code == 3 && down.error.contains("--stale"), "\(down.error)")
            let stale = try await daybook.shell("daybook report walks --by week --stale")
            #expect(stale.code == 0 && stale.text.contains("2024-W14"))
        }
    }
}
