import CBOR
import Messages
import Store
import Support
import Testing
import Text

@testable import LiveList
@testable import Reporting
@testable import Service

/// Reports of walks against the walks themselves, added up here.
struct WalksReportTests {
    private static let zones = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati"]
    private static let periods: [(String?, String?)] = [
        (nil, nil), ("2023-12-31", "2024-03-31"), ("2024-01-01", nil), (nil, "2024-03-31"),
        ("2024-03-31", "2024-03-31"),
    ]

    /// The local day on which a walk began.
    private func day(_ walk: Walk, _ zone: String) throws -> CalendarDay {
        let day = LocalTime.calendarDay(of: walk.start.microseconds, in: try Zone(named: zone))
        return try CalendarDay(year: day.year, month: day.month, day: day.day)
    }

    private func sum(_ walks: [Walk]) -> [Int64] {
        let seconds = walks.reduce(into: Int64(0)) { $0 += $1.seconds ?? 0 }
        return [Int64(walks.count), seconds, Int64(walks.filter { $0.seconds == nil }.count)]
    }

    private func check(_ report: WalksReport, _ kennel: Kennel) throws {
        let dogs = try kennel.allDogs()
        let owned = Set(dogs.filter { $0.owner == report.owner }.map(\.id))
        /// Whether the dog's part counts.
        func counts(_ dog: Identifier) -> Bool {
            (report.dog == nil || report.dog == dog) && (report.owner == nil || owned.contains(dog))
        }
        let walks = try kennel.allWalks().filter { walk in
            let day = try day(walk, report.zone)
            return (report.from.map { $0 <= day } ?? true) && (report.through.map { day <= $0 } ?? true)
                && walk.dogs.contains { counts($0.dog) }
        }
        var expected: [String: [Int64]] = [:]
        if report.by == .dog {
            for dog in dogs where counts(dog.id) {
                let own = walks.filter { $0.dogs.contains { $0.dog == dog.id } }
                if !own.isEmpty { expected[dog.name] = sum(own) }
            }
        } else {
            let groups: [String: [Walk]] = try Dictionary(grouping: walks) { walk in
                try report.by.period(of: day(walk, report.zone))?.label ?? ""
            }
            expected = groups.mapValues { sum($0) }
        }
        let reply = try kennel.reporting.send(report)
        let found = reply.groups.map { ($0.label ?? "-", [$0.walks, $0.seconds, $0.untimed]) }
        #expect(Dictionary(found) { $1 } == expected && found.count == expected.count, "\(report)")
        let total: [Int64] = reply.total.map { [$0.walks, $0.seconds, $0.untimed] } ?? [0, 0, 0]
        let sums = sum(walks)
        #expect(total == sums, "\(report)")
        if report.by != .dog {
            let starts = reply.groups.compactMap(\.start)
            #expect(starts == starts.sorted() && starts.count == found.count)
        }
    }

    private func reports(_ kennel: Kennel, _ random: inout SeededGenerator) -> [WalksReport] {
        var reports: [WalksReport] = []
        for by in WalksReport.Grouping.allCases {
            for (from, through) in Self.periods {
                reports.append(
                    WalksReport(
                        by: by,
                        zone: Self.zones.randomElement(using: &random) ?? "UTC",
                        from: from.flatMap(CalendarDay.init),
                        through: through.flatMap(CalendarDay.init),
                        dog: Int.random(in: 0..<3, using: &random) == 0 ? kennel.dogs.first?.id : nil,
                        owner: Int.random(in: 0..<3, using: &random) == 0 ? kennel.owners[0].id : nil
                    )
                )
            }
        }
        return reports
    }

    @Test(arguments: 0..<6) func sumsAreThoseOfTheWalksWhateverHappens(seed: UInt64) throws {
        var random = SeededGenerator("walks \(seed)")
        let kennel = try Kennel()
        for round in 0..<120 {
            try kennel.step(&random)
            guard round % 20 == 19 else { continue }
            for report in reports(kennel, &random) { try check(report, kennel) }
        }
        let before = try kennel.reporting.send(HashProjection(source: .walks))
        try kennel.rebuild(inPiecesOf: 7)
        #expect(try kennel.reporting.send(HashProjection(source: .walks)) == before)
        for report in reports(kennel, &random) { try check(report, kennel) }
        #expect(try kennel.reporting.rows("SELECT 'x' FROM kept_walks WHERE walks < 1") == [])
    }

    @Test(arguments: 0..<3) func aReportAsOfAMomentIsTheReportOfThen(seed: UInt64) throws {
        var random = SeededGenerator("walks as of \(seed)")
        let kennel = try Kennel()
        var moments: [(WalksReport, WalksReport.Reply)] = []
        for _ in 0..<60 {
            let before = kennel.walks.engine.log.sequence
            try kennel.step(&random)
            let sequence = kennel.walks.engine.log.sequence
            guard var report = reports(kennel, &random).randomElement(using: &random) else { continue }
            let reply = try kennel.reporting.send(report)
            report.asOf =
                sequence > before && Bool.random(using: &random) ? AsOf(sequence: sequence) : AsOf(time: .now())
            moments.append((report, reply))
        }
        func check() throws {
            for (report, then) in moments {
                let reply = try kennel.reporting.send(report)
                #expect(reply.groups == then.groups && reply.total == then.total, "\(report)")
                #expect(reply.asOf?.walks != nil && reply.asOf?.orders == nil)
            }
        }
        try check()
        try kennel.rebuild(inPiecesOf: 5)
        try check()
    }

    @Test(arguments: 0..<3) func watchersHaveTheReportAfterEachStep(seed: UInt64) throws {
        var random = SeededGenerator("live walks \(seed)")
        let kennel = try Kennel()
        for _ in 0..<20 { try kennel.step(&random) }
        let engine = kennel.reporting.engine
        engine.tracksChanges = true
        var hub = ListHub(engine.definition.routes.listSources)
        var watched: [(plan: ListHub.Plan, mirror: FetchedResults<WalksGroup>, report: WalksReport)] = []
        for report in reports(kennel, &random) {
            let query = ListQuery(.report("walks"), parameters: try EncodedCBOR(encoding: report))
            let plan = try hub.plan(query, service: .reporting)
            guard case .build = hub.open(plan, now: 0) else { continue }
            let list = try plan.build(engine.session, positions: [:])
            let built = try hub.built(plan, list, positions: [:], engine.session, now: 0)
            let snapshot = try #require(built)
            watched.append((plan, try FetchedResults(snapshot.reply(topic: plan.topic)), report))
        }
        #expect(watched.count > 20)
        for round in 0..<80 {
            try kennel.step(&random)
            for message in try hub.apply(engine.takeTouched(), positions: [:], engine.session) {
                let batch = try CBORDecoder().decode(ListBatch.self, from: message.body)
                for index in watched.indices where watched[index].plan.topic == message.topic {
                    #expect(try watched[index].mirror.apply(batch))
                }
            }
            for (_, mirror, report) in watched {
                let reply = try kennel.reporting.send(report)
                let rows = [reply.total].compactMap(\.self) + reply.groups
                #expect(mirror.rows == rows, "round \(round): \(report)")
            }
        }
    }

    @Test func aWalkWithSeveralDogsIsOneAndCountsForEach() throws {
        let kennel = try Kennel()
        let (rex, frieda) = (kennel.dogs[0], kennel.dogs[1])
        try kennel.walk("2024-02-01T10:00:00Z", [rex, frieda], minutes: 45)
        try kennel.walk("2024-02-02T10:00:00Z", [rex])
        try kennel.walk("2024-02-03T10:00:00Z", [frieda], running: true)
        let reply = try kennel.reporting.send(WalksReport(by: .dog, zone: "UTC"))
        #expect(
            reply.groups == [
                WalksGroup(id: frieda.id, label: "Frieda", walks: 2, seconds: 2700, untimed: 1),
                WalksGroup(id: rex.id, label: "Rex", walks: 2, seconds: 2700, untimed: 1),
            ]
        )
        #expect(reply.total == WalksGroup(walks: 3, seconds: 2700, untimed: 2))
        let owned = try kennel.reporting.send(WalksReport(by: .week, zone: "UTC", owner: kennel.owners[0].id))
        #expect(owned.groups.map(\.label) == ["2024-W05"] && owned.total == reply.total)
        #expect(try kennel.reporting.send(WalksReport(by: .week, zone: "UTC", owner: kennel.owners[1].id)).total == nil)
    }

    /// The last day is included, in the zone of whoever asks.
    @Test func limitsIncludeTheLastDayOfTheZone() throws {
        let kennel = try Kennel()
        for (start, minutes) in [
            ("2024-01-31T23:30:00+01:00", 1), ("2024-02-01T00:00:00+01:00", 2), ("2024-02-29T23:59:59.999999+01:00", 4),
            ("2024-03-01T00:00:00+01:00", 8),
        ] {
            try kennel.walk(start, [kennel.dogs[0]], minutes: Int64(minutes))
        }
        func minutes(_ from: String, _ through: String, _ zone: String = "Europe/Berlin") throws -> Int64? {
            let (from, through) = (try CalendarDay(parsing: from), try CalendarDay(parsing: through))
            let report = WalksReport(by: .dog, zone: zone, from: from, through: through)
            return try kennel.reporting.send(report).total.map { $0.seconds / 60 }
        }
        #expect(try minutes("2024-02-01", "2024-02-29") == 6)
        #expect(try minutes("2024-02-01", "2024-02-01") == 2)
        #expect(try minutes("2024-02-01", "2024-02-29", "UTC") == 12)
        #expect(throws: (any Error).self) { try minutes("2024-02-02", "2024-02-01") }
        #expect(throws: (any Error).self) { try minutes("2024-02-01", "2024-02-29", "Mars/Olympus") }
        #expect(throws: (any Error).self) { try minutes("2024-02-01", "2024-02-29", "CET-1CEST,M3.5.0,M10.5.0/3") }
    }

    /// Programs may send any moment.
    @Test func walksBeyondTheCalendarCountOnItsEnds() throws {
        let kennel = try Kennel()
        let parts = [WalkDog(dog: kennel.dogs[0].id)]
        let (first, last) = (Instant(microseconds: .min), Instant(microseconds: .max))
        try kennel.walks.send(Put(Walk(dogs: parts, start: first, end: last)))
        try kennel.walks.send(Put(Walk(dogs: [WalkDog(dog: kennel.dogs[0].id)], start: last, end: last)))
        try kennel.follow()
        for by in WalksReport.Grouping.allCases {
            let reply = try kennel.reporting.send(WalksReport(by: by, zone: "Pacific/Kiritimati"))
            #expect(reply.total?.walks == 2 && reply.groups.reduce(0) { $0 + $1.walks } == 2, "\(by)")
            #expect(reply.total?.seconds == 18_446_744_073_709)
        }
        let days = try kennel.reporting.send(WalksReport(by: .day, zone: "UTC")).groups.map(\.start)
        #expect(days == [.first, .last])
    }
}
