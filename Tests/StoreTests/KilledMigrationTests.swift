import Glibc
import Messages
import Support
import Testing

@testable import MigratingStore
@testable import Store

/// A process that is killed while it changes a schema: the store is the old one or the new one, and the copy is there as a
/// whole or not at all.
struct KilledMigrationTests {
    private static let items = 20_000
    private let scratch: Scratch
    private var path: String { "\(scratch.path)/shop.db" }

    init() throws {
        scratch = try Scratch()
    }

    private func migrate() async throws -> ChildProcess {
        var launch = ChildProcess.Launch(program: "\(Environment.programs)/MigratingStore")
        launch.arguments = [Array(path.utf8)]
        return try await ChildProcess.start(launch)
    }

    private func put(_ store: [UInt8]) throws {
        for name in try Session.names(in: scratch.path) where name.hasPrefix("shop") {
            unlink("\(scratch.path)/\(name)")
        }
        try File.write(store, to: path)
    }

    private func isWhole(_ session: Session, version: Int64) throws(StoreError) -> Bool {
        let check = try session.first("PRAGMA integrity_check") { $0.text(0) }
        let found = try session.first("PRAGMA user_version") { $0.integer(0) }
        guard check == "ok", found == version else { return false }
        let column = version == 1 ? "name" : "note"
        let items = try session.first("SELECT count(\(column)) FROM item") { Int($0.integer(0)) }
        let more = version == 1 ? nil : try session.first("SELECT count(*) FROM more") { Int($0.integer(0)) }
        return items == Self.items && more == (version == 1 ? nil : LongMigration.rows)
    }

    /// The schema of the store, as the older program finds it.
    private func version() throws -> Int64 {
        do throws(StoreError) {
            _ = try Store(path: path, name: "shop", migrations: Array(LongMigration.migrations.prefix(1)))
            return 1
        } catch {
            guard case .newer = error else { throw error }
            return 2
        }
    }

    @Test func leavesTheOldStoreOrTheNewOneAndAWholeCopyOrNone() async throws {
        do {
            let store = try Store(path: path, name: "shop", migrations: Array(LongMigration.migrations.prefix(1)))
            let session = try store.writer()
            try session.begin()
            for number in 0..<Self.items {
                try session.execute(
                    "INSERT INTO item VALUES ($1, $2)",
                    .integer(Int64(number)),
                    .text("\(number) " + String(repeating: "x", count: 100))
                )
            }
            try session.commit()
        }
        let old = try #require(File.read(path))
        let start = ContinuousClock.now
        let first = try await migrate()
        #expect(await first.ended() == .exited(0))
        // As its own thread saw it: this one may have waited for its turn.
        let duration = min(try #require(first.endedAt) - start, .seconds(2))
        var seen: Set<Int64> = []
        let rounds = 12
        for round in 0..<rounds {
            try put(old)
            let child = try await migrate()
            try await Task.sleep(for: duration * round / rounds)
            child.signal(SIGKILL)
            _ = await child.ended()
            let copy = "\(path).before-2"
            let hasCopy = access(copy, F_OK) == 0
            if hasCopy { #expect(try isWhole(Store.reader(path: copy), version: 1), "round \(round)") }
            let version = try version()
            #expect(try isWhole(Store.reader(path: path), version: version), "round \(round)")
            #expect(version == 1 || hasCopy, "round \(round)")
            seen.insert(version)
            // And the next start finishes it.
            #expect(try await migrate().ended() == .exited(0))
            #expect(try isWhole(Store.reader(path: path), version: 2), "round \(round)")
            #expect(try isWhole(Store.reader(path: copy), version: 1), "round \(round)")
        }
        #expect(seen.contains(1), "every round came too late")
    }
}
