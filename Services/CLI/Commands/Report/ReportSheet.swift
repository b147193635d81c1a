import ArgumentParser
import Documents
import Messages

/// What stands around a report's table on a page, and its charts.
struct ReportSheet: Sendable {
    /// `Unpaid orders`.
    var title: String
    /// What the report is of: its period, what was chosen; a line each.
    var notes: [String]
    /// One for each unit.
    var charts: [ReportChart]
    /// The lines at the foot of each page.
    var footer: [String] = []
    /// When it was made.
    var time = Instant.now()

    /// The most bars on a page; see ``ReportChart/limited(to:)``.
    static let mostBars = 24

    /// The report as a page: what it is of, the table with a total for each currency, the charts, how new it is.
    ///
    /// - Throws: as ``Presentation/pageFields(of:)``.
    func document<Line>(
        _ report: ReportDocument<Line>,
        _ noun: Noun<Line>,
        _ presentation: Presentation
    ) throws(CLIError) -> Document {
        let fields = try presentation.pageFields(of: noun)
        var table = DocumentTable(
            fields.map(\.declaration),
            rows: report.lines.map { line in fields.map { $0.value(line) } },
            cells: presentation.cells
        )
        if let column = fields.lastIndex(where: { $0.declaration.type == .money }) {
            for total in report.totals {
                var cells = [String](repeating: "", count: fields.count)
                if column > 0 { cells[0] = "Total" }
                cells[column] = total.description
                table.rows.append(.init(cells, .total))
            }
        }
        if let total = report.total {
            let cells = fields.map { field in presentation.cells.text(field.value(total), idDigits: nil) }
            table.rows.append(.init(["Total"] + cells.dropFirst(), .total))
        }
        var blocks: [DocumentBlock] = [.text(notes.joined(separator: "\n")), .table(table)]
        for chart in charts { blocks.append(.chart(try chart.limited(to: Self.mostBars))) }
        blocks.append(.text(state(of: report.positions)))
        return Document(title: title, time: time, blocks: blocks, footer: footer)
    }

    /// The charts as one picture; an empty one where there is nothing to draw.
    var picture: String {
        let empty = Chart(title: "\(title): nothing", kind: .bars, points: [])
        return SVGPicture.text(of: charts.isEmpty ? [empty] : charts.map(\.chart))
    }

    /// `Made 2024-03-31T18:05:09Z; goes up to change 88 of catalog, 120 of orders.`
    private func state(of positions: Positions) -> String {
        let seconds = Instant(microseconds: time.microseconds - time.microseconds % 1_000_000)
        let places = positions.sorted { $0.key < $1.key }.map { "\($0.value.sequence) of \($0.key)" }
        let end = places.isEmpty ? "" : "; goes up to change \(places.joined(separator: ", "))"
        return "Made \(seconds)\(end)."
    }
}

/// The options of reports that can be looked at.
struct ChartOptions: ParsableArguments {
    @Flag(help: "Draw bars, or columns over time, instead of the lines; html, pdf and svg have them anyhow.")
    var chart = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write into this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var file: String?

    /// Standard output is no file.
    var path: String? { file == "-" ? nil : file }
}

extension Invocation {
    /// One that prints a report.
    ///
    /// - Throws: as ``init(_:_:keepEvents:hasPicture:file:queueing:)``, and ``CLIError/usage(_:)`` for a chart beside another
    ///   form.
    init(_ global: GlobalOptions, _ options: ReportOptions) throws(CLIError) {
        let (chart, output) = (options.chart, options.output)
        if options.watching.watch, chart.chart || chart.file != nil {
            throw .usage("--watch shows the lines as they change: leave --chart and --output out.")
        }
        if chart.chart {
            if let format = output.format, [.json, .jsonl, .csv].contains(format) {
                throw .usage(
                    "--chart draws for people: leave --format \(format.rawValue) out, or take svg, html or pdf."
                )
            }
            if output.fields != nil || output.quiet {
                throw .usage("--chart draws instead of the lines: leave --fields and --quiet out.")
            }
        }
        try self.init(global, output, hasPicture: true, file: chart.path)
    }

    /// Prints a report: as a page or a picture, as a chart with what closes the report below, or else by `print`; into a
    /// file where one was named.
    ///
    /// - Parameters:
    ///   - sheet: its title and charts are drawn.
    ///   - closing: the last lines for people.
    /// - Throws: what printing throws.
    func show(
        _ options: ChartOptions,
        page: (Presentation) throws(CLIError) -> Document,
        charts sheet: ReportSheet,
        closing: String,
        print: (Presentation) throws(CLIError) -> Void
    ) throws(CLIError) {
        func show(_ presentation: Presentation) throws(CLIError) {
            switch presentation.format {
            case .html, .pdf: try presentation.write(try page(presentation))
            case .svg: try presentation.output.write(sheet.picture)
            default:
                guard options.chart else { return try print(presentation) }
                let terminal = TerminalChart(presentation.output.style, environment: ProcessEnvironment.variables)
                let charts = sheet.charts.map { terminal.text($0.chart) }
                try presentation.output.write((charts + [closing]).joined(separator: charts.count > 1 ? "\n" : ""))
            }
        }
        guard let path = options.path else { return try show(presentation) }
        let file = try NewFile(path)
        var presentation = presentation
        presentation.output = file.output
        try show(presentation)
        try file.finish()
    }
}
