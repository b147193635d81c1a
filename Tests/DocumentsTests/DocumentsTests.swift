import Documents
import Testing

@Suite struct HTMLPageTests {
    @Test func escapesWhatPeopleType() {
        let text = HTMLPage.text(
            of: Document(
                title: "a < b & \"c\"",
                blocks: [
                    .heading("<script>"), .text("one\r\ntwo\u{1B}"),
                    .table(DocumentTable(columns: [.init("<i>")], rows: [.init(["</td>"]), .init([], .total)])),
                ],
                footer: ["A & B"]
            )
        )
        #expect(text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"))
        #expect(text.contains("<h2>&lt;script&gt;</h2>"))
        #expect(text.contains("<p>one<br>two\u{FFFD}</p>"))
        #expect(text.contains("<td>&lt;/td&gt;</td>"))
        #expect(text.contains("<tr class=\"total\"><td></td></tr>"))
        #expect(text.contains("<footer>A &amp; B</footer>"))
        #expect(!text.contains("<script>"))
    }

    @Test func loadsNothingFromElsewhere() {
        let chart = Chart(title: "Totals", kind: .bars, points: [.init(label: "Ann", value: 1, text: "0.01")])
        let text = HTMLPage.text(of: Document(title: "Report", blocks: [.chart(chart)]))
        #expect(text.contains("<svg"))
        #expect(!text.contains("src="))
        #expect(!text.contains("href="))
        #expect(!text.contains("@import"))
    }
}

@Suite struct ChartDrawingTests {
    private func drawing(_ kind: Chart.Kind, _ values: [Int64]) -> ChartDrawing {
        let points = values.enumerated().map { Chart.Point(label: "P\($0)", value: $1, text: "\($1)") }
        return ChartDrawing(Chart(title: "T", kind: kind, points: points), width: 500) { Double($0.count) * 6 }
    }

    @Test(arguments: [[], [0], [5], [-5], [3, -7, 0], [.max, .min], [1, 1_000_000]] as [[Int64]])
    func everyShapeLiesInside(values: [Int64]) {
        for kind in [Chart.Kind.bars, .line] {
            let drawing = drawing(kind, values)
            for shape in drawing.shapes {
                switch shape {
                case .bar(let x, let y, let width, let height):
                    #expect(x >= 0 && x + width <= drawing.width + 0.01)
                    #expect(y >= 0 && y + height <= drawing.height)
                case .rule(let x1, let y1, let x2, let y2):
                    #expect(min(x1, x2) >= 0 && max(x1, x2) <= drawing.width)
                    #expect(min(y1, y2) >= 0 && max(y1, y2) <= drawing.height)
                case .path(let places):
                    #expect(places.allSatisfy { (0...drawing.width).contains($0.x) })
                    #expect(places.allSatisfy { (0...drawing.height).contains($0.y) })
                case .dot(let place): #expect((0...drawing.height).contains(place.y))
                case .text(let text, let x, let y, let anchor, _):
                    let width = Double(text.count) * 6
                    let start = anchor == .start ? x : anchor == .end ? x - width : x - width / 2
                    #expect(start >= -0.01 && start + width <= drawing.width + 0.01, "\(text)")
                    #expect(y <= drawing.height)
                }
            }
        }
    }

    @Test func barsAreAsLongAsTheirNumbers() {
        let bars = drawing(.bars, [100, 50, -25, 0]).shapes.compactMap { shape in
            if case .bar(_, _, let width, _) = shape { width } else { nil }
        }
        #expect(bars.count == 4)
        #expect(abs(bars[0] - 2 * bars[1]) < 0.001)
        #expect(abs(bars[0] - 4 * bars[2]) < 0.001)
        #expect(bars[3] == 0)
    }

    @Test func pictureHoldsTitleLabelsAndNumbers() {
        let chart = Chart(title: "A & B", kind: .bars, points: [.init(label: "Ann <x>", value: 5, text: "0.05")])
        let text = SVGPicture.text(of: chart)
        #expect(text.hasPrefix("<?xml"))
        #expect(text.contains("<title>A &amp; B</title>"))
        #expect(text.contains(">Ann &lt;x&gt;</text>"))
        #expect(text.contains(">0.05</text>"))
        #expect(text.contains("<rect"))
    }

    @Test func axisNumbersAreRoundAndReachOverAll() {
        let chart = Chart(
            title: "T",
            kind: .line,
            points: [("Jan", 12_34), ("Feb", 987_65), ("Mar", -20_00)].map {
                Chart.Point(label: $0.0, value: Int64($0.1), text: "\($0.1 / 100).\($0.1 % 100)")
            }
        )
        let text = SVGPicture.text(of: chart)
        #expect(text.contains(">500</text>"))
        #expect(text.contains(">1000</text>"))
        #expect(text.contains(">-500</text>"))
        #expect(text.contains(">0</text>"))
    }
}
