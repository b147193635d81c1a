public import Documents
internal import Messages

/// A document as a PDF file of A4 pages.
///
/// Equal documents give equal bytes on a machine with the same fonts and libraries.
public struct PDFFile: Sendable {
    public let bytes: [UInt8]
    /// How many characters show as empty boxes, because no font of this machine has them.
    public let charactersWithoutFont: Int

    /// Makes the file.
    ///
    /// Every text is laid out twice: once to count the pages, which each page's foot tells, and once to draw.
    ///
    /// - Throws: ``PaperError``.
    public init(of document: Document) throws(PaperError) {
        let canvas = Canvas()
        canvas.describe(title: document.title, time: document.time?.description)
        var counting = PageFlow(document, canvas, pages: nil)
        counting.run()
        var drawing = PageFlow(document, canvas, pages: counting.page)
        drawing.run()
        bytes = try canvas.finish()
        charactersWithoutFont = canvas.charactersWithoutFont
    }
}

/// Puts a document's blocks onto pages, top to bottom.
struct PageFlow {
    /// The page that is being filled, from 1.
    private(set) var page = 1

    private let document: Document
    private let canvas: Canvas
    /// How many there are; nil while they are counted, and then nothing is drawn.
    private let pages: Int?
    private var y: Double

    static let margin = 56.0
    static let textWidth = Canvas.width - 2 * margin
    private static let text = Canvas.Font(size: 9.5)
    private static let bold = Canvas.Font(size: 9.5, isBold: true)
    private static let small = Canvas.Font(size: 8)
    private static let cellGap = 10.0
    private static let rowGap = 4.0

    init(_ document: Document, _ canvas: Canvas, pages: Int?) {
        self.document = document
        self.canvas = canvas
        self.pages = pages
        y = Self.margin
    }

    mutating func run() {
        place(document.title, Canvas.Font(size: 16, isBold: true))
        y += 10
        for block in document.blocks {
            switch block {
            case .heading(let heading):
                y += 8
                // A heading does not stand alone at a page's end.
                makeRoom(for: 48)
                place(heading, Canvas.Font(size: 11.5, isBold: true))
                y += 4
            case .text(let text):
                for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                    place(String(line), Self.text)
                }
                y += 8
            case .columns(let texts): place(texts)
            case .table(let table): place(table)
            case .chart(let chart): place(chart)
            }
        }
        endPage()
    }

    // MARK: Pages

    private var isDrawn: Bool { pages != nil }

    private var footHeight: Double { Double(document.footer.count + 1) * 11 + 6 }

    private var bottom: Double { Canvas.height - Self.margin - footHeight }

    private mutating func makeRoom(for height: Double) {
        guard y + height > bottom, y > Self.margin else { return }
        endPage()
        page += 1
        y = Self.margin
    }

    private func endPage() {
        guard let pages else { return }
        let top = Canvas.height - Self.margin - footHeight + 6
        canvas.rule(
            from: (Self.margin, top),
            to: (Canvas.width - Self.margin, top),
            width: 0.5,
            color: .faint
        )
        var place = top + 4
        for line in document.footer {
            canvas.draw(line, Self.small, x: Self.margin, y: place, width: Self.textWidth)
            place += 11
        }
        canvas.draw(
            "\(page)/\(pages)",
            Self.small,
            x: Self.margin,
            y: place,
            width: Self.textWidth,
            alignment: .trailing
        )
        canvas.endPage()
    }

    // MARK: Blocks

    private mutating func place(_ text: String, _ font: Canvas.Font) {
        let height = canvas.size(of: text, font, width: Self.textWidth).height
        makeRoom(for: height)
        if isDrawn { canvas.draw(text, font, x: Self.margin, y: y, width: Self.textWidth) }
        y += height
    }

    private mutating func place(_ texts: [String]) {
        let width = (Self.textWidth - Self.cellGap * Double(max(0, texts.count - 1))) / Double(max(1, texts.count))
        let height = texts.map { canvas.size(of: $0, Self.text, width: width).height }.max() ?? 0
        makeRoom(for: height)
        if isDrawn {
            for (index, text) in texts.enumerated() {
                canvas.draw(
                    text,
                    Self.text,
                    x: Self.margin + Double(index) * (width + Self.cellGap),
                    y: y,
                    width: width
                )
            }
        }
        y += height + 14
    }

    private mutating func place(_ chart: Chart) {
        let font = Canvas.Font(size: ChartDrawing.labelSize)
        let canvas = canvas
        let drawing = ChartDrawing(chart, width: Self.textWidth) { canvas.size(of: $0, font).width }
        makeRoom(for: drawing.height)
        if isDrawn { canvas.draw(drawing, x: Self.margin, y: y) }
        y += drawing.height + 14
    }

    // MARK: Tables

    private mutating func place(_ table: DocumentTable) {
        let widths = widths(of: table)
        let heading = DocumentTable.Row(table.columns.map(\.title), .group)
        makeRoom(for: height(of: heading, widths) + 24)
        placeHeading(heading, table, widths)
        for row in table.rows {
            let needed = height(of: row, widths)
            if y + needed > bottom, y > Self.margin {
                endPage()
                page += 1
                y = Self.margin
                placeHeading(heading, table, widths)
            }
            place(row, table, widths, needed)
        }
        y += 14
    }

    private mutating func placeHeading(_ heading: DocumentTable.Row, _ table: DocumentTable, _ widths: [Double]) {
        place(heading, table, widths, height(of: heading, widths))
        if isDrawn {
            canvas.rule(
                from: (Self.margin, y - Self.rowGap / 2),
                to: (Self.margin + Self.textWidth, y - Self.rowGap / 2),
                width: 1,
                color: .text
            )
        }
    }

    private mutating func place(
        _ row: DocumentTable.Row,
        _ table: DocumentTable,
        _ widths: [Double],
        _ height: Double
    ) {
        if isDrawn {
            if row.style == .total {
                canvas.rule(
                    from: (Self.margin, y - Self.rowGap / 2),
                    to: (Self.margin + Self.textWidth, y - Self.rowGap / 2),
                    width: 0.75,
                    color: .text
                )
            }
            var x = Self.margin
            for (index, width) in widths.enumerated() {
                if index < row.cells.count, !row.cells[index].isEmpty {
                    let alignment = table.columns[index].alignment
                    canvas.draw(
                        row.cells[index],
                        font(of: row),
                        x: x,
                        y: y,
                        width: width,
                        alignment: alignment == .trailing ? .trailing : .leading
                    )
                }
                x += width + Self.cellGap
            }
        }
        y += height
    }

    private func font(of row: DocumentTable.Row) -> Canvas.Font { row.style == .plain ? Self.text : Self.bold }

    private func height(of row: DocumentTable.Row, _ widths: [Double]) -> Double {
        let heights = zip(row.cells, widths).map { canvas.size(of: $0, font(of: row), width: $1).height }
        return (heights.max() ?? canvas.size(of: " ", Self.text).height) + Self.rowGap
    }

    /// Columns as wide as their widest cell among the first rows; where that is too much, columns of text become
    /// narrower, those of numbers stay whole.
    private func widths(of table: DocumentTable) -> [Double] {
        let available = Self.textWidth - Self.cellGap * Double(max(0, table.columns.count - 1))
        var widths = table.columns.indices.map { index in
            let cells = table.rows.prefix(500).filter { index < $0.cells.count }
            let widest = cells.map { canvas.size(of: $0.cells[index], font(of: $0)).width }.max() ?? 0
            return max(widest, canvas.size(of: table.columns[index].title, Self.bold).width) + 1
        }
        let excess = widths.reduce(0, +) - available
        let texts = table.columns.indices.filter { table.columns[$0].alignment == .leading }
        guard excess > 0 else {
            // What is left goes to the last column of text, so that numbers end at the page's edge.
            if let last = texts.last { widths[last] -= excess }
            return widths
        }
        let flexible = texts.isEmpty ? Array(table.columns.indices) : texts
        narrow(&widths, flexible, by: excess)
        return widths
    }

    /// Takes from the widest first, down to 40 points each; then from all alike.
    private func narrow(_ widths: inout [Double], _ flexible: [Int], by excess: Double) {
        var excess = excess
        while excess > 0.5 {
            guard let widest = flexible.max(by: { widths[$0] < widths[$1] }), widths[widest] > 40 else { break }
            let part = min(excess, max(1, (widths[widest] - 40) / 8))
            widths[widest] -= part
            excess -= part
        }
        guard excess > 0.5 else { return }
        let factor = 1 - excess / widths.reduce(0, +)
        for index in widths.indices { widths[index] *= factor }
    }
}

extension Canvas {
    /// Draws a chart with its upper left corner at a place.
    fileprivate func draw(_ drawing: ChartDrawing, x left: Double, y top: Double) {
        let (mark, rule) = (Color(ChartColors.mark), Color(ChartColors.rule))
        for shape in drawing.shapes {
            switch shape {
            case .bar(let x, let y, let width, let height):
                fill(x: left + x, y: top + y, width: width, height: height, color: mark)
            case .rule(let x1, let y1, let x2, let y2):
                self.rule(from: (left + x1, top + y1), to: (left + x2, top + y2), width: 0.75, color: rule)
            case .path(let places):
                path(places.map { (left + $0.x, top + $0.y) }, width: 1.5, color: mark)
            case .dot(let place): dot(x: left + place.x, y: top + place.y, radius: 2, color: mark)
            case .text(let text, let x, let y, let anchor, let style):
                let isTitle = style == .title
                let font = Font(size: isTitle ? ChartDrawing.titleSize : ChartDrawing.labelSize, isBold: isTitle)
                let width = size(of: text, font).width
                let start =
                    switch anchor {
                    case .start: x
                    case .middle: x - width / 2
                    case .end: x - width
                    }
                draw(text, font, x: left + start, y: top + y - baseline(of: text, font))
            }
        }
    }
}
