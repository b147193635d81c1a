import CBOR
import Messages
import Store

/// What a store has more than a copy of it.
struct LostChanges: Sendable {
    /// A record that was changed.
    struct Record: Sendable {
        /// `recipe type`
        var kind: String
        var id: Identifier
        /// What people call it, as it was last; nil where that can't be told.
        var name: String?
        /// `created`, `updated`, each once.
        var changes: [String]

        var text: String { "\(kind) \(CellText.escaped(name ?? id.description)): \(changes.joined(separator: ", "))" }
    }

    /// How many events.
    private(set) var events: Int64
    /// How many the copy has that the store lacks, whose log took another way.
    private(set) var missing: Int64
    /// How many of the events can't be read: no longer kept, or not understood.
    private(set) var untold: Int64
    /// In the order in which they were changed first.
    private(set) var records: [Record] = []
    /// Types of events, as often as they come.
    private var types: [String] = []
    /// How many records were erased: the copy holds what was erased.
    private var erased: Set<Identifier> = []

    /// - Throws: what reading throws.
    init(of store: StoreFile, to copy: StoreFile) throws(StoreError) {
        let common = try store.lastCommon(with: copy)
        events = store.sequence - common
        missing = copy.sequence - common
        untold = events
        var places: [Identifier: Int] = [:]
        try store.events(after: common) { bytes in
            guard let event = try? CBORDecoder().decode(Event.self, from: bytes) else { return }
            untold -= 1
            types.append(event.type)
            if event.isErasure { erased.insert(event.subject) }
            let place = places[event.subject] ?? records.endIndex
            if place == records.endIndex {
                let kind = event.entity.replacing("-", with: " ")
                records.append(Record(kind: kind, id: event.subject, name: nil, changes: []))
                places[event.subject] = place
            }
            let change = String(event.type.dropFirst(event.entity.count + 1))
            if !records[place].changes.contains(change) { records[place].changes.append(change) }
            records[place].name = Self.name(of: event) ?? records[place].name
        }
    }

    /// `12 events since: 5 orders created, 7 orders updated`.
    var summary: String {
        var parts: [String] = []
        if events > 0 {
            let told = types.isEmpty ? "" : ": " + Undo.sentence(types)
            parts.append("\(events) event\(events == 1 ? "" : "s") since\(told)")
        }
        if untold > 0 { parts.append("what \(untold) of them were can't be told any more") }
        if missing > 0 { parts.append("the copy has \(missing) that the store lacks") }
        if !erased.isEmpty {
            parts.append("\(erased.count) erased since: the copy still has the data, so that has to be done again")
        }
        return parts.joined(separator: "; ")
    }

    /// The record's name with what tells it apart, as it was after the event, or before a delete.
    private static func name(of event: Event) -> String? {
        guard let body = event.data ?? event.before else { return nil }
        let kinds: [any Findable.Type] = [
            Customer.self, SoldService.self, Recipe.self, RecipeType.self, Order.self, Dog.self, Walk.self,
        ]
        return kinds.first { $0.entity == event.entity }.flatMap { name(body, $0) }
    }

    private static func name<R: Findable>(_ body: EncodedCBOR, _ kind: R.Type) -> String? {
        guard let record = try? body.decode(R.self) else { return nil }
        let parts = [
            record.foundNumber, record.foundName,
            record.foundDay.map { CellText.current.text(.day($0), idDigits: nil) },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    static let recordFields: [Field<Record>] = [
        .text("kind", "Kind", "What it is.") { $0.kind },
        .id("id", "Id", "Its id.") { $0.id },
        .text("name", "Name", "What it is called, where that can be told.") { $0.name },
        .list(
            "changes",
            "Changes",
            "What was done to it.",
            of: [.text("change", "Change", "One word.") { (word: String) in word }]
        ) { $0.changes },
    ]
}
