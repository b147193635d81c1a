import CBOR
import Messages

/// How a report's lines are printed, whatever they are asked for in.
struct ReportForm<Line: Codable & Sendable>: Sendable {
    /// `Unpaid orders`, on pages.
    var title: String
    /// A line for programs, and where fields are chosen.
    var line: Noun<Line>
    /// The whole as one JSON object.
    var whole: Noun<ReportDocument<Line>>
    /// All lines for people.
    var people: @Sendable ([Line]) -> Noun<Line>
    /// What tells lines apart.
    var key: @Sendable (Line) -> String
    /// One for each unit.
    var charts: @Sendable ([Line]) throws(CLIError) -> [ReportChart]
    /// The last lines for people.
    var closing: @Sendable (ReportDocument<Line>) -> String
}

extension Invocation {
    /// Prints a report in the form that was asked for.
    ///
    /// - Parameter notes: what was chosen, for pages; a line each.
    /// - Throws: what printing throws.
    func show<Line>(
        _ report: ReportDocument<Line>,
        as form: ReportForm<Line>,
        notes: [String?],
        _ options: ChartOptions
    ) throws(CLIError) {
        let hasFields = presentation.fields != nil
        let noun = hasFields ? form.line : form.people(report.lines)
        let sheet = ReportSheet(
            title: form.title,
            notes: (notes + [report.asOf?.words]).compactMap(\.self),
            charts: try form.charts(report.lines),
            footer: configuration.business.reportFooter
        )
        try show(
            options,
            page: { (presentation) throws(CLIError) in try sheet.document(report, noun, presentation) },
            charts: sheet,
            closing: form.closing(report),
            print: { (presentation) throws(CLIError) in try presentation.show(report, as: form) }
        )
    }

    /// Shows a report, whose lines are the rows of a live list, and what changes in it.
    ///
    /// - Parameters:
    ///   - isStale: doesn't wait for what was stored before.
    ///   - document: what the rows' totals are.
    /// - Throws: as ``watch(_:of:_:after:)``.
    func watch<Line>(
        _ query: ListQuery,
        as form: ReportForm<Line>,
        stale isStale: Bool,
        _ document: @escaping @Sendable ([Line]) -> ReportDocument<Line>
    ) async throws(CLIError) {
        let reached = try await reportedPositions(stale: isStale)
        var view = view(of: form)
        let hasFields = presentation.fields != nil
        view.frame = { WatchFrame(footer: form.closing(document($0)), isTable: hasFields) }
        try await watch(query, of: .reporting, view, after: reached)
    }

    /// Shows a report, whose lines are made of a live list's rows, and what changes in it.
    ///
    /// - Parameters:
    ///   - sources: whose logs it is made from.
    ///   - isOfToday: whether the lines depend on the day.
    ///   - make: the report that rows make.
    /// - Throws: as ``watch(_:of:_:after:)``, and what `make` throws.
    func watch<Row: Decodable & Sendable, Line>(
        _ query: ListQuery,
        as form: ReportForm<Line>,
        of sources: [ServiceName] = [.catalog, .orders],
        stale isStale: Bool,
        isOfToday: Bool = false,
        from make: @escaping @Sendable ([Row]) throws(CLIError) -> ReportDocument<Line>
    ) async throws(CLIError) {
        let reached = try await reportedPositions(of: sources, stale: isStale)
        let hasFields = presentation.fields != nil
        try await watch(query, of: .reporting, view(of: form), after: reached, isOfToday: isOfToday) {
            (rows: [Row]) throws(CLIError) in
            let report = try make(rows)
            return (report.lines, WatchFrame(footer: form.closing(report), isTable: hasFields))
        }
    }

    private func view<Line>(of form: ReportForm<Line>) -> WatchView<Line> {
        let hasFields = presentation.fields != nil
        return WatchView(noun: { hasFields || $0.isEmpty ? form.line : form.people($0) }, key: form.key)
    }
}

extension Presentation {
    /// Prints a report: one JSON object, its lines, or its lines and what closes them.
    ///
    /// - Throws: what printing throws.
    func show<Line>(_ report: ReportDocument<Line>, as form: ReportForm<Line>) throws(CLIError) {
        let isQuiet = isQuiet && form.line.id != nil
        if format == .json, !isQuiet { return try show(report, of: form.whole, lines: form.line) }
        guard format == .table, !isQuiet else { return try list(report.lines, of: form.line) }
        if fields != nil || !report.lines.isEmpty {
            try list(report.lines, of: fields == nil ? form.people(report.lines) : form.line)
        }
        try output.write(form.closing(report))
    }
}

extension ListQuery {
    /// The live list that a report has.
    ///
    /// - Parameter request: its body says what is asked for.
    /// - Throws: ``CLIError/failure(_:)`` where it can't be encoded.
    static func report<R: Request>(_ request: R) throws(CLIError) -> ListQuery {
        do throws(CBORError) {
            // `report.totals`
            let name = R.operation.split(separator: ".").last.map(String.init) ?? R.operation
            return ListQuery(.report(name), parameters: try EncodedCBOR(encoding: request))
        } catch {
            throw .failure("The report can't be asked for: \(error).")
        }
    }
}
