import Glibc
import LiveList
import Messages
import Text

/// A live list on a terminal: the table as `list` prints it, as far as it fits, kept up to date.
///
/// Only lines that changed are written; what a batch changed is shown in inverse for a moment. Ctrl-C leaves the table as
/// it was last on the screen.
actor WatchScreen<Row: Decodable & Sendable> {
    /// How long a changed row is marked.
    private static var markedTime: Duration { .milliseconds(1200) }
    /// Between two drawings.
    private static var pause: Duration { .milliseconds(40) }

    private let presentation: Presentation
    private let view: WatchView<Row>
    private let terminal: Terminal
    private var sections: [[Row]] = []
    private var frame = WatchFrame()
    /// What is marked, and until when: rows by their ids or keys, the lines of a record by their text.
    private var marked: [String: ContinuousClock.Instant] = [:]
    private var isOpen = false
    /// What stands on the screen.
    private var shown: [String] = []
    /// When it is drawn next.
    private var nextDrawing: ContinuousClock.Instant?

    init(_ presentation: Presentation, _ view: WatchView<Row>, _ terminal: Terminal) {
        self.presentation = presentation
        self.view = view
        self.terminal = terminal
    }

    /// Takes what happened; without a frame it is the view's.
    typealias Show = @Sendable (WatchedList<Row>.Step, WatchFrame?) async throws(CLIError) -> Void

    /// Shows a list until a signal ends it.
    ///
    /// - Parameter follow: hands on what happens.
    /// - Throws: ``CLIError``, with the terminal as it was.
    func run(_ follow: @escaping @Sendable (@escaping Show) async throws(CLIError) -> Void) async throws(CLIError) {
        let signals = try SignalPipe.catching([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT])
        let following = Task { () async -> CLIError? in
            do throws(CLIError) {
                try await follow { (step, frame) throws(CLIError) in try await self.take(step, frame) }
                return nil
            } catch {
                return error
            }
        }
        let listening = Task { () async -> CLIError? in
            do throws(CLIError) {
                while true {
                    let number = try await SupervisorThread.run { Self.next(signals) }
                    guard number == SIGWINCH || number == SIGCONT else { self.end(by: number) }
                    try self.redraw()
                }
            } catch {
                return error
            }
        }
        let error = await following.value
        listening.cancel()
        close()
        if let error { throw error }
    }

    private static func next(_ signals: Int32) -> Int32 {
        var byte: UInt8 = 0
        var descriptor = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
        while read(signals, &byte, 1) != 1 { poll(&descriptor, 1, -1) }
        return Int32(byte)
    }

    // MARK: What happens

    private func take(_ step: WatchedList<Row>.Step, _ given: WatchFrame?) throws(CLIError) {
        switch step {
        case .snapshot(let results):
            sections = results.sections.map(\.rows)
            marked = [:]
        case .batch(let batch, let results):
            let before = Set(recordLines ?? [])
            sections = results.sections.map(\.rows)
            let until = ContinuousClock.now + Self.markedTime
            if let recordLines {
                for line in recordLines where !before.contains(line) { marked[line] = until }
            } else {
                let paths =
                    (batch.insert ?? []).map(\.to) + (batch.move ?? []).map(\.to) + (batch.update ?? []).map(\.to)
                let noun = view.noun(rows)
                for path in paths {
                    if let row = results[path], let key = key(row, noun) { marked[key] = until }
                }
            }
        case .same: break
        case .resync: return
        }
        frame = given ?? view.frame(rows)
        if !isOpen {
            isOpen = true
            try presentation.output.write(Terminal.enter)
            try draw()
        } else {
            schedule(after: Self.pause)
        }
    }

    /// After the terminal's size changed, or something else was shown on it.
    private func redraw() throws(CLIError) {
        guard isOpen else { return }
        shown = []
        try presentation.output.write(Terminal.enter)
        try draw()
    }

    private func schedule(after time: Duration) {
        let time = ContinuousClock.now + time
        if let nextDrawing, nextDrawing <= time { return }
        nextDrawing = time
        Task {
            try? await Task.sleep(until: time, clock: .continuous)
            guard nextDrawing == time else { return }
            nextDrawing = nil
            // What can't be written now can't be at the next change either: that one tells.
            try? draw()
        }
    }

    private var rows: [Row] { sections.flatMap(\.self) }

    /// The lines of the list's one record; nil where it shows a table.
    private var recordLines: [String]? {
        guard let text = view.record else { return nil }
        guard let record = rows.first else { return ["The \(view.noun([]).name) was deleted."] }
        var style = presentation.output.style
        style.columns = terminal.size.columns
        return text(record, style).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private func key(_ row: Row, _ noun: Noun<Row>) -> String? {
        view.key?(row) ?? noun.id.map { $0(row).description }
    }

    // MARK: Drawing

    private func draw() throws(CLIError) {
        guard isOpen else { return }
        let now = ContinuousClock.now
        marked = marked.filter { $0.value > now }
        let size = terminal.size
        let lines = lines(columns: size.columns, most: size.lines)
        for (number, line) in lines.enumerated() where number >= shown.count || shown[number] != line {
            try presentation.output.write(Terminal.line(number, line))
        }
        if shown.count > lines.count {
            for number in lines.count..<shown.count { try presentation.output.write(Terminal.line(number, "")) }
        }
        shown = lines
        try presentation.output.flush()
        if let first = marked.values.min() { schedule(after: max(first - now, Self.pause)) }
    }

    /// The table as far as it fits; where it does not, the last line says how many rows are missing.
    private func lines(columns: Int, most: Int) -> [String] {
        let (rows, noun) = (rows, view.noun(rows))
        let header = frame.header.split(separator: "\n").map(String.init)
        let footer = frame.footer.split(separator: "\n").map(String.init)
        let room = max(1, most - header.count - footer.count)
        let count: Int
        var table: [(key: String?, text: String)]
        if let recordLines {
            (count, table) = (recordLines.count, recordLines.map { ($0, $0) })
        } else if rows.isEmpty, !frame.isTable {
            (count, table) = (0, [])
        } else {
            let shown = WatchTable(noun, presentation, columns: columns).lines(sections, most: room + 1)
            (count, table) = (rows.count, shown.map { row, text in (row.flatMap { key($0, noun) }, text) })
        }
        let isCut = table.count > room
        if isCut { table.removeLast(table.count - room + 1) }
        var lines = table.map { key, text in
            key.map { marked[$0] != nil } == true ? Terminal.marked(text) : text
        }
        if isCut { lines.append("… and \(count - table.count { $0.key != nil }) more") }
        return header + lines + footer
    }

    // MARK: The end

    private func close() {
        guard isOpen else { return }
        isOpen = false
        try? presentation.output.write(Terminal.leave)
        if let recordLines {
            try? presentation.output.write(recordLines.map { "\($0)\n" }.joined())
        } else {
            try? presentation.output.write(frame.header)
            if !rows.isEmpty || frame.isTable { try? presentation.list(rows, of: view.noun(rows)) }
            try? presentation.output.write(frame.footer)
        }
        try? presentation.output.flush()
    }

    private func end(by signal: Int32) -> Never {
        close()
        exit(128 + signal)
    }
}

/// The lines of a table, as its writers print them.
struct WatchTable<Row> {
    private let noun: Noun<Row>
    private let presentation: Presentation
    private let columns: Int

    init(_ noun: Noun<Row>, _ presentation: Presentation, columns: Int) {
        self.noun = noun
        self.presentation = presentation
        self.columns = columns
    }

    /// At most so many lines, those of rows with their row.
    func lines(_ sections: [[Row]], most: Int) -> [(row: Row?, text: String)] {
        if presentation.fields == nil, let form = noun.lines { return lines(sections, form, most) }
        let rows = sections.flatMap(\.self)
        let selected = (try? noun.selected(presentation.fields)) ?? noun.fields
        let fields = presentation.fields == nil ? selected.filter(\.declaration.isInTable) : selected
        // As TableWriter decides.
        let deciding = TableWriter<Row>.decidingRows
        let isLong = rows.count > deciding
        let table = TableColumns(
            fields.map(\.declaration),
            rows: (isLong ? rows.prefix(deciding + 1) : rows[...]).map { row in fields.map { $0.value(row) } },
            leastDigits: isLong ? 12 : 4,
            limit: columns,
            cells: presentation.cells
        )
        let shown = rows.prefix(max(0, most - 1))
        return [(nil, presentation.output.style.bold(table.heading))]
            + shown.map { row in (row, table.line(fields.map { $0.value(row) })) }
    }

    private func lines(_ sections: [[Row]], _ form: Lines<Row>, _ most: Int) -> [(row: Row?, text: String)] {
        var lines: [(row: Row?, text: String)] = []
        for rows in sections {
            var section: String?
            for row in rows where lines.count < most {
                if let heading = form.section?(row), heading != section {
                    section = heading
                    lines.append((nil, presentation.output.style.bold(CellText.escaped(heading))))
                }
                lines.append((row, form.line(row)))
            }
        }
        return lines
    }
}
