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
    private var rows: [Row] = []
    private var marked: [Identifier: ContinuousClock.Instant] = [:]
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

    /// Shows the list until a signal ends it.
    ///
    /// - Throws: ``CLIError``, with the terminal as it was.
    func run(_ list: WatchedList<Row>) async throws(CLIError) {
        let signals = try SignalPipe.catching([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT])
        let following = Task { () async -> CLIError? in
            do throws(CLIError) {
                try await list.follow { (step) throws(CLIError) in try self.take(step) }
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

    private func take(_ step: WatchedList<Row>.Step) throws(CLIError) {
        switch step {
        case .snapshot(let results):
            rows = results.sections.flatMap(\.rows)
            marked = [:]
        case .batch(let batch, let results):
            rows = results.sections.flatMap(\.rows)
            let id = view.noun(rows).id
            let paths = (batch.insert ?? []).map(\.to) + (batch.move ?? []).map(\.to) + (batch.update ?? []).map(\.to)
            let until = ContinuousClock.now + Self.markedTime
            for path in paths {
                if let row = results[path], let id = id?(row) { marked[id] = until }
            }
        case .resync: return
        }
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
        let noun = view.noun(rows)
        let footer = view.footer(rows).split(separator: "\n").map(String.init)
        let room = max(1, most - footer.count)
        var table = WatchTable(noun, presentation, columns: columns).lines(rows, most: room + 1)
        let isCut = table.count > room
        if isCut { table.removeLast(table.count - room + 1) }
        var lines = table.map { row, text in
            let isMarked = row.flatMap { noun.id?($0) }.map { marked[$0] != nil } ?? false
            return isMarked ? Terminal.marked(text) : text
        }
        if isCut { lines.append("… and \(rows.count - table.count { $0.row != nil }) more") }
        return lines + footer
    }

    // MARK: The end

    private func close() {
        guard isOpen else { return }
        isOpen = false
        try? presentation.output.write(Terminal.leave)
        try? presentation.list(rows, of: view.noun(rows))
        try? presentation.output.write(view.footer(rows))
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
    func lines(_ rows: [Row], most: Int) -> [(row: Row?, text: String)] {
        if presentation.fields == nil, let form = noun.lines { return lines(rows, form, most) }
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

    private func lines(_ rows: [Row], _ form: Lines<Row>, _ most: Int) -> [(row: Row?, text: String)] {
        var lines: [(row: Row?, text: String)] = []
        var section: String?
        for row in rows where lines.count < most {
            if let heading = form.section?(row), heading != section {
                section = heading
                lines.append((nil, presentation.output.style.bold(CellText.escaped(heading))))
            }
            lines.append((row, form.line(row)))
        }
        return lines
    }
}
