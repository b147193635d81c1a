import Client
import Glibc
import LiveList
import Messages

/// How a live list is shown: what depends on its rows.
struct WatchView<Row: Decodable & Sendable>: Sendable {
    /// The noun in whose form all these rows are printed.
    var noun: @Sendable ([Row]) -> Noun<Row>
    /// What stands around them on a terminal.
    var frame: @Sendable ([Row]) -> WatchFrame = { _ in WatchFrame() }
    /// How the list's one record stands on a terminal, with its line ends; nil for a table of the rows.
    var record: (@Sendable (Row, Style) -> String)?
    /// What tells rows apart where the noun has no id.
    var key: (@Sendable (Row) -> String)?
}

/// What stands around a list's rows on a terminal, each text with its line ends.
struct WatchFrame: Sendable, Hashable {
    var header = ""
    var footer = ""
    /// Whether the rows stand under titles even where there are none.
    var isTable = true
}

extension Invocation {
    /// Shows a list and what changes in it, until Ctrl-C: on a terminal as a table that is kept up to date, otherwise as
    /// JSON lines.
    ///
    /// - Parameter positions: what is shown has reached them.
    /// - Throws: ``CLIError``: also where the service does not answer at the beginning; later it is waited for.
    func watch<Row>(
        _ query: ListQuery,
        of service: ServiceName,
        _ view: WatchView<Row>,
        after positions: Positions = [:]
    ) async throws(CLIError) {
        let list = try await watched(query, of: service, Row.self, view, after: positions)
        guard let screen = screen(of: view) else {
            let lines = WatchLines(fields: try view.noun([]).selected(presentation.fields), output: output)
            return try await list.follow { (step) throws(CLIError) in try lines.print(step) }
        }
        try await screen.run { (show) throws(CLIError) in
            try await list.follow { (step) throws(CLIError) in try await show(step, nil) }
        }
    }

    /// Shows lines that are made of a list's rows, and what changes in them; see ``WatchedReport``.
    ///
    /// - Parameters:
    ///   - view: of the lines; with a key.
    ///   - isOfToday: whether the lines depend on the day.
    ///   - make: makes all lines of all rows, and what stands around them.
    /// - Throws: as ``watch(_:of:_:after:)``, and what `make` throws.
    func watch<Row: Decodable & Sendable, Line: Codable & Sendable>(
        _ query: ListQuery,
        of service: ServiceName,
        _ view: WatchView<Line>,
        after positions: Positions,
        isOfToday: Bool = false,
        from make: @escaping @Sendable ([Row]) throws(CLIError) -> (lines: [Line], frame: WatchFrame)
    ) async throws(CLIError) {
        let list = try await watched(query, of: service, Row.self, view, after: positions)
        let report = WatchedReport<Row, Line>(
            { (take) throws(CLIError) in try await list.follow(take) },
            key: view.key ?? { _ in "" },
            days: isOfToday ? .ofClock : nil,
            make
        )
        guard let screen = screen(of: view) else {
            let lines = WatchLines(fields: try view.noun([]).selected(presentation.fields), output: output)
            return try await report.follow { (step, _) throws(CLIError) in try lines.print(step) }
        }
        try await screen.run { (show) throws(CLIError) in try await report.follow(show) }
    }

    /// The list, once it is sure that what was asked for can be printed and that the service answers.
    private func watched<Row, Line>(
        _ query: ListQuery,
        of service: ServiceName,
        _ row: Row.Type,
        _ view: WatchView<Line>,
        after positions: Positions
    ) async throws(CLIError) -> WatchedList<Row> {
        guard !presentation.isQuiet else { throw .usage("--watch shows rows, and --quiet leaves them out.") }
        guard [.table, .jsonl].contains(presentation.format) else {
            throw .usage("--watch prints a table on a terminal, or jsonl; it can't print \(presentation.format).")
        }
        _ = try view.noun([]).selected(presentation.fields)
        // A service that does not answer is told at once.
        _ = try await send(StatusRequest(), to: service)
        return WatchedList(client: try client(), query: query, service: service, after: positions)
    }

    private func screen<Row>(of view: WatchView<Row>) -> WatchScreen<Row>? {
        guard presentation.format == .table, let terminal = Terminal.current else { return nil }
        return WatchScreen(presentation, view, terminal)
    }

    /// Shows a record as `show` does, and what changes in it; as JSON lines it is the one row of a list.
    ///
    /// - Throws: as ``watch(_:of:_:after:)``.
    func watch<R: Record>(
        _ record: R,
        as noun: Noun<R>,
        text: @escaping @Sendable (R, Style) -> String
    ) async throws(CLIError) {
        let query = ListQuery(.entity(R.entity), filter: .equal("id", .id(record.id)))
        try await watch(query, of: R.service, WatchView(noun: { _ in noun }, record: text))
    }

    /// Shows parts of a record, and what changes in them.
    ///
    /// As JSON lines they have their `position` in the record instead of a number, which changes with other parts.
    ///
    /// - Parameters:
    ///   - noun: how they are printed, with a field `number`.
    ///   - sort: nil for the parts' own.
    ///   - shown: what is printed of parts; one for each.
    /// - Throws: as ``watch(_:of:_:after:)``.
    func watch<Part: RecordPart, Shown: Sendable>(
        partsOf record: some Record,
        sort: [SortKey]? = nil,
        as noun: Noun<Shown>,
        _ shown: @escaping @Sendable ([ListedPart<Part>]) -> [Shown]
    ) async throws(CLIError) {
        let query = ListQuery(.entity(Part.entity), filter: .equal(Part.owner, .id(record.id)), sort: sort)
        let onTerminal = watchesOnTerminal
        let view = WatchView<ListedPart<Part>> { parts in
            let numbered = onTerminal ? Dictionary(zip(parts.map(\.id), shown(parts))) { first, _ in first } : [:]
            var fields: [Field<ListedPart<Part>>] = noun.fields.map { field in
                field.of { numbered[$0.id] ?? shown([$0])[0] }
            }
            if !onTerminal {
                fields.removeAll { ["number", "position"].contains($0.declaration.name) }
                let position = Field<ListedPart<Part>>.integer("position", "Position", "Its place, from 1.") {
                    Int64($0.position) + 1
                }
                fields.insert(position, at: 0)
            }
            return Noun(noun.name, plural: noun.plural, summary: noun.summary, fields: fields, id: \.id)
        }
        try await watch(query, of: Part.service, view)
    }

    /// Whether what is watched stands on a terminal, and not in JSON lines.
    var watchesOnTerminal: Bool { presentation.format == .table && Terminal.current != nil }

    private func client() throws(CLIError) -> DaybookClient {
        do throws(ClientError) {
            return try DaybookClient(configuration.client)
        } catch {
            throw .client(error)
        }
    }
}

/// A live list with its mirror.
struct WatchedList<Row: Decodable & Sendable>: Sendable {
    /// What happened, and the rows after it.
    enum Step {
        case snapshot(FetchedResults<Row>)
        case batch(ListBatch, FetchedResults<Row>)
        /// No row changed, though what stands around them may have.
        case same
        case resync(String)
    }

    var client: DaybookClient
    var query: ListQuery
    var service: ServiceName
    var after: Positions

    /// Hands on what happens, each batch proven by its digest; without an end.
    ///
    /// - Throws: ``CLIError/client(_:)``, and what `body` throws.
    func follow(_ body: (Step) async throws(CLIError) -> Void) async throws(CLIError) {
        while true { try await followOnce(body) }
    }

    /// Until a batch does not give what its digest promises.
    private func followOnce(_ body: (Step) async throws(CLIError) -> Void) async throws(CLIError) {
        var results: FetchedResults<Row>?
        var updates = client.list(query, of: service, after: after).makeAsyncIterator()
        while true {
            let update: ListUpdate?
            do throws(ClientError) {
                update = try await updates.next(isolation: #isolation)
            } catch {
                throw .client(error)
            }
            let step: Step
            do throws(ListError) {
                switch update {
                case .snapshot(let reply):
                    let fresh = try FetchedResults<Row>(reply)
                    results = fresh
                    step = .snapshot(fresh)
                case .batch(let batch):
                    _ = try results?.apply(batch)
                    guard let results else { throw .otherList }
                    step = .batch(batch, results)
                case .resync(let reason): step = .resync(reason)
                case nil: throw .reset
                }
            } catch {
                if case .batch = update, error == .wrongDigest { return try await body(.resync("digest")) }
                throw .client(.malformedReply(service, "its live list can't be followed: \(error)."))
            }
            try await body(step)
        }
    }
}
