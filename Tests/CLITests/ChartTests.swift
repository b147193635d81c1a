import Documents
import Messages
import Testing

@testable import CLI

struct ChartTests {
    private func chart(_ kind: Chart.Kind, _ points: [(String, Int64)]) -> Chart {
        Chart(
            title: "Unpaid, EUR",
            kind: kind,
            points: points.map { .init(label: $0, value: $1, text: Money(amount: $1, currency: .eur).plain) }
        )
    }

    private func text(_ chart: Chart, columns: Int = 40, isUnicode: Bool = true) -> String {
        TerminalChart(columns: columns, isUnicode: isUnicode).text(chart)
    }

    // MARK: Bars

    @Test func barsFillTheLineAndEndInEighths() {
        #expect(
            text(chart(.bars, [("Lind", 10000), ("Kim Berg", 4250), ("Ada", 0), ("Eva", 1)])) == """
                Unpaid, EUR
                Lind      100.00  ██████████████████████
                Kim Berg   42.50  █████████▍
                Ada         0.00
                Eva         0.01  ▏

                """
        )
    }

    @Test func withoutUnicodeBarsAreNumberSigns() {
        #expect(
            text(chart(.bars, [("Lind", 10000), ("Kim Berg", -5000), ("Ada", 1)]), isUnicode: false) == """
                Unpaid, EUR
                Lind      100.00         |##############
                Kim Berg  -50.00  #######|
                Ada         0.01         |#

                """
        )
    }

    @Test func negativeBarsLieLeftOfTheLine() {
        #expect(
            text(chart(.bars, [("Lind", 10000), ("Kim Berg", -4642)])) == """
                Unpaid, EUR
                Lind      100.00         │██████████████
                Kim Berg  -46.42  ▐██████│

                """
        )
        #expect(
            text(chart(.bars, [("Lind", -100), ("Kim Berg", -50)]), columns: 30) == """
                Unpaid, EUR
                Lind      -1.00  ████████████│
                Kim Berg  -0.50        ██████│

                """
        )
    }

    @Test func wideAndCombiningNamesKeepTheirCells() {
        #expect(
            text(chart(.bars, [("李小雨", 100), ("e\u{301}va", 100), ("\u{1B}[2J", 100)]), columns: 26) == """
                Unpaid, EUR
                李小雨     1.00  ██████████
                e\u{301}va        1.00  ██████████
                \\u{1B}[2J  1.00  ██████████

                """
        )
        let long = chart(.bars, [("A customer of a long name", 100)])
        #expect(text(long, columns: 30) == "Unpaid, EUR\nA customer …  1.00  ██████████\n")
        #expect(text(long, columns: 30, isUnicode: false) == "Unpaid, EUR\nA custome...  1.00  ##########\n")
    }

    @Test(arguments: [[0], [.max, .min], [.max, 1], [.min], [.min, .max, 0, -1, 1]] as [[Int64]], [1, 20, 80, 300])
    func everyLineFits(values: [Int64], columns: Int) {
        for kind in [Chart.Kind.bars, .line] {
            for isUnicode in [false, true] {
                let points = values.enumerated().map { Chart.Point(label: "P\($0)", value: $1, text: "\($1)") }
                let lines = text(Chart(title: "T", kind: kind, points: points), columns: columns, isUnicode: isUnicode)
                    .split(separator: "\n")
                #expect(lines.count > values.count)
                // A label of eight cells, a number and a bar of ten are the least.
                for line in lines { #expect(line.count <= max(columns, 44)) }
            }
        }
    }

    // MARK: Columns

    @Test func columnsStandOverTheirLabels() {
        #expect(
            text(chart(.line, [("Jan", 2000), ("Feb", 0), ("Mar", 3938)]), columns: 20) == """
                Unpaid, EUR
                40 ┤           ▇▇▇▇
                   │           ████
                30 ┤           ████
                   │           ████
                20 ┤ ████      ████
                   │ ████      ████
                10 ┤ ████      ████
                   │ ████      ████
                 0 ┼────────────────
                     Jan  Feb  Mar

                """
        )
    }

    @Test func negativeColumnsHangBelowTheLine() {
        #expect(
            text(chart(.line, [("2023", 1000), ("2024", -250)]), columns: 15) == """
                Unpaid, EUR
                10 ┤ ████
                   │ ████
                   │ ████
                 5 ┤ ████
                   │ ████
                   │ ████
                 0 ┼───────────
                   │      ████
                   │      ▀▀▀▀
                -5 ┤
                     2023 2024

                """
        )
        #expect(
            text(chart(.line, [("2023", 1000), ("2024", -250)]), columns: 15, isUnicode: false) == """
                Unpaid, EUR
                10 + ####
                   | ####
                   | ####
                 5 + ####
                   | ####
                   | ####
                 0 +-----------
                   |      ####
                   |      ####
                -5 +
                     2023 2024

                """
        )
    }

    @Test func morePointsThanCellsAreBars() {
        let days = (1...31).map { ("2024-03-\($0 < 10 ? "0" : "")\($0)", Int64($0)) }
        let lines = text(chart(.line, days), columns: 30).split(separator: "\n")
        #expect(lines.count == 32)
        #expect(lines.last == "2024-03-31  0.31  ████████████")
    }

    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8"], true),
            (["LANG": "en_US.ISO-8859-1"], false), (["LANG": "ca_ES.UTF-8@valencia"], true),
        ] as [([String: String], Bool)]
    )
    func theLocaleSaysWhetherThereIsUnicode(environment: [String: String], expected: Bool) {
        #expect(TerminalChart.isUnicode(environment) == expected)
    }

    @Test func aPipeHasEightyCellsAndNoColour() {
        let terminal = TerminalChart(.plain, environment: ["LANG": "C.UTF-8", "TERM": "xterm"])
        let lines = terminal.text(chart(.bars, [("Lind", 100)])).split(separator: "\n")
        #expect(lines.map(\.count) == [11, 80])
        let coloured = TerminalChart(Style(usesColour: true, columns: 40), environment: [:])
        #expect(coloured.text(chart(.bars, [])) == "\u{1B}[1mUnpaid, EUR\u{1B}[0m\n")
    }

    // MARK: What is drawn

    @Test func currenciesAreNeverInOneChart() throws {
        let amounts = [
            ("Lind", Money(amount: 100, currency: .usd)), ("Ada", Money(amount: 5, currency: .eur)),
            ("Lind", Money(amount: 50, currency: .usd)), ("Ada", Money(amount: 500, currency: .usd)),
        ]
        let charts = try ReportChart.byCurrency("Unpaid", .bars, amounts)
        #expect(charts.map(\.chart.title) == ["Unpaid, EUR", "Unpaid, USD"])
        #expect(charts[0].chart.points == [.init(label: "Ada", value: 5, text: "0.05")])
        #expect(charts[1].sortedByValue().chart.points.map(\.text) == ["5.00", "1.50"])
        #expect(throws: CLIError.self) {
            try ReportChart.byCurrency(
                "Unpaid",
                .bars,
                [("A", Money(amount: .max, currency: .eur)), ("A", Money(amount: 1, currency: .eur))]
            )
        }
    }

    @Test func manyBarsAreSummedUpOnAPage() throws {
        let bars = chart(.bars, [("A", 1), ("B", 500), ("C", -700), ("D", 2), ("E", 300)])
        let many = ReportChart(unit: .money(.eur), chart: bars)
        let limited = try many.limited(to: 3)
        #expect(limited.points.map(\.label) == ["B", "C", "3 others"])
        #expect(limited.points.map(\.text) == ["5.00", "-7.00", "3.03"])
        #expect(try many.limited(to: 5) == bars)
    }

    @Test(
        arguments: [
            (["2023", "2025"], ["2023", "2024", "2025"]),
            (["2023-11", "2024-02"], ["2023-11", "2023-12", "2024-01", "2024-02"]),
            (["2023-Q4", "2024-Q2"], ["2023-Q4", "2024-Q1", "2024-Q2"]),
            (["2020-W52", "2021-W01"], ["2020-W52", "2020-W53", "2021-W01"]),
            (["2024-02-28", "2024-03-01"], ["2024-02-28", "2024-02-29", "2024-03-01"]), ([], []), (["2024"], ["2024"]),
            (["0001-01-01", "9999-12-31"], ["0001-01-01", "9999-12-31"]), (["Bath", "Claws"], ["Bath", "Claws"]),
            (["2024", "2023"], ["2024", "2023"]),
        ] as [([String], [String])]
    )
    func timeHasNoGaps(labels: [String], filled: [String]) {
        #expect(TimeLabels.filled(labels) == filled)
    }
}
