import CBOR
import Messages

/// One log as it was seen to grow in the store, and what its events lead to. A store that is put back begins another one,
/// which has the events up to there in common.
final class Lineage {
    /// A record as an event left it.
    struct Entry {
        var body: [UInt8]
        var version: Int
        var title: String
        var rank: Int64
        var mark: Int64
        var paint: Identifier?
    }

    struct Known {
        var event: Event
        var body: [UInt8]
        var chain: UInt64
    }

    let epoch: Identifier
    let parent: Lineage?
    /// Up to here it is the parent's.
    let fork: Int
    private(set) var events: [Known]
    /// The records behind each event, from none on.
    private(set) var states: [[Identifier: Entry]]
    /// The command of each key.
    private var transactions: [Identifier: Int64]
    private var marks: [Int64: Int]
    /// Events up to here are no longer kept.
    var floor: Int64 = 0

    init(epoch: Identifier) {
        self.epoch = epoch
        (parent, fork, events, states, transactions, marks) = (nil, 0, [], [[:]], [:], [:])
    }

    init(epoch: Identifier, after parent: Lineage, through fork: Int, floor: Int64) {
        self.epoch = epoch
        self.parent = parent
        self.fork = fork
        self.floor = floor
        events = Array(parent.events.prefix(fork))
        states = Array(parent.states.prefix(fork + 1))
        transactions = parent.transactions.filter { _, transaction in
            (parent.events.prefix(fork).last?.event.transaction ?? 0) >= transaction
        }
        marks = parent.marks.filter { $0.value < fork }
    }

    var head: Int64 { Int64(events.count) }
    var state: [Identifier: Entry] { states[events.count] }

    /// The chain behind an event; 0 before the first.
    func chain(at sequence: Int64) -> UInt64? {
        if sequence == 0 { return 0 }
        return events.indices.contains(Int(sequence) - 1) ? events[Int(sequence) - 1].chain : nil
    }

    func state(at sequence: Int64) -> [Identifier: Entry]? {
        states.indices.contains(Int(sequence)) ? states[Int(sequence)] : nil
    }

    /// Where the command with this mark had its effect.
    func sequence(ofMark mark: Int64) -> Int64? { marks[mark].map { Int64($0) + 1 } }

    /// Whether a transaction that ends there changed each record that there was before it, once, by this command.
    func changedAll(byMark mark: Int64, endingAt end: Int64) -> Bool {
        guard end > 0, end <= head, let last = events[Int(end) - 1].event.last, last else { return false }
        let transaction = events[Int(end) - 1].event.transaction
        let first = events[..<Int(end)].firstIndex { $0.event.transaction == transaction } ?? 0
        let subjects = events[first..<Int(end)].map(\.event.subject)
        return Set(subjects) == Set(states[first].keys) && subjects.count == states[first].count
            && states[Int(end)].values.allSatisfy { $0.mark == mark }
    }

    /// Takes in what was committed.
    ///
    /// - Throws: `Violation` where the log is none: a hole, a version out of turn, an effect twice.
    func append(_ known: Known, key: Identifier?) throws {
        let event = known.event
        try promise(event.sequence == head + 1, "event \(event.sequence) follows event \(head) in the store")
        let before = state[event.subject]
        let lastTransaction = events.last?.event.transaction ?? 0
        let isOpen = events.last.map { $0.event.last != true } ?? false
        try promise(
            event.transaction == (isOpen ? lastTransaction : lastTransaction + 1),
            "event \(event.sequence) is of command \(event.transaction) behind \(lastTransaction)"
        )
        if let key {
            let known = transactions.updateValue(event.transaction, forKey: key)
            try promise(
                known == nil || known == event.transaction,
                "key \(key) had its effect twice: \(event.sequence)"
            )
        }
        var state = state
        if let data = event.data {
            let entry = try Self.entry(event, data.bytes)
            try promise(
                event.version == (before?.version ?? 0) + 1,
                "event \(event.sequence) has version \(event.version)"
            )
            if event.cause == nil {
                let first = marks.updateValue(events.count, forKey: entry.mark)
                let isOne = first.map { events[$0].event.transaction == event.transaction } ?? true
                try promise(isOne, "command \(entry.mark) had its effect twice: event \(event.sequence)")
            }
            state[event.subject] = entry
        } else {
            try promise(before != nil, "event \(event.sequence) deletes what isn't there")
            state[event.subject] = nil
        }
        events.append(known)
        states.append(state)
    }

    private static func entry(_ event: Event, _ body: [UInt8]) throws -> Entry {
        if event.entity == Paint.entity {
            let paint = try event.decoded(Paint.self)
            return Entry(body: body, version: paint.version, title: paint.title, rank: paint.rank, mark: paint.mark)
        }
        let note = try event.decoded(Note.self)
        return Entry(
            body: body,
            version: note.version,
            title: note.title,
            rank: note.rank,
            mark: note.mark,
            paint: note.paint
        )
    }
}

extension Event {
    fileprivate func decoded<R: Record>(_ type: R.Type) throws -> R {
        guard let data else { throw Violation("event \(sequence) has no record") }
        return try data.decode(type)
    }
}
