import Client
import Glibc
import Messages
import Testing

@testable import CLI
@testable import Store
@testable import Support

// The command has types of these names, too.
private typealias Daybook = Support.Daybook
private typealias File = Support.File

/// `daybook rollback`, with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RollbackTests {
    private static func enter(_ daybook: Daybook, _ lines: String...) async throws {
        for line in lines {
            let output = try await daybook.shell("daybook \(line)")
            try #require(output.code == 0, "\(line): \(output.error)")
        }
    }

    private static func start(_ daybook: Daybook) async throws { try await daybook.start(ServiceName.all) }

    private static func stop(_ daybook: Daybook) async throws {
        for service in ServiceName.all { try await daybook.stop(service) }
    }

    /// Has a store changed by a program of the next schema, as an upgrade does, with the kernel's own means: a copy is kept.
    private static func upgrade(_ daybook: Daybook, _ service: ServiceName) throws {
        let next = Migration("CREATE TABLE novelty (id INTEGER PRIMARY KEY) STRICT; INSERT INTO novelty VALUES (1);")
        let path = "\(daybook.home)/\(service).db"
        _ = try Store(path: path, name: service.rawValue, migrations: [Migration(""), next])
    }

    /// The programs know the first schema alone. Those of the next one are played by them: it has only a table more.
    private static func setSchema(_ daybook: Daybook, _ service: ServiceName, _ version: Int) throws {
        let session = try Store.open("\(daybook.home)/\(service).db", readOnly: false)
        try session.executeScript("PRAGMA user_version = \(version)")
    }

    private static func run(_ script: String, on path: String) throws {
        let session = try Store.open(path, readOnly: false)
        try session.executeScript("\(script); PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test func returnsAStoreToItsCopyAndTellsWhatIsLost() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.enter(
                daybook,
                "customers add Lind",
                "services add Bath --price 40",
                "orders add --customer Lind --row Bath=40.00 --made --date 2024-03-31"
            )
            let before = try await daybook.shell("daybook orders list --format jsonl; daybook report unpaid")
            try await Self.stop(daybook)
            try Self.upgrade(daybook, .orders)
            try Self.setSchema(daybook, .orders, 1)
            try await Self.start(daybook)
            try await Self.enter(
                daybook,
                "orders add --customer Lind --row Bath=1.00 --date 2024-04-01",
                "orders edit 1 --paid",
                "orders edit 2 --made",
                "orders add --customer Lind --row Bath=2.00",
                "orders delete 3 --yes"
            )
            let place = try await daybook.client.head(of: .orders)
            let running = try await daybook.run("rollback", "orders", "--yes")
            #expect(running.code == 1 && running.error.contains("stop it first"), "\(running.error)")
            // To look, nothing has to be stopped.
            let looked = try await daybook.run("rollback")
            #expect(looked.code == 0 && looked.text.contains("orders.db.before-2"), "\(looked.text)\(looked.error)")
            let lost = [
                "orders: 5 events since: 2 orders created, 2 orders updated, 1 order deleted",
                "  order 2, Lind, 2024-04-01: created, updated", "  order 1, Lind, 2024-03-31: updated",
            ]
            for line in lost { #expect(looked.lines.contains(line), "\(looked.text)") }
            #expect(looked.lines.last?.hasSuffix(": created, deleted") == true)
            try await Self.stop(daybook)
            try Self.setSchema(daybook, .orders, 2)

            // The older program refuses the newer store, and says what there is.
            let refused = try await daybook.launch(.orders)
            let error = await #expect(throws: HarnessError.self) { try await refused.ready() }
            #expect(error?.description.contains("has schema 2") == true)
            let unasked = try await daybook.run("rollback", "orders")
            #expect(unasked.code == 2 && unasked.error.contains("--yes"), "\(unasked.error)")
            #expect(lost.allSatisfy(unasked.lines.contains))
            let dry = try await daybook.run("rollback", "orders", "--dry-run", "--format", "json")
            #expect(dry.code == 0 && dry.text.contains("\"lost\": 5"), "\(dry.text)")
            #expect(
                DurableFile.names(in: daybook.home).allSatisfy { !$0.contains("rollback") && !$0.contains("restored") }
            )

            let output = try await daybook.run("rollback", "orders", "--yes")
            try #require(output.code == 0, "\(output.error)")
            let kept = try #require(DurableFile.names(in: daybook.home).first { $0.contains(".before-rollback-") })
            #expect(output.text.contains("the newer store is \(daybook.home)/\(kept)"), "\(output.text)")
            #expect(output.lines.last == "Start the programs of Daybook \(Release.version).")
            #expect(output.error.contains("'daybook verify'"))
            // Nothing is destroyed: the newer program would go on with it.
            let newer = try StoreFile("\(daybook.home)/\(kept)", of: "orders", isAtRest: true)
            #expect(newer.schema == 2 && newer.sequence == place.sequence)

            try await Self.start(daybook)
            let after = try await daybook.shell("daybook orders list --format jsonl; daybook report unpaid")
            #expect(after.text == before.text, "\(after.text)\(after.error)")
            #expect(try await daybook.run("verify").code == 0)
            var updates = daybook.client.events(from: place, of: .orders, follow: false).makeAsyncIterator()
            guard case .resync(.epoch, _)? = try await updates.next() else {
                Issue.record("a subscriber was not told that the log is another one")
                return
            }
            let again = try await daybook.run("rollback", "orders", "--yes")
            #expect(again.code == 1 && again.error.contains("no copy of orders's store"), "\(again.error)")
        }
    }

    @Test func whatTheOthersHoldBeyondItIsNamedAndRepaired() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.enter(daybook, "customers add Lind", "services add Bath --price 40")
            try await Self.stop(daybook)
            try Self.upgrade(daybook, .catalog)
            try Self.setSchema(daybook, .catalog, 1)
            try await Self.start(daybook)
            try await Self.enter(
                daybook,
                "customers add Late",
                "orders add --customer Late --row Bath=5.00 --made",
                "dogs add Fido --owner Late"
            )
            try await Self.stop(daybook)
            let output = try await daybook.run("rollback", "--all", "--yes")
            try #require(output.code == 0, "\(output.error)")
            #expect(output.lines.contains("  customer Late: created"), "\(output.text)")
            try await Self.start(daybook)
            let found = try await daybook.run("verify")
            #expect(found.code == 1 && found.error.contains("--repair"), "\(found.error)")
            for start in ["orders: the order ", "walks: the dog "] {
                #expect(found.lines.contains { $0.hasPrefix(start) && $0.hasSuffix("catalog does not have") })
            }
            let repaired = try await daybook.run("verify", "--repair", "--yes")
            #expect(repaired.code == 0, "\(repaired.text)\(repaired.error)")
            #expect(try await daybook.run("verify").code == 0)
        }
    }

    @Test func whatCannotBePutBackChangesNothing() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            for number in 1...25 { _ = try await daybook.client.send(Put(Customer(name: "Customer \(number)"))) }
            try await Self.stop(daybook)
            let none = try await daybook.run("rollback")
            #expect(none.code == 0 && none.text.isEmpty && none.error.contains("no copies"), "\(none.error)")
            for (arguments, code) in [("--all --yes", 1), ("orders --yes", 1), ("--yes", 2), ("orders --all", 2)] {
                #expect(try await daybook.shell("daybook rollback \(arguments)").code == code, "\(arguments)")
            }
            try Self.upgrade(daybook, .catalog)
            try Self.upgrade(daybook, .orders)
            let (catalog, orders) = ("\(daybook.home)/catalog.db", "\(daybook.home)/orders.db")
            // Of two upgrades; each alone can be.
            try Self.run("UPDATE meta SET value = '0.0.9' WHERE key = 'release'", on: "\(orders).before-2")
            let mixed = try await daybook.run("rollback", "--all", "--yes")
            #expect(mixed.code == 1 && mixed.error.contains("orders of 0.0.9"), "\(mixed.error)")
            let other = try await daybook.run("rollback", "orders", "--before", "7", "--yes")
            #expect(other.code == 1 && other.error.contains("there is orders.db.before-2"), "\(other.error)")

            let stores = try [catalog, orders].map { try #require(File.read($0)) }
            var bytes = try #require(File.read("\(catalog).before-2"))
            let whole = bytes
            // In every page: whatever lies there.
            for page in stride(from: 4096, to: bytes.count, by: 4096) {
                bytes.replaceSubrange(page..<(page + 64), with: repeatElement(0xFF, count: 64))
            }
            try File.write(bytes, to: "\(catalog).before-2")
            let damaged = try await daybook.run("rollback", "catalog", "--yes")
            #expect(damaged.code == 1 && damaged.error.contains("is damaged"), "\(damaged.error)")
            try File.write(whole, to: "\(orders).before-2")
            let foreign = try await daybook.run("rollback", "orders", "--yes")
            #expect(foreign.code == 1 && foreign.error.contains("no store of this service"), "\(foreign.error)")
            let shown = try await daybook.run("rollback")
            #expect(
                shown.code == 0 && shown.lines.filter { $0.contains("can't be put back") }.count == 2,
                "\(shown.text)"
            )
            #expect(try [catalog, orders].map { try #require(File.read($0)) } == stores)

            // Of many records some are named, and JSON has all; of a damaged store none can be.
            try File.write(whole, to: "\(catalog).before-2")
            try Self.run("DELETE FROM event WHERE sequence > 1", on: "\(catalog).before-2")
            let capped = try await daybook.run("rollback", "catalog", "--dry-run")
            #expect(capped.lines.last?.contains("and 4 more: --limit 24") == true, "\(capped.text)")
            let all = try await daybook.run("rollback", "catalog", "--dry-run", "--limit", "24")
            #expect(all.lines.filter { $0.hasPrefix("  customer Customer ") }.count == 24, "\(all.text)")
            let json = try await daybook.run("rollback", "catalog", "--dry-run", "--format", "json")
            #expect(json.text.ranges(of: "\"kind\"").count == 24)
            // As the first release left it.
            try Self.run("DELETE FROM meta WHERE key = 'release'", on: "\(catalog).before-2")
            try File.write(Array(stores[0].prefix(stores[0].count / 2)), to: catalog)
            let blind = try await daybook.run("rollback", "catalog", "--yes")
            #expect(blind.code == 0 && blind.text.contains("what was entered since can't be told"), "\(blind.text)")
            #expect(blind.lines.last?.contains("Daybook 0.1.0: these, of \(Release.version), change") == true)
        }
    }

    /// Killed between its steps, it is finished by the command that `daybook up` names.
    @Test(arguments: [true, false])
    func whatIsCutOffIsFinishedByTheSameCommand(_ isInPlace: Bool) async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.enter(daybook, "customers add Lind")
            try await Self.stop(daybook)
            try Self.upgrade(daybook, .catalog)
            let store = "\(daybook.home)/catalog.db"
            let command = "daybook rollback catalog --before 2"
            try File.write(Array(command.utf8), to: "\(daybook.home)/restore.unfinished")
            if isInPlace { try #require(rename("\(store).before-2", store) == 0) }
            let up = try await daybook.run("up")
            #expect(up.code == 1 && up.error.contains("'\(command)' again first"), "\(up.error)")
            for other in ["rollback orders --yes", "restore '\(daybook.folder)' orders --yes"] {
                #expect(try await daybook.shell("daybook \(other)").code == 1)
            }
            #expect(File.exists("\(daybook.home)/restore.unfinished"))
            let output = try await daybook.shell("\(command) --yes")
            #expect(output.code == 0, "\(output.error)")
            #expect(!File.exists("\(daybook.home)/restore.unfinished"))
            try await Self.start(daybook)
            #expect(try await daybook.client.all(Customer.self).map(\.name) == ["Lind"])
        }
    }
}
