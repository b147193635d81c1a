/// How often and how long dogs were walked, by dog or by time.
///
/// A walk belongs to the day on which it began, in the zone that is given. One with several dogs counts for each of them,
/// and once in the total. One that goes on counts as a walk, and so does one without an end; their time doesn't count, and
/// `untimed` says how many they are.
public struct WalksReport: Request {
    public static let operation = "report.walks"
    public static let kind = RequestKind.scan
    public static let service: ServiceName? = .reporting

    public enum Grouping: String, Codable, Sendable, Hashable, CaseIterable {
        case dog
        case day
        /// Of ISO 8601: Monday to Sunday.
        case week
        case month
        case quarter
        case year

        /// The days that a day is put together with, and what they are called; nil for dogs.
        public func period(of day: CalendarDay) -> (from: CalendarDay, through: CalendarDay, label: String)? {
            TotalsReport.Grouping(rawValue: rawValue)?.period(of: day)
        }
    }

    public struct Reply: FramedReply, Hashable {
        /// By the dogs' names (collated), or by time.
        public var groups: [WalksGroup]
        /// Each walk once; nil where there is none, and behind the first part.
        public var total: WalksGroup?
        /// What the report shows, where it was asked for a moment; in the first part only.
        public var asOf: AsOf.Reached?

        public init(groups: [WalksGroup], total: WalksGroup?, asOf: AsOf.Reached? = nil) {
            self.groups = groups
            self.total = total
            self.asOf = asOf
        }

        public func frames(ofRows count: Int) -> [Reply] {
            parts(groups, of: count) { Reply(groups: Array($0), total: $1 ? total : nil, asOf: $1 ? asOf : nil) }
        }

        public mutating func append(_ part: Reply) {
            groups += part.groups
        }
    }

    public var by: Grouping
    /// The zone whose days count, by its IANA name: `Europe/Berlin`.
    public var zone: String
    /// Inclusive; nil is open.
    public var from: CalendarDay?
    /// Inclusive; nil is open.
    public var through: CalendarDay?
    /// Only walks with this dog.
    public var dog: Identifier?
    /// Only walks with dogs of this customer.
    public var owner: Identifier?
    /// nil for now.
    public var asOf: AsOf?

    public init(
        by: Grouping,
        zone: String,
        from: CalendarDay? = nil,
        through: CalendarDay? = nil,
        dog: Identifier? = nil,
        owner: Identifier? = nil,
        asOf: AsOf? = nil
    ) {
        self.by = by
        self.zone = zone
        self.from = from
        self.through = through
        self.dog = dog
        self.owner = owner
        self.asOf = asOf
    }
}

/// One line of a report of walks.
///
/// The total has neither a dog nor a day; in the live list it is the first row.
public struct WalksGroup: Codable, Sendable, Hashable {
    /// The dog; nil for days to years.
    public var id: Identifier?
    /// The dog's name, now or then; `2024-03-31`, `2024-W13`, `2024-03`, `2024-Q1` or `2024`.
    public var label: String?
    /// The first day of the day, week, month, quarter or year; nil for dogs.
    public var start: CalendarDay?
    public var walks: Int64
    /// How long they took together, in seconds; a walk's parts of seconds are dropped.
    public var seconds: Int64
    /// How many of them go on or have no end.
    public var untimed: Int64

    public init(
        id: Identifier? = nil,
        label: String? = nil,
        start: CalendarDay? = nil,
        walks: Int64,
        seconds: Int64,
        untimed: Int64
    ) {
        self.id = id
        self.label = label
        self.start = start
        self.walks = walks
        self.seconds = seconds
        self.untimed = untimed
    }

    /// Whether it is that of all walks.
    public var isTotal: Bool { id == nil && start == nil }
}
