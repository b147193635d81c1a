import ArgumentParser
import Messages
import Text

struct WalksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List walks under their dogs, in the order entered.",
        discussion: "On a terminal each has the number behind it that edit and delete take; --fields makes a table.",
        examples: [
            "daybook walks list",
            "daybook walks list --dog Rex --limit 10 --sort=-number",
            "daybook walks list --running --watch",
            "daybook walks list --period 'last week' --fields number,dogs,start,minutes",
            "daybook walks list --where 'dog = Rex and start >= yesterday 18:00 and note != none'",
        ]
    )

    @Option(help: ArgumentHelp("Only those with this dog.", valueName: "name"))
    var dog: String?

    @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Only those that go on, or don't.")
    var running: Bool?

    @OptionGroup var selection: WhereOptions<Walk>
    @OptionGroup var period: PeriodOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Global options") var global: GlobalOptions

    func run() async throws {
        let daybook = try Invocation(global, output)
        var noun = Noun.walk
        noun.lines = .walks(daybook.presentation.cells, numbered: daybook.output.style.columns != nil)
        _ = try noun.selected(daybook.presentation.fields)
        var filters: [Filter] = []
        if let dog { filters.append(.walks(with: try await daybook.resolver.record(Dog.self, dog))) }
        if let running { filters.append(.equal("running", .boolean(running))) }
        let days = try period.days()
        if let span = try Filter.walks(in: DaySpan(from: days.from, through: days.to)) { filters.append(span) }
        if let query = try await selection.filter(by: daybook) { filters.append(query) }
        let sort = list.sortKeys(["dogs": "dogs.name"])
        let underDogs = sort == nil && daybook.presentation.fields == nil
        try await daybook.list(
            noun,
            filter: .all(filters),
            sort: sort ?? Self.sort(daybook.presentation),
            list,
            section: underDogs ? ListQuery.Section("dogs.name") : nil
        )
    }

    /// By the dogs' names where walks stand under them; in the order entered, and so anywhere else.
    static func sort(_ presentation: Presentation) -> [SortKey]? {
        let isGrouped = presentation.format == .table && presentation.fields == nil && !presentation.isQuiet
        return isGrouped ? [SortKey("dogs.name"), SortKey("number")] : nil
    }
}

extension Filter {
    /// Walks that the dog was on.
    static func walks(with dog: Dog) -> Filter { .contains("dogs", dog.id.description) }

    /// Walks that began in these days of the user's own zone; nil where both sides are open.
    ///
    /// - Throws: ``CLIError/usage(_:)`` where the zone is unknown, and at the end of the calendar.
    static func walks(in span: DaySpan) throws(CLIError) -> Filter? {
        guard span.from != nil || span.through != nil else { return nil }
        let (from, through) = try span.instants(in: TimeOptions.zone())
        return .range(
            "start",
            from: from.map { .integer($0.microseconds) },
            through: through.map { .integer($0.microseconds) }
        )
    }
}

extension DaySpan {
    /// Its first and its last moment in the zone; nil where a side is open.
    ///
    /// - Throws: ``CLIError/usage(_:)`` at the end of the calendar.
    func instants(in zone: Zone) throws(CLIError) -> (from: Instant?, through: Instant?) {
        let from = try from.map { day throws(CLIError) in try day.start(in: zone) }
        // The first moment that no longer belongs to it.
        let end = try through.map { day throws(CLIError) in try day.next().start(in: zone) }
        return (from, end.map { $0.advanced(by: .microseconds(-1)) })
    }
}

extension CalendarDay {
    /// The first moment of the day in the zone.
    fileprivate func start(in zone: Zone) throws(CLIError) -> Instant {
        do throws(TextError) {
            return Instant(
                microseconds: try LocalTime.microseconds(of: WallClock(year: year, month: month, day: day), in: zone)
            )
        } catch {
            throw .usage("The day \(self) can't be told in \(zone.name): \(error)")
        }
    }

    fileprivate func next() throws(CLIError) -> CalendarDay {
        do throws(DateError) {
            return try adding(days: 1)
        } catch {
            throw .usage("The day \(self): \(error)")
        }
    }
}
