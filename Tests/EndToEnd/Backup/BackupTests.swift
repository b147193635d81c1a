import Client
import Glibc
import Messages
import Support
import Testing

@testable import CLI

// The command has types of these names, too.
private typealias Daybook = Support.Daybook
private typealias File = Support.File

/// `daybook backup` and `daybook restore`, with the real executables.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BackupTests {
    private static let all = ServiceName.all

    /// What a person sees of all books.
    private static let look = """
        for list in 'customers list' 'services list' 'recipes list' 'dogs list' 'walks list' 'orders list' \
            'report unpaid' 'report totals --by customer'; do daybook $list --format jsonl || exit; done
        """

    private static func day(_ daybook: Daybook) async throws {
        for line in [
            "customers add Lind --email ada@example.org", "services add Bath --price 40",
            "orders add --customer Lind --row Bath=40.00 --made --date 2024-03-31", "recipes add 'Leek soup'",
            "dogs add Rex --owner Lind", "walks add Rex --at 2024-03-31T18:05 --for 45min",
        ] {
            let output = try await daybook.shell("daybook \(line)")
            try #require(output.code == 0, "\(line): \(output.error)")
        }
    }

    private static func start(_ daybook: Daybook) async throws {
        try await daybook.start(all)
    }

    private static func stop(_ daybook: Daybook) async throws {
        for service in all { try await daybook.stop(service) }
    }

    /// Makes a backup, in a tar archive where the name says so.
    private static func make(_ daybook: Daybook, _ name: String) async throws {
        let target = "\(daybook.folder)/\(name)"
        let isTar = name.hasSuffix(".tar")
        let output = try await daybook.shell(isTar ? "daybook backup - > '\(target)'" : "daybook backup '\(target)'")
        try #require(output.code == 0, "\(output.error)")
        #expect(output.error.isEmpty)
    }

    private static func backUp(_ daybook: Daybook, _ name: String) async throws -> BackupManifest {
        let output = try await daybook.run("backup", "\(daybook.folder)/\(name)", limit: .seconds(60))
        try #require(output.code == 0, "\(output.error)")
        return try #require(try BackupFolder("\(daybook.folder)/\(name)").contents())
    }

    private static func expectWhole(_ daybook: Daybook) async throws {
        let verified = try await daybook.run("verify", "--format", "csv", "--fields", "service,differences,dangling")
        #expect(verified.code == 0, "\(verified.text)\(verified.error)")
        #expect(verified.lines.dropFirst().allSatisfy { $0.hasSuffix(",0,0") }, "\(verified.text)")
    }

    @Test func anEmptyHostHasTheBooksAndSubscribersAreToldWhy() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            let before = try await daybook.shell(Self.look)
            try #require(before.code == 0 && before.lines.count == 8, "\(before.text)\(before.error)")
            let manifest = try await Self.backUp(daybook, "backup")
            #expect(Set(manifest.stores.map(\.service)) == Set(Self.all))
            // What is entered afterwards is not in it.
            _ = try await daybook.shell("daybook customers add Late")
            var places: [ServiceName: EventPosition] = [:]
            for service in Self.all where service != .reporting {
                places[service] = try await daybook.client.head(of: service)
            }
            try await Self.stop(daybook)
            _ = try await daybook.shell("mv '\(daybook.home)' '\(daybook.folder)/lost'")
            let restored = try await daybook.run("restore", "\(daybook.folder)/backup")
            try #require(restored.code == 0, "\(restored.error)")
            try await Self.start(daybook)
            let after = try await daybook.shell(Self.look)
            #expect(after.text == before.text, "\(after.error)")
            try await Self.expectWhole(daybook)
            for (service, place) in places {
                var updates = daybook.client.events(from: place, of: service, follow: false).makeAsyncIterator()
                guard case .resync(.epoch, _)? = try await updates.next() else {
                    Issue.record("a subscriber of \(service) was not told that the log is another one")
                    continue
                }
            }
            // And the books go on.
            let number = try await daybook.shell("daybook orders add --customer Lind --row Bath=1.00 --format json")
            #expect(number.text.contains("\"number\": 2"), "\(number.text)\(number.error)")
        }
    }

    /// Whatever is written meanwhile, no copy knows of another service what isn't in that one's copy, and what is put back
    /// refers to nothing that isn't there.
    @Test func copiesMadeUnderLoadFitTogether() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let client = try daybook.client(timeout: .seconds(30))
            let (people, placed, done) = (Shelf<Customer>(), Shelf<Int64>(), Shelf<Void>())
            async let adding: Void = {
                for number in 0... {
                    if await done.count > 0 { return }
                    let customer = try await client.send(Put(Customer(name: "customer \(number)"))).value
                    await people.put(customer)
                    do {
                        _ = try await client.send(Put(Dog(name: "dog \(number)", owner: customer.id)))
                    } catch ClientError.refused(_, .invalid, _) {}
                }
            }()
            async let ordering: Void = {
                var number = 0
                while await done.count == 0 {
                    guard let customer = await people.last else { continue }
                    let order = try Order.of(customer, 100, made: true)
                    do {
                        await placed.put(try await client.send(Put(order)).value.number)
                    } catch ClientError.refused(_, .invalid, _) {}
                    number += 1
                    guard number % 5 == 0 else { continue }
                    do {
                        _ = try await client.send(Delete<Customer>(id: customer.id, force: true))
                    } catch ClientError.refused(_, .gone, _) {}
                }
            }()
            var manifests: [BackupManifest] = []
            for number in 0..<6 {
                let before = await placed.count
                while await placed.count < before + 3 { try await Task.sleep(for: .milliseconds(1)) }
                manifests.append(try await Self.backUp(daybook, "backup\(number)"))
            }
            await done.put(())
            _ = try await (adding, ordering)
            for manifest in manifests {
                for copy in manifest.stores {
                    for (name, seen) in copy.follows {
                        let source = try #require(manifest.store(of: ServiceName(rawValue: name)))
                        #expect(seen.epoch == source.position.epoch && seen.sequence <= source.position.sequence)
                    }
                }
            }
            let written = manifests.compactMap { $0.store(of: .orders)?.position.sequence }
            #expect(
                written.count == 6 && zip(written, written.dropFirst()).allSatisfy(<),
                "nothing was written meanwhile"
            )
            for number in [1, 4] {
                try await Self.stop(daybook)
                let output = try await daybook.run("restore", "\(daybook.folder)/backup\(number)", "--yes")
                try #require(output.code == 0, "\(output.error)")
                try await Self.start(daybook)
                try await Self.expectWhole(daybook)
                let orders = manifests[number].store(of: .orders)?.position.sequence ?? 0
                #expect(try await client.send(StatusRequest(), to: .orders).value.sequence >= orders)
            }
        }
    }

    @Test(arguments: ["backup", "backup.tar"])
    func whatTheOthersHoldBeyondAStorePutBackAloneIsNamedAndRepaired(_ name: String) async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            try await Self.make(daybook, name)
            for line in [
                "customers add Late", "orders add --customer Late --row Bath=5.00 --made", "dogs add Fido --owner Late",
            ] { try #require(try await daybook.shell("daybook \(line)").code == 0) }
            try await Self.stop(daybook)
            let output = try await daybook.run("restore", "\(daybook.folder)/\(name)", "catalog", "--yes")
            #expect(output.code == 0 && output.lines.count == 2, "\(output.text)\(output.error)")
            #expect(output.error.contains("'daybook verify' names it"))
            try await Self.start(daybook)

            let found = try await daybook.run("verify")
            #expect(found.code == 1 && found.error.contains("--repair"), "\(found.error)")
            #expect(
                found.lines.filter { $0.hasPrefix("orders: the order ") && $0.hasSuffix("catalog does not have") }.count
                    == 1
            )
            #expect(
                found.lines.filter { $0.hasPrefix("walks: the dog ") && $0.hasSuffix("catalog does not have") }.count
                    == 1
            )
            // Nothing is taken out unasked.
            #expect(try await daybook.run("verify", "--repair").code == 2)
            #expect(try await daybook.run("verify").code == 1)
            let repaired = try await daybook.run("verify", "--repair", "--yes")
            #expect(repaired.code == 0, "\(repaired.text)\(repaired.error)")
            #expect(repaired.lines.suffix(2) == ["orders: 1 record repaired", "walks: 1 record repaired"])
            try await Self.expectWhole(daybook)
            let orders = try await daybook.client.all(Order.self)
            #expect(orders.map(\.total) == [4000, 500] && orders.map(\.customerName) == ["Lind", nil])
        }
    }

    @Test func aKilledServiceOrCommandLeavesNothingWhole() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            // A service that is killed holds no copy any longer.
            let id = Identifier.make()
            _ = try await daybook.client.send(BeginBackup(backup: id), to: .orders)
            try await daybook.kill(.orders)
            try await daybook.start(.orders)
            #expect(DurableFile.names(in: daybook.home).allSatisfy { !$0.contains(".copy-") })
            do throws(ClientError) {
                _ = try await daybook.client.send(ReadBackup(backup: id, offset: 0), to: .orders)
                Issue.record("the copy outlived its service")
            } catch {
                guard case .refused(_, .notFound, _) = error else { throw error }
            }
            // The command is killed while it writes: all of it stands under a name that says so.
            let target = "\(daybook.folder)/cut"
            let child = try await daybook.start(program: "\(Environment.programs)/daybook", ["backup", target])
            while access("\(target).part/walks.db", F_OK) != 0, access(target, F_OK) != 0 {
                try await Task.sleep(for: .milliseconds(1))
            }
            child.signal(SIGKILL)
            _ = await child.ended()
            if access(target, F_OK) != 0 {
                let refused = try await daybook.run("restore", "\(target).part", "--yes")
                #expect(refused.code == 1 && refused.error.contains("no whole backup"), "\(refused.error)")
            }
            _ = try await daybook.shell("rm -rf '\(target)'")
            _ = try await Self.backUp(daybook, "cut")
            #expect(access("\(target).part", F_OK) != 0)
            // One service is away: nothing is left.
            try await daybook.stop(.walks)
            let output = try await daybook.run("backup", "\(daybook.folder)/none", "--timeout", "1")
            #expect(output.code == 3 && access("\(daybook.folder)/none", F_OK) != 0, "\(output.error)")
        }
    }

    @Test func twoAtOnceAreBothWholeAndOnlySomeAreKept() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            async let first = Self.backUp(daybook, "first")
            async let second = Self.backUp(daybook, "second")
            let manifests = try await [first, second]
            #expect(manifests[0].stores.map(\.position) == manifests[1].stores.map(\.position))
            for name in ["first", "second"] {
                let home = ["DAYBOOK_HOME": "\(daybook.folder)/\(name)-home", "DAYBOOK_RUNTIME": ""]
                let output = try await daybook.run("restore", "\(daybook.folder)/\(name)", variables: home)
                #expect(output.code == 0, "\(output.error)")
            }
            // What a killed one left is taken away, what is still being written is not.
            let keep = BackupFolder("\(daybook.folder)/keep")
            let (left, held) = ("\(keep.path)/2024-03-31T180500Z.part", "\(keep.path)/2024-03-31T180501Z.part")
            for folder in [left, held] { try CLI.File.makeFolder(folder) }
            let lock = try #require(try BackupFolder(held).locked())
            defer { close(lock) }
            for _ in 0..<3 {
                let output = try await daybook.run("backup", keep.path, "--keep", "2")
                #expect(output.code == 0, "\(output.error)")
                try await Task.sleep(for: .milliseconds(1100))
            }
            #expect(keep.kept.count == 2 && access(left, F_OK) != 0 && access(held, F_OK) == 0)
            // Of several, the newest is put back.
            let home = ["DAYBOOK_HOME": "\(daybook.folder)/newest", "DAYBOOK_RUNTIME": ""]
            #expect(try await daybook.run("restore", keep.path, variables: home).code == 0)
        }
    }

    @Test func keysAreInItOnlyWhereTheyAreAskedFor() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            let none = try await daybook.run("backup", "\(daybook.folder)/none", "--with-keys")
            #expect(none.code == 1 && none.error.contains("no keys") && !CLI.File.exists("\(daybook.folder)/none"))
            for name in ["catalog", "ada"] {
                let role = name == "ada" ? "writer" : "service"
                let made = try await daybook.run("keys", "new", name, "--role", role)
                try #require(made.code == 0, "\(made.error)")
            }
            _ = try await Self.backUp(daybook, "plain")
            #expect(!CLI.File.exists("\(daybook.folder)/plain/keys"))
            let output = try await daybook.run("backup", "\(daybook.folder)/keyed", "--with-keys")
            #expect(output.code == 0, "\(output.error)")
            let home = ["DAYBOOK_HOME": "\(daybook.folder)/other", "DAYBOOK_RUNTIME": ""]
            let refused = try await daybook.run("restore", "\(daybook.folder)/plain", "--with-keys", variables: home)
            #expect(refused.code == 1 && refused.error.contains("holds no keys"))
            let keyed = "\(daybook.folder)/keyed"
            let restored = try await daybook.run("restore", keyed, "--with-keys", variables: home)
            #expect(restored.code == 0, "\(restored.error)")
            let files = ["catalog.key_secret", "ada.key_secret", "public/catalog.key", "public/ada.key"]
            for file in files {
                let key = try #require(File.read("\(daybook.home)/keys/\(file)"))
                #expect(File.read("\(daybook.folder)/other/keys/\(file)") == key)
            }
            // Where a name has a folder of its own, its secret goes there, and comes from there.
            let own = "\(daybook.folder)/own/keys/secret/catalog"
            try #require(try await daybook.shell("mkdir -p '\(own)'").code == 0)
            let apart = ["DAYBOOK_HOME": "\(daybook.folder)/own", "DAYBOOK_RUNTIME": ""]
            let put = try await daybook.run("restore", keyed, "--with-keys", variables: apart)
            #expect(put.code == 0, "\(put.error)")
            #expect(File.read("\(own)/catalog.key_secret") == File.read("\(daybook.home)/keys/catalog.key_secret"))
            #expect(!CLI.File.exists("\(daybook.folder)/own/keys/catalog.key_secret"))
            let copied = try await daybook.run(
                "backup",
                "\(daybook.folder)/apart",
                "--with-keys",
                variables: ["DAYBOOK_KEYS": "\(daybook.folder)/own/keys"]
            )
            #expect(copied.code == 0, "\(copied.error)")
            for file in files {
                #expect(File.read("\(daybook.folder)/apart/keys/\(file)") == File.read("\(keyed)/keys/\(file)"))
            }
            // A key that is there is never replaced.
            try File.write(Array("another".utf8), to: "\(daybook.folder)/other/keys/public/ada.key")
            let again = try await daybook.run("restore", keyed, "--with-keys", "--yes", variables: home)
            #expect(again.code == 1 && again.error.contains("another key"), "\(again.error)")
        }
    }

    @Test func whatCannotBePutBackChangesNothing() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { daybook in
            try await Self.day(daybook)
            _ = try await Self.backUp(daybook, "backup")
            let folder = "\(daybook.folder)/backup"
            let running = try await daybook.run("restore", folder, "--yes")
            #expect(running.code == 1 && running.error.contains("stop it first"), "\(running.error)")
            // Also where somebody removed the files of the locks.
            try #require(try await daybook.shell("rm '\(daybook.home)'/*.lock").code == 0)
            let unlocked = try await daybook.run("restore", folder, "--yes")
            #expect(unlocked.code == 1 && unlocked.error.contains("stop it first"), "\(unlocked.error)")
            try await Self.stop(daybook)
            let store = File.read("\(daybook.home)/orders.db")
            #expect(try await daybook.run("restore", folder).code == 2, "nobody can be asked")
            var bytes = try #require(File.read("\(folder)/orders.db"))
            bytes[bytes.count / 2] ^= 1
            try File.write(bytes, to: "\(folder)/orders.db")
            let damaged = try await daybook.run("restore", folder, "--yes")
            #expect(damaged.code == 1 && damaged.error.contains("is not what was backed up"), "\(damaged.error)")
            #expect(File.read("\(daybook.home)/orders.db") == store)
            #expect(DurableFile.names(in: daybook.home).allSatisfy { !$0.contains("restor") })
            // The others can still be.
            #expect(try await daybook.run("restore", folder, "catalog", "--yes").code == 0)
        }
    }

    /// On a disk of its own, which the copy does not fit onto.
    @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
    func aFullDiskIsSaidAndTheServiceGoesOn() async throws {
        try await withDaybook { daybook in
            let script =
                "mkdir -p \"$DAYBOOK_HOME\" && mount -t tmpfs -o size=4m tmpfs \"$DAYBOOK_HOME\" && exec daybook-catalog"
            var launch = ChildProcess.Launch(program: "/usr/bin/unshare")
            launch.arguments = ["-m", "/bin/sh", "-c", script].map { Array($0.utf8) }
            launch.environment = [
                "PATH": "\(Environment.programs):/usr/bin:/bin", "DAYBOOK_HOME": daybook.home,
                "DAYBOOK_RUNTIME": daybook.runtime,
            ]
            launch.error = "\(daybook.folder)/small.log"
            launch.tellsReadiness = true
            let child = try await ChildProcess.start(launch)
            try await child.ready()
            let client = try daybook.client(timeout: .seconds(20))
            _ = try await client.send(Put(Customer(name: "before")))
            // The disk as the service has it.
            let disk = "/proc/\(child.process)/root\(daybook.home)"
            var space = statvfs()
            try #require(statvfs(disk, &space) == 0)
            let free = Int(space.f_bavail) * Int(space.f_bsize)
            try File.write([UInt8](repeating: 0, count: free - 100_000), to: "\(disk)/ballast")
            let refusal: Refusal
            do throws(ClientError) {
                _ = try await client.send(BeginBackup(backup: .make()), to: .catalog)
                Issue.record("the copy fits")
                refusal = Refusal(status: .ok, body: ErrorBody(code: "", message: ""))
            } catch {
                guard case .refused(_, let status, let body) = error else { throw error }
                refusal = Refusal(status: status, body: body)
            }
            #expect(refusal.status == .unavailable && refusal.body.message.contains("no room"), "\(refusal)")
            _ = try await client.send(Put(Customer(name: "after")))
            child.signal(SIGTERM)
            #expect(await child.ended() == .exited(0))
        }
    }
}

/// What one task leaves for others.
private actor Shelf<Value: Sendable> {
    private(set) var count = 0
    private(set) var last: Value?

    func put(_ value: Value) {
        last = value
        count += 1
    }
}
