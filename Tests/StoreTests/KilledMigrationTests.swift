import Glibc
import Messages
import Support
import Testing

@testable import MigratingStore
@testable import Store

/// A process that is killed while it changes a schema: the store is the old one or the new one, and the copy is there as a
/// whole or not at all.
struct KilledMigrationTests {
    private let scratch: Scratch
    private var path: String { "\(scratch.path)/shop.db" }
    private var copy: String { "\(path).before-2" }
    private var log: String { "\(scratch.path)/log" }

    init() throws {
        scratch = try Scratch()
    }

    /// - Parameter disk: what is to fail.
    private func migrate(rows: Int, disk: String = "") async throws -> ChildProcess {
        var launch = ChildProcess.Launch(program: "\(Environment.programs)/MigratingStore")
        launch.arguments = [Array(path.utf8), Array("\(rows)".utf8)]
        launch.environment["DAYBOOK_DISK"] = disk
        launch.error = log
        return try await ChildProcess.start(launch)
    }

    /// The bytes of a store of the first schema.
    private func old(items: Int) throws -> [UInt8] {
        do {
            let session = try Store(path: path, name: "shop", migrations: [LongMigration.first]).writer()
            try session.begin()
            for number in 0..<items {
                try session.execute(
                    "INSERT INTO item VALUES ($1, $2)",
                    .integer(Int64(number)),
                    .text("\(number) " + String(repeating: "x", count: 100))
                )
            }
            try session.commit()
        }
        return try #require(File.read(path))
    }

    private func put(_ store: [UInt8]) throws {
        for name in try Session.names(in: scratch.path) where name.hasPrefix("shop") {
            unlink("\(scratch.path)/\(name)")
        }
        try File.write(store, to: path)
    }

    private func isWhole(_ session: Session, version: Int64, items: Int, rows: Int) throws(StoreError) -> Bool {
        let check = try session.first("PRAGMA integrity_check") { $0.text(0) }
        let found = try session.first("PRAGMA user_version") { $0.integer(0) }
        guard check == "ok", found == version else { return false }
        let column = version == 1 ? "name" : "note"
        let counted = try session.first("SELECT count(\(column)) FROM item") { Int($0.integer(0)) }
        let more = version == 1 ? nil : try session.first("SELECT count(*) FROM more") { Int($0.integer(0)) }
        return counted == items && more == (version == 1 ? nil : rows)
    }

    /// The schema of the store, as the older program finds it.
    private func version() throws -> Int64 {
        do throws(StoreError) {
            _ = try Store(path: path, name: "shop", migrations: [LongMigration.first])
            return 1
        } catch {
            guard case .newer = error else { throw error }
            return 2
        }
    }

    /// Looks at what a death left, then has the migration finished.
    ///
    /// - Returns: the schema that was found.
    private func check(_ death: String, items: Int, rows: Int) async throws -> Int64 {
        let hasCopy = File.exists(copy)
        if hasCopy { #expect(try isWhole(Store.reader(path: copy), version: 1, items: items, rows: rows), "\(death)") }
        let version = try version()
        #expect(try isWhole(Store.reader(path: path), version: version, items: items, rows: rows), "\(death)")
        #expect(version == 1 || hasCopy, "\(death)")
        #expect(try await migrate(rows: rows).ended() == .exited(0), "\(death)")
        #expect(try isWhole(Store.reader(path: path), version: 2, items: items, rows: rows), "\(death)")
        #expect(try isWhole(Store.reader(path: copy), version: 1, items: items, rows: rows), "\(death)")
        return version
    }

    @Test func leavesTheOldStoreOrTheNewOneAndAWholeCopyOrNone() async throws {
        let (items, rows) = (20_000, 200_000)
        let old = try old(items: items)
        let start = ContinuousClock.now
        let first = try await migrate(rows: rows)
        #expect(await first.ended() == .exited(0))
        // As its own thread saw it: this one may have waited for its turn.
        let duration = min(try #require(first.endedAt) - start, .seconds(2))
        var seen: Set<Int64> = []
        let rounds = 12
        for round in 0..<rounds {
            try put(old)
            let child = try await migrate(rows: rows)
            try await Task.sleep(for: duration * round / rounds)
            child.signal(SIGKILL)
            _ = await child.ended()
            seen.insert(try await check("round \(round)", items: items, rows: rows))
        }
        #expect(seen.contains(1), "every round came too late")
    }

    /// At each write and sync, those of the commit itself among them: SIGKILL, where all that was written stays, and power
    /// cuts, where what was not synced goes, or a part of it.
    @Test(arguments: ["keep=all", "keep=none", "keep=some"]) func atEachChangeOfTheDisk(_ kept: String) async throws {
        let (items, rows) = (50, 200)
        let old = try old(items: items)
        var seen: [Int64] = []
        while true {
            try put(old)
            let plan = "seed=\(seen.count + 1),cut=\(seen.count + 1),\(kept)"
            let child = try await migrate(rows: rows, disk: plan)
            let ending = await child.ended()
            if ending == .exited(0) { break }
            try #require(ending == .signalled(SIGKILL), "\(plan)")
            seen.append(try await check(plan, items: items, rows: rows))
        }
        // Once it is the new one it stays so; before that there were several writes of the commit, and its sync.
        #expect(seen == seen.sorted() && Set(seen) == [1, 2], "\(seen)")
        let log = File.text(log)
        for part in ["write", "sync"] { #expect(log.contains("(\(part) of \(path)-wal)")) }
    }
}
