internal import Messages
internal import Service
internal import Store
internal import Text

/// What sums of walks are asked for.
struct WalksQuestion {
    private let by: WalksReport.Grouping
    private let zone: Zone
    /// The first µs that counts, and the first that no longer does.
    private var span: Range<Int64>
    private var dog: Identifier?
    private let owner: Identifier?
    private let asOf: AsOf.Reached?

    /// - Throws: `invalid` for a zone that isn't known, and for a period that ends before it begins.
    init(_ report: WalksReport, asOf: AsOf.Reached?) throws(ServiceError) {
        _ = try Period(from: report.from, through: report.through)
        do throws(TextError) {
            zone = try Zone(named: report.zone)
        } catch {
            throw .invalid(
                field: "zone",
                found: report.zone,
                "the zone '\(report.zone)' isn't known: write an IANA name, like Europe/Berlin"
            )
        }
        span = Self.span(report.from, report.through, zone)
        (by, dog, owner, self.asOf) = (report.by, report.dog, report.owner, asOf)
    }

    /// Days of the zone, both included, in µs.
    private static func span(_ from: CalendarDay?, _ through: CalendarDay?, _ zone: Zone) -> Range<Int64> {
        func midnight(_ day: CalendarDay?) -> Int64? {
            guard let day else { return nil }
            return try? LocalTime.microseconds(of: WallClock(year: day.year, month: day.month, day: day.day), in: zone)
        }
        // What began before the calendar does belongs to its first day.
        let start = from == .first ? .min : midnight(from) ?? .min
        // Behind the calendar's last day nothing begins.
        let end = through.flatMap { midnight(try? $0.adding(days: 1)) } ?? .max
        return start..<max(start, end)
    }

    /// The same of this line alone; nil where it is none of this report's.
    func of(_ key: WalksKey) -> WalksQuestion? {
        var question = self
        switch key {
        case .total: return nil
        case .dog(let id):
            guard by == .dog, dog == nil || dog == id else { return nil }
            question.dog = id
        case .period(let grouping, let day):
            guard by == grouping, let period = by.period(of: day) else { return nil }
            question.span = Self.span(period.from, period.through, zone).clamped(to: span)
        }
        return question
    }

    /// The sums by dog or time, in order.
    func groups(_ session: Session) throws(ServiceError) -> [WalksGroup] {
        by == .dog ? try byDog(session) : try byTime(session)
    }

    /// Each walk once; nil where there is none.
    func total(_ session: Session) throws(ServiceError) -> WalksGroup? {
        var parameters = Parameters()
        let sums = Self.sums(walks(&parameters))
        let total = try storing { () throws(StoreError) in
            try session.first("SELECT \(sums.columns) FROM (\(sums.source)) s", parameters.values) { Self.sums($0, 0) }
        }
        guard let total, total.walks > 0 else { return nil }
        return try total.group()
    }

    private func byDog(_ session: Session) throws(ServiceError) -> [WalksGroup] {
        var parameters = Parameters()
        let names = WalkView(asOf, &parameters).dogs
        let sums = Self.sums(walks(&parameters, ofEachDog: true))
        let sql = """
            SELECT t.dog, n.name, t.walks, t.untimed, t.high, t.low FROM (
                SELECT s.dog, \(sums.columns) FROM (\(sums.source)) s GROUP BY s.dog
            ) t LEFT JOIN \(names) n ON n.id = t.dog ORDER BY coalesce(n.name_key, x''), t.dog
            """
        var rows: [(id: Identifier?, name: String?, sums: WalkSums)] = []
        try storing { () throws(StoreError) in
            try session.query(sql, parameters.values) { rows.append(($0.id(0), $0.optionalText(1), Self.sums($0, 2))) }
        }
        return try rows.map { (row) throws(ServiceError) in try row.sums.group(id: row.id, label: row.name) }
    }

    /// Goes through the kept days: one that lies whole in a group and in the span counts as it is, of any other the walks.
    private func byTime(_ session: Session) throws(ServiceError) -> [WalksGroup] {
        var sums: [CalendarDay: WalkSums] = [:]
        if canUseKept, by != .day {
            for (day, kept) in try keptDays(session) {
                let whole = Self.microseconds(ofDay: day)
                let first = start(of: whole.lowerBound)
                if span.clamped(to: whole) == whole, first == start(of: whole.upperBound - 1) {
                    sums[first, default: WalkSums()].add(kept)
                } else {
                    try add(walksIn: whole.clamped(to: span), to: &sums, session)
                }
            }
        } else {
            try add(walksIn: span, to: &sums, session)
        }
        return try sums.sorted { $0.key < $1.key }.map { (start, sums) throws(ServiceError) in
            try sums.group(label: by.period(of: start)?.label, start: start)
        }
    }

    /// The first day of the group that a moment is in.
    private func start(of microseconds: Int64) -> CalendarDay {
        let clock = LocalTime.wallClock(of: microseconds, in: zone)
        let day =
            (try? CalendarDay(year: clock.year, month: clock.month, day: clock.day))
            ?? (clock.year < 1 ? .first : .last)
        return by.period(of: day)?.from ?? day
    }

    private static func microseconds(ofDay day: Int64) -> Range<Int64> {
        let start = Int64(clamping: Int128(day) * Int128(WalkFact.microsecondsOfDay))
        return start..<Int64(clamping: Int128(start) + Int128(WalkFact.microsecondsOfDay))
    }

    // MARK: The store

    /// An owner's walks are counted once, whatever the number of his dogs; what was is added up.
    private var canUseKept: Bool { asOf == nil && owner == nil }

    private func keptDays(_ session: Session) throws(ServiceError) -> [(day: Int64, sums: WalkSums)] {
        var days: [(day: Int64, sums: WalkSums)] = []
        try storing { () throws(StoreError) in
            try session.query(
                """
                SELECT k.day, k.walks, k.untimed, k.seconds_high, k.seconds_low FROM kept_walks k
                WHERE k.dog = $1 AND k.day BETWEEN $2 AND $3 ORDER BY k.day
                """,
                [
                    KeptWalks.key(dog), .integer(WalkFact.day(of: span.lowerBound)),
                    .integer(WalkFact.day(of: span.upperBound)),
                ]
            ) { days.append(($0.integer(0), Self.sums($0, 1))) }
        }
        return days
    }

    private func add(
        walksIn span: Range<Int64>,
        to sums: inout [CalendarDay: WalkSums],
        _ session: Session
    ) throws(ServiceError) {
        var parameters = Parameters()
        let sql = walksThemselves(in: span, &parameters, ofEachDog: false)
        try storing { () throws(StoreError) in
            try session.query("SELECT start, seconds FROM (\(sql)) s", parameters.values) { row in
                sums[start(of: row.integer(0)), default: WalkSums()].add(row.isNull(1) ? nil : row.integer(1))
            }
        }
    }

    /// Statements whose rows have `dog`, `walks`, `untimed`, `high` and `low`: sums that are kept, and walks.
    private func walks(_ parameters: inout Parameters, ofEachDog: Bool = false) -> [String] {
        let first = WalkFact.day(of: span.lowerBound)
        let isWhole = Self.microseconds(ofDay: first).lowerBound == span.lowerBound || span.lowerBound == .min
        // The whole days of UTC.
        let whole = isWhole ? first : first + 1
        let days = whole..<max(whole, WalkFact.day(of: span.upperBound))
        guard canUseKept, !days.isEmpty else { return [single(span, &parameters, ofEachDog)] }
        let (start, end) = (
            Self.microseconds(ofDay: days.lowerBound).lowerBound, Self.microseconds(ofDay: days.upperBound).lowerBound
        )
        var condition = "k.day >= \(parameters.add(.integer(days.lowerBound)))"
        condition += " AND k.day < \(parameters.add(.integer(days.upperBound)))"
        if ofEachDog, dog == nil {
            condition += " AND k.dog <> x''"
        } else {
            condition += " AND k.dog = \(parameters.add(KeptWalks.key(dog)))"
        }
        let kept = """
            SELECT k.dog, k.walks, k.untimed, k.seconds_high AS high, k.seconds_low AS low FROM kept_walks k
            WHERE \(condition)
            """
        return [kept]
            + [span.lowerBound..<max(span.lowerBound, start), min(end, span.upperBound)..<span.upperBound]
            .filter { !$0.isEmpty }
            .map { single($0, &parameters, ofEachDog) }
    }

    private func single(_ span: Range<Int64>, _ parameters: inout Parameters, _ ofEachDog: Bool) -> String {
        """
        SELECT w.dog, 1 AS walks, CASE WHEN w.seconds IS NULL THEN 1 ELSE 0 END AS untimed, coalesce(w.seconds, 0) >> 32 AS high,
            coalesce(w.seconds, 0) & 4294967295 AS low
        FROM (\(walksThemselves(in: span, &parameters, ofEachDog: ofEachDog))) w
        """
    }

    /// A statement whose rows have `dog`, `start` and `seconds`: each walk once, or once for each of the dogs.
    private func walksThemselves(in span: Range<Int64>, _ parameters: inout Parameters, ofEachDog: Bool) -> String {
        let view = WalkView(asOf, &parameters)
        var conditions = ["d.walk = w.id"]
        if let dog { conditions.append("d.dog = \(parameters.add(.id(dog)))") }
        if let owner {
            conditions.append(
                "d.dog IN (SELECT o.id FROM \(view.dogs) o WHERE o.owner = \(parameters.add(.id(owner))))"
            )
        }
        var period = "w.start >= \(parameters.add(.integer(span.lowerBound)))"
        // The last moment of all belongs to an open span.
        period += " AND w.start \(span.upperBound == .max ? "<=" : "<") \(parameters.add(.integer(span.upperBound)))"
        let isWith = conditions.joined(separator: " AND ")
        guard ofEachDog else {
            let isAny = dog == nil && owner == nil
            let condition = isAny ? "" : " AND EXISTS (SELECT 1 FROM \(view.walkDogs) d WHERE \(isWith))"
            return "SELECT NULL AS dog, w.start, w.seconds FROM \(view.walks) w WHERE \(period)\(condition)"
        }
        return """
            SELECT d.dog, w.start, w.seconds FROM \(view.walks) w JOIN \(view.walkDogs) d ON \(isWith) WHERE \(period)
            """
    }

    private static func sums(_ statements: [String]) -> (columns: String, source: String) {
        (
            """
            coalesce(cast(sum(s.walks) AS BIGINT), 0) AS walks, coalesce(cast(sum(s.untimed) AS BIGINT), 0) AS untimed,
            coalesce(cast(sum(s.high) AS BIGINT), 0) AS high, coalesce(cast(sum(s.low) AS BIGINT), 0) AS low
            """, statements.joined(separator: " UNION ALL ")
        )
    }

    private static func sums(_ row: borrowing Row, _ column: Int32) -> WalkSums {
        WalkSums(
            walks: row.integer(column),
            untimed: row.integer(column + 1),
            seconds: KeptSums.Halves(high: row.integer(column + 2), low: row.integer(column + 3))
        )
    }
}

/// What a statement about walks reads: what is, or what was at a moment.
private struct WalkView {
    let walks: String
    let walkDogs: String
    let dogs: String

    init(_ reached: AsOf.Reached?, _ parameters: inout Parameters) {
        guard let reached else {
            (walks, walkDogs, dogs) = ("walks", "walk_dogs", "dogs")
            return
        }
        let sequence = parameters.add(.integer(reached.walks ?? 0))
        walks = """
            (SELECT id, start, seconds FROM walks WHERE since <= \(sequence) UNION ALL
            SELECT id, start, seconds FROM past_walks WHERE since <= \(sequence) AND until > \(sequence))
            """
        walkDogs = """
            (SELECT p.walk, p.dog FROM walk_dogs p JOIN walks v ON v.id = p.walk WHERE v.since <= \(sequence) UNION ALL
            SELECT p.walk, p.dog FROM past_walk_dogs p JOIN past_walks v ON v.id = p.walk AND v.since = p.since
            WHERE v.since <= \(sequence) AND v.until > \(sequence))
            """
        dogs = """
            (SELECT id, name, name_key, owner FROM dogs WHERE since <= \(sequence) UNION ALL
            SELECT id, name, name_key, owner FROM past_dogs WHERE since <= \(sequence) AND until > \(sequence))
            """
    }
}
