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
    private typealias Entry = (key: DeferralKey, statements: [DeferredStatement])

    /// Where this many wait they are run, so that a long command keeps its memory.
    private static let most = 1000

    private var keys: Set<DeferralKey> = []
    private var entries: [Entry] = []
    /// Those that waited when the savepoint was set, and what of all was run since.
    private var savepoint: (count: Int, run: [Entry])?

    var isFull: Bool { entries.count >= Self.most }

    func contains(_ key: DeferralKey) -> Bool { keys.contains(key) }

    mutating func add(_ key: DeferralKey, _ statements: [DeferredStatement]) {
        keys.insert(key)
        entries.append((key, statements))
    }

    /// Empties it.
    mutating func take() -> [DeferredStatement] {
        defer {
            keys = []
            entries = []
        }
        savepoint?.run += entries
        return entries.flatMap(\.statements)
    }

    mutating func beginSavepoint() { savepoint = (entries.count, []) }

    mutating func endSavepoint() { savepoint = nil }

    /// Makes it what it was when the savepoint was set: what was run since is undone with it.
    mutating func undoSavepoint() {
        guard let savepoint else { return }
        entries = Array((savepoint.run + entries).prefix(savepoint.count))
        keys = Set(entries.map(\.key))
        self.savepoint = nil
    }
}
