import Messages
import Store

/// A copy of a store that was kept before its schema was changed, and what the store has more.
struct KeptCopy: Sendable {
    /// Where one lies.
    struct Place: Sendable, Hashable {
        var service: ServiceName
        /// The schema that the store was given then.
        var before: Int
        var home: String

        var file: String { "\(service).db.before-\(before)" }
        var path: String { "\(home)/\(file)" }
        /// What does it again.
        var command: String { "daybook rollback \(service) --before \(before)" }

        /// The copies of a service's store, the newest last.
        static func all(of service: ServiceName, home: String) -> [Place] {
            let start = "\(service).db.before-"
            return DurableFile.names(in: home).filter { $0.hasPrefix(start) }
                .compactMap { Int($0.dropFirst(start.count)) }.sorted()
                .map { Place(service: service, before: $0, home: home) }
        }

        /// The newest copy of each store of which there is one.
        ///
        /// - Throws: ``CLIError/failure(_:)`` where there is none, or where they are of different upgrades.
        static func newest(home: String) throws(CLIError) -> [Place] {
            let places = ServiceName.all.compactMap { all(of: $0, home: home).last }
            guard !places.isEmpty else { throw missing(home) }
            let releases = places.map { ($0.service, KeptCopy($0, tellsLost: false).release ?? "an unknown release") }
            guard Set(releases.map(\.1)).count == 1 else {
                let names = releases.map { "\($0) of \($1)" }.joined(separator: ", ")
                throw .failure(
                    "The copies are not of one upgrade (\(names)): name the services that shall be returned."
                )
            }
            return places
        }

        static func missing(_ home: String) -> CLIError {
            .failure("There are no copies in \(home): one is kept where an upgrade changes a store's schema.")
        }
    }

    var place: Place
    /// Why it can't take the store's place; nil where it can.
    var problem: String?
    /// The version of its schema; nil where it can't be read.
    var schema: Int?
    /// The release whose program had it last; nil where it can't be read.
    var release: String?
    /// Its last event, and when that was.
    var sequence: Int64?
    var time: Instant?
    /// Nil where that can't be told.
    var lost: LostChanges?
    /// Why it can't be told.
    var unknown: String?
    /// What the store that it took the place of is called now.
    var kept: String?

    /// Reads the copy, and what the store beside it has more.
    init(_ place: Place, tellsLost: Bool = true) {
        self.place = place
        let service = place.service.rawValue
        let copy: StoreFile
        do throws(StoreError) {
            copy = try StoreFile(place.path, of: service, isAtRest: true)
            if tellsLost { try copy.check() }
        } catch {
            problem = Self.reason(error)
            return
        }
        schema = copy.schema
        release = copy.release
        sequence = copy.sequence
        time = copy.moment.map { Instant(microseconds: $0) }
        guard tellsLost else { return }
        let path = "\(place.home)/\(service).db"
        guard File.exists(path) else {
            unknown = "there is no \(service).db"
            return
        }
        do throws(StoreError) {
            let store = try StoreFile(path, of: service, isAtRest: false)
            lost = try LostChanges(of: store, to: copy)
        } catch {
            unknown = "\(service).db can't be read: \(Self.reason(error))"
        }
    }

    private static func reason(_ error: StoreError) -> String {
        switch error {
        case .corrupt(_, let reason): "it is damaged (\(reason))"
        case .notOurs(_, let reason): "it is no store of this service (\(reason))"
        default: error.description
        }
    }

    /// What people are told, a line each.
    ///
    /// - Parameter limit: the most records that are named.
    func lines(limit: Int) -> [String] {
        let head = "\(place.service): "
        if let problem { return [head + "\(place.file) can't be put back: \(CellText.escaped(problem))"] }
        guard let lost else {
            return [head + "what was entered since can't be told: \(CellText.escaped(unknown ?? ""))"]
        }
        guard lost.events + lost.missing > 0 else { return [head + "nothing was entered since"] }
        var lines = [head + lost.summary]
        lines += lost.records.prefix(limit).map { "  \($0.text)" }
        let rest = lost.records.count - limit
        if rest > 0 {
            lines.append("  and \(rest) more: --limit \(lost.records.count) names them, and so does --format json")
        }
        return lines
    }
}

extension Noun where Row == KeptCopy {
    /// A copy of a store from before an upgrade.
    static let keptCopy = Noun(
        "kept-copy",
        plural: "kept-copies",
        summary: "A copy of a store from before its schema was changed, and what it lacks.",
        fields: [
            .text("service", "Service", "Whose store.") { $0.place.service.rawValue },
            .text("file", "File", "Its name, beside the store.") { $0.place.file },
            .integer("schema", "Schema", "The version of its schema.") { $0.schema.map(Int64.init) },
            .text("release", "Release", "The release of Daybook that had it last.") { $0.release },
            .integer("sequence", "Sequence", "The last event in it.", inTable: false) { $0.sequence },
            .instant("time", "Last change", "When that was.") { $0.time },
            .integer("lost", "Lost", "How many events the store has more; absent where that can't be told.") {
                $0.lost?.events
            },
            .text("problem", "Problem", "Why it can't be put back.") { $0.problem },
            .text("unknown", "Unknown", "Why it can't be told what the store has more.", inTable: false) {
                $0.unknown
            },
            .text("kept", "Kept", "What the newer store is called, once it was put back.", inTable: false) { $0.kept },
            .list("records", "Records", "What was changed since.", of: LostChanges.recordFields) {
                $0.lost?.records ?? []
            },
        ]
    )
}
