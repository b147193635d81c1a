import Documents
import Messages
import Paper
import Support
import Testing

@Suite struct PDFFileTests {
    private static let invoice = Document(
        title: "Order 17",
        time: Instant(microseconds: 1_711_843_200_000_000),
        blocks: [
            .columns(["Daybook Bakery\nMill Lane 3\nOslo", "Zoë Lefèvre\nRue de l’Église 4\n75011 Paris"]),
            .text("Thank you & see you <soon>."),
            .table(
                DocumentTable(
                    columns: [.init("Service"), .init("Quantity", .trailing), .init("Sum", .trailing)],
                    rows: [
                        .init(["Rye loaf", "3", "18.60"]), .init(["Пирог с вишней", "1", "14.00"]),
                        .init(["Total", "", "32.60"], .total),
                    ]
                )
            ),
        ],
        footer: ["Daybook Bakery · Oslo"]
    )

    @Test func holdsTheTextOfTheDocument() async throws {
        let text = try await reading(PDFFile(of: Self.invoice).bytes) { try await $0.text() }
        for expected in [
            "Order 17", "Zoë Lefèvre", "Rue de l’Église 4", "Thank you & see you <soon>.", "Пирог с вишней", "32.60",
            "Daybook Bakery · Oslo", "1/1",
        ] {
            #expect(text.contains(expected), "\(expected) is not in: \(text)")
        }
    }

    @Test func equalDocumentsGiveEqualBytes() async throws {
        #expect(try PDFFile(of: Self.invoice).bytes == PDFFile(of: Self.invoice).bytes)
        var later = Self.invoice
        later.time = Instant(microseconds: 1_711_843_201_000_000)
        #expect(try PDFFile(of: Self.invoice).bytes != PDFFile(of: later).bytes)
        var timeless = Self.invoice
        timeless.time = nil
        let info = try await reading(PDFFile(of: timeless).bytes) { try await $0.info() }
        #expect(!info.contains("CreationDate"))
    }

    @Test func tellsItsTitleAndTime() async throws {
        let info = try await reading(PDFFile(of: Self.invoice).bytes) { try await $0.info() }
        #expect(info.contains("Order 17"))
        #expect(info.contains("2024"))
        #expect(info.contains("A4"))
    }

    @Test func aLongTableGoesOverPagesUnderItsHeading() async throws {
        let rows = (1...150).map { DocumentTable.Row(["Row \($0)", "\($0).00"]) }
        let table = DocumentTable(columns: [.init("Customer"), .init("Sum", .trailing)], rows: rows)
        let bytes = try PDFFile(of: Document(title: "Unpaid", blocks: [.table(table)])).bytes
        let text = try await reading(bytes) { try await $0.text() }
        let pages = text.split(separator: "\u{0C}")
        #expect(pages.count >= 3)
        for (number, page) in pages.enumerated() {
            #expect(page.contains("Customer"))
            #expect(page.contains("\(number + 1)/\(pages.count)"))
        }
        for row in rows { #expect(text.contains(row.cells[0])) }
    }

    @Test(arguments: [1, 40, 400]) func longTextsStayOnThePage(words: Int) async throws {
        let long = Array(repeating: "Rhabarbermarmelade", count: words).joined(separator: " ")
        let table = DocumentTable(
            columns: [.init("Name"), .init("Note"), .init("Sum", .trailing)],
            rows: [.init([long, long, "1,234,567.00"])]
        )
        let text = try await reading(PDFFile(of: Document(title: "Long", blocks: [.table(table)])).bytes) {
            try await $0.text()
        }
        #expect(text.contains("1,234,567.00"))
    }

    @Test func drawsCharts() async throws {
        let points = [("Ann", 1200), ("Bob", -300), ("李小雨", 0)].map {
            Chart.Point(label: $0.0, value: Int64($0.1), text: "\($0.1/100).00")
        }
        for kind in [Chart.Kind.bars, .line] {
            let chart = Chart(title: "Unpaid, EUR", kind: kind, points: points)
            let text = try await reading(PDFFile(of: Document(title: "Chart", blocks: [.chart(chart)])).bytes) {
                try await $0.text()
            }
            #expect(text.contains("Unpaid, EUR"))
            #expect(text.contains("Ann"))
        }
    }

    @Test func anEmptyDocumentIsOnePage() async throws {
        let text = try await reading(PDFFile(of: Document(title: "")).bytes) { try await $0.text() }
        #expect(text.contains("1/1"))
    }

    @Test func countsWhatNoFontHas() throws {
        // A private-use character: no font of Debian has it.
        #expect(try PDFFile(of: Document(title: "a\u{F8D0}b")).charactersWithoutFont == 1)
        #expect(try PDFFile(of: Self.invoice).charactersWithoutFont == 0)
    }
}
