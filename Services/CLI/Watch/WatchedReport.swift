import CBOR
import Client
import LiveList
import Messages
import Text

/// Lines that are made of a live list's rows all together, as those of the largest are, or balances: a live list of their
/// own.
///
/// After each batch of the rows the lines are made anew, as the report itself is made, and told as far as they differ: by
/// the rules of ``ListBatch``, with numbers of their own.
actor WatchedReport<Row: Decodable & Sendable, Line: Codable & Sendable> {
    typealias Show = @Sendable (WatchedList<Line>.Step, WatchFrame?) async throws(CLIError) -> Void
    typealias Make = @Sendable ([Row]) throws(CLIError) -> (lines: [Line], frame: WatchFrame)

    /// Hands on what happens to the rows, without an end.
    typealias Follow =
        @Sendable (@escaping @Sendable (WatchedList<Row>.Step) async throws(CLIError) -> Void) async throws(CLIError) ->
        Void

    private let followRows: Follow
    private let key: @Sendable (Line) -> String
    private let days: Days?
    private let make: Make
    private var mirror: LineMirror<Line>?
    private var rows: [Row] = []
    private var frame = WatchFrame()
    /// The day that the lines were made on; nil before the first.
    private var day: CalendarDay?
    /// Whether something is being shown; what comes meanwhile waits.
    private var isShowing = false
    private var isDue = false

    /// - Parameters:
    ///   - key: what tells a line from others; equal ones are told apart by their order.
    ///   - days: where the lines are another day's tomorrow, what tells when that is.
    init(
        _ follow: @escaping Follow,
        key: @escaping @Sendable (Line) -> String,
        days: Days? = nil,
        _ make: @escaping Make
    ) {
        followRows = follow
        self.key = key
        self.days = days
        self.make = make
    }

    /// Hands on what happens to the lines; without an end.
    ///
    /// - Throws: as ``WatchedList/follow(_:)``, and what making and `show` throw.
    func follow(_ show: @escaping Show) async throws(CLIError) {
        let error = await withTaskGroup(of: CLIError?.self) { group in
            group.addTask {
                do throws(CLIError) {
                    try await self.followRows { (step) throws(CLIError) in try await self.take(step, show) }
                    return nil
                } catch {
                    return error
                }
            }
            if let days { group.addTask { await self.follow(days, show) } }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let error { throw error }
    }

    private func follow(_ days: Days, _ show: @escaping Show) async -> CLIError? {
        while !Task.isCancelled {
            await days.pause()
            guard day != days.today() else { continue }
            do throws(CLIError) {
                try await showAgain(show)
            } catch {
                return error
            }
        }
        return nil
    }

    private func take(_ step: WatchedList<Row>.Step, _ show: Show) async throws(CLIError) {
        isShowing = true
        defer { isShowing = false }
        switch step {
        case .snapshot(let results):
            rows = results.rows
            let made = try makeOfToday()
            let mirror = try LineMirror(made.lines, key: key)
            (self.mirror, frame) = (mirror, made.frame)
            try await show(.snapshot(mirror.results), frame)
        case .batch(_, let results):
            rows = results.rows
            try await tell(show)
        case .same: try await show(.same, frame)
        case .resync(let reason): try await show(.resync(reason), frame)
        }
        while isDue {
            isDue = false
            try await tell(show)
        }
    }

    private func showAgain(_ show: Show) async throws(CLIError) {
        guard !isShowing else {
            isDue = true
            return
        }
        try await tell(show)
    }

    private func makeOfToday() throws(CLIError) -> (lines: [Line], frame: WatchFrame) {
        // Before: a day that begins meanwhile is then found to be another.
        day = days?.today()
        return try make(rows)
    }

    /// Makes the lines anew, and tells what became of them.
    private func tell(_ show: Show) async throws(CLIError) {
        guard mirror != nil else { return }
        let made = try makeOfToday()
        frame = made.frame
        guard let batch = try mirror?.change(to: made.lines), let results = mirror?.results else {
            return try await show(.same, frame)
        }
        try await show(.batch(batch, results), frame)
    }
}

/// The days of the user's zone as they come.
struct Days: Sendable {
    var today: @Sendable () -> CalendarDay
    /// Waits until another day may have come.
    var pause: @Sendable () async -> Void

    /// Those of the clock: a new one is noticed at once, or within a minute where the clock was set or the machine slept.
    static let ofClock = Days(
        today: { .today() },
        pause: { try? await Task.sleep(for: min(untilTomorrow(), .seconds(60))) }
    )

    private static func untilTomorrow() -> Duration {
        guard let zone = try? LocalTime.currentZone() else { return .seconds(60) }
        let clock = LocalTime.wallClock(of: Instant.now().microseconds, in: zone)
        return .seconds(max(1, 86_400 - (clock.hour * 60 + clock.minute) * 60 - clock.second))
    }
}

/// Lines in their order as a live list: what it takes to come from some to others.
struct LineMirror<Line: Codable & Sendable> {
    private let key: @Sendable (Line) -> String
    private var ids: [String: Identifier] = [:]
    private var list: LiveList
    private(set) var results: FetchedResults<Line>

    /// - Throws: ``CLIError/failure(_:)`` for lines that can't be encoded.
    init(_ lines: [Line], key: @escaping @Sendable (Line) -> String) throws(CLIError) {
        self.key = key
        list = LiveList(id: .make(), rows: [])
        results = FetchedResults()
        list = LiveList(id: .make(), rows: try rows(lines))
        results = try Self.following { () throws(ListError) in try FetchedResults(list.snapshot) }
    }

    /// - Returns: nil where they are the same.
    /// - Throws: as ``init(_:key:)``.
    mutating func change(to lines: [Line]) throws(CLIError) -> ListBatch? {
        let rows = try rows(lines)
        let left = Set(rows.map(\.id))
        let gone = ids.filter { !left.contains($0.value) }
        for key in gone.keys { ids[key] = nil }
        guard let batch = list.apply(gone.values.map { .remove($0) } + rows.map { .put($0) }) else { return nil }
        var results = results
        try Self.following { () throws(ListError) in try results.apply(batch) }
        self.results = results
        return batch
    }

    /// Each is ordered by its place: of those whose place is another one, as many stay as can.
    private mutating func rows(_ lines: [Line]) throws(CLIError) -> [ListRow] {
        var counts: [String: Int] = [:]
        var rows: [ListRow] = []
        for (place, line) in lines.enumerated() {
            let base = key(line)
            counts[base, default: 0] += 1
            let key = "\(base)#\(counts[base] ?? 1)"
            let id = ids[key] ?? .make()
            ids[key] = id
            var order = OrderKey()
            order.add(Int64(place))
            do throws(CBORError) {
                rows.append(ListRow(id: id, order: order, row: try EncodedCBOR(encoding: line)))
            } catch {
                throw .failure("A line of the report can't be kept: \(error).")
            }
        }
        return rows
    }

    @discardableResult
    private static func following<Result>(_ body: () throws(ListError) -> Result) throws(CLIError) -> Result {
        do throws(ListError) {
            return try body()
        } catch {
            throw .failure("The lines of the report can't be followed: \(error).")
        }
    }
}
