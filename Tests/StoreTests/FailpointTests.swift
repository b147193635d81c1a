import Glibc
import Testing

@testable import Store

/// A process that dies while it brings a store up to date.
struct FailpointTests {
    private static let later = Migration("ALTER TABLE item ADD COLUMN later TEXT")

    /// Before, in the middle of, and after the change of the schema.
    @Test(arguments: ["migrate.copied", "migrate.between"])
    func aDeathDuringAMigrationLeavesTheStoreAsItWas(_ point: String) async throws {
        let scratch = try Scratch()
        do {
            let session = try scratch.store().writer()
            try session.execute("INSERT INTO item VALUES (x'01', 'a', 1)")
        }
        let path = "\(scratch.path)/shop.db"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, point = point as String] in
            setenv("DAYBOOK_FAILPOINTS", "\(point)=kill", 1)
            _ = try Store(path: path, name: "shop", migrations: [Scratch.schema, FailpointTests.later])
        }
        let session = try scratch.store().writer()
        #expect(try session.first("PRAGMA user_version") { $0.integer(0) } == 1)
        #expect(try session.first("SELECT name FROM item") { $0.text(0) } == "a")
        let columns = try session.first("SELECT count(*) FROM pragma_table_info('item')") { $0.integer(0) }
        #expect(columns == 3)
    }
}
