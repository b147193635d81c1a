public import Messages

/// What is to be done once before a commit: the statements for one row of one table.
public struct DeferralKey: Hashable, Sendable {
    let table: String
    let id: Identifier

    public init(table: String, id: Identifier) {
        self.table = table
        self.id = id
    }
}

/// A statement without rows that runs later.
public struct DeferredStatement: Sendable {
    let sql: String
    let values: [Value]

    public init(_ sql: String, _ values: Value...) {
        self.sql = sql
        self.values = values
    }
}

/// What runs before the commit of the open transaction, in the order in which it was asked for.
struct DeferredStatements {
    private struct Entry {
        var first: [DeferredStatement]
        var last: DeferredStatement?
    }

    /// Where this many wait they are run, so that a long command keeps its memory.
    private static let most = 1000

    /// Where the entry of a key is.
    private var places: [DeferralKey: Int] = [:]
    private var entries: [Entry] = []
    /// What waited when each open savepoint was set.
    private var savepoints: [(places: [DeferralKey: Int], entries: [Entry])] = []

    var isFull: Bool { entries.count >= Self.most }

    func contains(_ key: DeferralKey) -> Bool { places[key] != nil }

    mutating func add(_ key: DeferralKey, _ first: [DeferredStatement], last: DeferredStatement?) {
        places[key] = entries.count
        entries.append(Entry(first: first, last: last))
    }

    /// - Returns: false where nothing waits under this key.
    mutating func replace(_ key: DeferralKey, last: DeferredStatement?) -> Bool {
        guard let place = places[key] else { return false }
        entries[place].last = last
        return true
    }

    /// Empties it.
    mutating func take() -> [DeferredStatement] {
        guard !entries.isEmpty else { return [] }
        defer {
            places = [:]
            entries = []
        }
        var statements: [DeferredStatement] = []
        for entry in entries {
            statements += entry.first
            if let last = entry.last { statements.append(last) }
        }
        return statements
    }

    mutating func beginSavepoint() { savepoints.append((places, entries)) }

    mutating func endSavepoint() { savepoints.removeLast() }

    /// Makes it what it was when the last savepoint was set: what was run since is undone with it.
    mutating func undoSavepoint() {
        guard let savepoint = savepoints.popLast() else { return }
        (places, entries) = savepoint
    }
}
