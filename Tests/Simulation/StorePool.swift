import Messages
import Service
import Store

/// Stores in memory, used for one schedule after another: making a schema takes longer than many a schedule.
final class StorePool {
    private var free: [ServiceName: [Store]] = [:]

    /// A store with nothing in it.
    func take(_ definition: ServiceDefinition) throws -> Store {
        if let store = free[definition.name]?.popLast() {
            try Self.empty(store)
            return store
        }
        return try definition.storeInMemory()
    }

    func giveBack(_ store: Store, of name: ServiceName) {
        free[name, default: []].append(store)
    }

    /// Leaves what a store has that was just made.
    private static func empty(_ store: Store) throws {
        let session = try store.writer()
        var tables: [String] = []
        try session.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
            tables.append($0.text(0))
        }
        store.removeRestoreMark()
        try session.begin()
        for table in tables where table != "meta" { try session.execute("DELETE FROM \"\(table)\"") }
        try session.execute("DELETE FROM meta WHERE key NOT IN ('service', 'collation')")
        try session.commit()
    }
}
