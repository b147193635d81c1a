internal import LiveList
internal import Messages
internal import Service
internal import Store

extension Reporting {
    @Sendable static func walks(_ report: WalksReport, _ reading: Reading) throws(ServiceError) -> WalksReport.Reply {
        let reached = try report.asOf.map { (asOf) throws(ServiceError) in try Moments.reachedOfWalks(asOf, reading) }
        let question = try WalksQuestion(report, asOf: reached)
        return WalksReport.Reply(
            groups: try question.groups(reading.session),
            total: try question.total(reading.session),
            asOf: reached
        )
    }

    /// The report as a live list, with the total as its first row.
    static let walksList = ListSource(
        report: "walks",
        of: WalksReport.self,
        columns: [
            ListSchema.Column("label", .text), ListSchema.Column("dog", .id), ListSchema.Column("walks", .integer),
            ListSchema.Column("seconds", .integer), ListSchema.Column("untimed", .integer),
        ],
        sort: [SortKey("label"), SortKey("dog")],
        check: { (report) throws(ServiceError) in
            _ = try WalksQuestion(report, asOf: nil)
            try checkIsOfNow(report.asOf)
        },
        row: { (report, touched, session) throws(ServiceError) in
            guard let key = touched.key.flatMap(WalksKey.init) else { return nil }
            let question = try WalksQuestion(report, asOf: nil)
            guard key != .total else {
                return try question.total(session).map { (total) throws(ServiceError) in
                    try walksRow(total, by: report.by)
                }
            }
            return try question.of(key)?.groups(session).first.map { (group) throws(ServiceError) in
                try walksRow(group, by: report.by)
            }
        },
        rows: { (report, session, each) throws(ServiceError) in
            let question = try WalksQuestion(report, asOf: nil)
            for group in try [question.total(session)].compactMap(\.self) + question.groups(session) {
                each(try walksRow(group, by: report.by))
            }
        }
    )

    private static func walksRow(_ group: WalksGroup, by: WalksReport.Grouping) throws(ServiceError) -> ListSource.Row {
        let key =
            group.id.map(WalksKey.dog) ?? group.start.map { WalksKey.period(by, $0) } ?? .total
        let values: [FieldValue] = [
            .text(of: group.label), group.id.map(FieldValue.id) ?? .absent, .integer(group.walks),
            .integer(group.seconds), .integer(group.untimed),
        ]
        return (RowValues(id: key.row.id, values), try encodedRow(group))
    }
}

/// A line of a report of walks: what a walk touches when it changes.
///
/// As text it is `dog/018e…`, `week/2024-03-25`, or `total`.
enum WalksKey: Hashable {
    case dog(Identifier)
    /// With its first day.
    case period(WalksReport.Grouping, CalendarDay)
    case total

    init?(_ text: String) {
        let parts = text.split(separator: "/").map(String.init)
        if parts == ["total"] {
            self = .total
            return
        }
        guard parts.count == 2, let by = WalksReport.Grouping(rawValue: parts[0]) else { return nil }
        if by == .dog {
            guard let dog = Identifier(parts[1]) else { return nil }
            self = .dog(dog)
        } else {
            guard let day = CalendarDay(parts[1]) else { return nil }
            self = .period(by, day)
        }
    }

    var row: TouchedRow {
        switch self {
        case .dog(let dog): TouchedRow(key: "dog/\(dog)")
        case .period(let by, let day): TouchedRow(key: "\(by.rawValue)/\(day)")
        case .total: TouchedRow(key: "total")
        }
    }

    /// The total, and the times that walks on these days of UTC may be in, whatever the zone: its day is the same, the one
    /// before, or the one behind.
    static func all(on days: Set<Int64>) -> [WalksKey] {
        var keys: Set<WalksKey> = []
        for day in Set(days.flatMap { [$0 - 1, $0, $0 + 1] }) {
            let local = CalendarDay(clampedDaysSince1970: day)
            for by in WalksReport.Grouping.allCases {
                if let start = by.period(of: local)?.from { keys.insert(.period(by, start)) }
            }
        }
        return [.total] + keys
    }
}

extension CalendarDay {
    /// The day, or the calendar's first or last one.
    fileprivate init(clampedDaysSince1970 days: Int64) {
        self = CalendarDay(daysSince1970: Int(days)) ?? (days < 0 ? .first : .last)
    }
}
