import Client
import Glibc
import Messages
import Support
import Testing

/// A service dies at every place that is marked in the code: what was acknowledged is there afterwards, once, it was told
/// once, and what others keep of it is what they would make of it anew.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FailpointTests {
    /// Where commands are decided, stored, answered and told.
    static let deciding = [
        "commit.before", "commit.after", "reply.before", "reply.between", "publish.before", "publish.between",
        "publish.after",
    ]
    /// Where another service's events are applied.
    static let following = ["apply.before", "cursor.before", "cursor.after", "apply.after"]
    /// At a stop by SIGTERM.
    static let stopping = ["stop.before", "stop.closed"]
    /// Where a store is made or opened.
    static let starting = ["migrate.between", "migrate.after", "restore.before"]
    /// In quiet moments.
    static let tidying = [
        "checkpoint.before", "checkpoint.after", "trim.between", "rewrite.before", "rewrite.after", "cut.after",
    ]
    static let copying = ["copy.between", "backup.between", "backup.copied"]
    static let importing = ["import.between", "import.after", "archive.between"]
    static let listening = ["revoke.closed", "rotate.closed"]
    /// Tested at the store itself: ``StoreTests/FailpointTests``.
    static let elsewhere = ["migrate.copied"]

    /// A failpoint that no test dies at would be a promise that nobody checks.
    @Test func everyFailpointIsTested() throws {
        let tested =
            Self.deciding + Self.following + Self.stopping + Self.starting + Self.tidying + Self.copying
            + Self.importing + Self.listening + Self.elsewhere
        #expect(Set(tested).count == tested.count)
        var marked: [String] = []
        for folder in ["Services", "Shared"] {
            for path in File.all(below: "\(Environment.checkout)/\(folder)") where path.hasSuffix(".swift") {
                for part in File.text(path).split(separator: "failpoint(\"").dropFirst() {
                    marked.append(String(part.prefix { $0 != "\"" }))
                }
            }
        }
        #expect(!marked.isEmpty && marked.sorted() == tested.sorted())
    }

    /// How often each place is tried.
    private static let rounds = Environment["DAYBOOK_LONG"] == nil ? 1 : 20

    /// Starts a service that will die at this pass of the place.
    private func start(
        _ service: ServiceName,
        _ daybook: Daybook,
        at point: String,
        pass: Int = 1,
        variables: [String: String] = [:]
    ) async throws {
        var variables = variables
        variables["DAYBOOK_FAILPOINTS"] = "\(point)=kill@\(pass)"
        try await daybook.start([service], variables: variables)
    }

    /// Waits until the service has died there.
    private func expectDeath(
        of service: ServiceName,
        _ daybook: Daybook,
        at point: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let ending = await (try daybook.service(service)).ended(within: .seconds(60))
        #expect(ending == .signalled(SIGKILL), "\(point)", sourceLocation: sourceLocation)
        let log = File.text("\(daybook.folder)/\(service).log")
        #expect(log.contains("failpoint \(point): kill"), sourceLocation: sourceLocation)
    }

    /// The service is stopped, started, dies in the middle of the traffic, is started again, and the traffic goes on.
    private func die(
        _ service: ServiceName,
        _ daybook: Daybook,
        at point: String,
        pass: Int,
        _ traffic: Traffic
    ) async throws {
        try await daybook.stop(service)
        try await start(service, daybook, at: point, pass: pass)
        let child = try daybook.service(service)
        async let working: Void = traffic.run { child.endedAt != nil }
        try await expectDeath(of: service, daybook, at: point)
        try await daybook.start(service)
        try await working
        try await traffic.run(commands: 16)
    }

    @Test func whereCommandsAreDecided() async throws {
        var random = SeededGenerator("passes of failpoints")
        let passes = (0..<Self.rounds).flatMap { _ in
            Self.deciding.map { ($0, Int.random(in: 1...8, using: &random)) }
        }
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let traffic = try Traffic(daybook)
            for (number, (point, pass)) in passes.enumerated() {
                // Several runs of events in one group, and ones of different kinds, are only Catalog's.
                let service: ServiceName = point == "publish.between" || number % 2 == 0 ? .catalog : .orders
                try await die(service, daybook, at: point, pass: pass, traffic)
                try await traffic.check()
            }
            try await traffic.check([.orders: [.catalog], .catalog: [.orders], .reporting: [.catalog, .orders]])
        }
    }

    @Test(arguments: [ServiceName.orders, .reporting])
    func whereOthersAreFollowed(_ service: ServiceName) async throws {
        var random = SeededGenerator("passes of failpoints")
        let passes = (0..<Self.rounds).flatMap { _ in
            Self.following.map { ($0, Int.random(in: 1...8, using: &random)) }
        }
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let traffic = try Traffic(daybook)
            let sources: [ServiceName] = service == .orders ? [.catalog] : [.catalog, .orders]
            for (point, pass) in passes {
                try await die(service, daybook, at: point, pass: pass, traffic)
                try await traffic.check([service: sources])
            }
        }
    }

    @Test func whereItIsStopped() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let traffic = try Traffic(daybook)
            for point in Self.stopping {
                try await daybook.stop(.orders)
                try await start(.orders, daybook, at: point)
                let child = try daybook.service(.orders)
                async let working: Void = traffic.run { child.endedAt != nil }
                while traffic.done < 20 { try await Task.sleep(for: .milliseconds(5)) }
                child.signal(SIGTERM)
                try await expectDeath(of: .orders, daybook, at: point)
                try await daybook.start(.orders)
                try await working
                try await traffic.check([.orders: [.catalog]])
            }
        }
    }

    @Test func whereAStoreIsMadeOrOpened() async throws {
        try await withDaybook { daybook in
            func dies(at point: String) async throws {
                let child = try await daybook.launch(.catalog, ["DAYBOOK_FAILPOINTS": "\(point)=kill"])
                #expect(await child.ended() == .signalled(SIGKILL), "\(point)")
            }
            try await dies(at: "migrate.between")
            try await dies(at: "migrate.after")
            try await daybook.start(.catalog, .orders)
            let traffic = try Traffic(daybook)
            try await traffic.run(commands: 20)
            let before = try await daybook.client.head(of: .catalog)
            // Put back from a copy: the log has another name from then on, also where it dies before it has heeded that.
            try await daybook.stop(.catalog)
            try File.write([], to: "\(daybook.home)/catalog.db.restored")
            try await dies(at: "restore.before")
            try await daybook.start(.catalog)
            #expect(!File.exists("\(daybook.home)/catalog.db.restored"))
            #expect(try await daybook.client.head(of: .catalog).epoch != before.epoch)
            try await traffic.run(commands: 20)
            try await traffic.check([.orders: [.catalog]])
        }
    }

    @Test func whereTheStoreIsTidied() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let client = try daybook.client(timeout: .seconds(100))
            let traffic = try Traffic(daybook)
            for point in ["checkpoint.before", "checkpoint.after"] {
                try await traffic.run(commands: 10)
                try await daybook.stop(.orders)
                try await start(.orders, daybook, at: point)
                // In a quiet moment the write-ahead log is cut once it has a megabyte.
                for _ in 0..<16 {
                    var order = try Order.of(nil, 1)
                    order.rows = (0..<200).map { OrderRow(text: String(repeating: "long ", count: 38), sum: $0) }
                    let id = try await client.send(Put(order)).value.id
                    _ = try await client.send(Delete<Order>(id: id))
                }
                try await expectDeath(of: .orders, daybook, at: point)
                try await daybook.start(.orders)
            }
            try await traffic.run(commands: 20)
            for point in ["rewrite.before", "rewrite.after", "cut.after"] {
                try await daybook.stop(.catalog)
                try await start(.catalog, daybook, at: point)
                let name = "Hjalmar Quist \(point)"
                let customer = try await client.send(Put(Customer(name: name))).value
                let erased = try await daybook.run("customers", "erase", customer.id.description, "--yes")
                #expect(erased.code == 0, "\(erased.error)")
                try await expectDeath(of: .catalog, daybook, at: point)
                try await daybook.start(.catalog)
                while try await client.send(StatusRequest(), to: .catalog).value.erasing == true {
                    try await Task.sleep(for: .milliseconds(20))
                }
                for suffix in ["db", "db-wal"] {
                    let bytes = File.read("\(daybook.home)/catalog.\(suffix)") ?? []
                    #expect(bytes.firstRange(of: Array(name.utf8)) == nil, "\(point): \(suffix)")
                }
                let found = try await client.send(VerifyLog(), to: .catalog).value
                #expect(found.differences == 0, "\(found.examples)")
            }
        }
    }

    /// A log is trimmed, and whoever missed its beginning makes what it keeps from snapshots.
    @Test func whereItIsTrimmedAndCopied() async throws {
        try await withDaybook(.catalog, .orders, .reporting) { daybook in
            let traffic = try Traffic(daybook)
            try await traffic.run(commands: 200)
            try await daybook.stop(.catalog, .reporting)
            let keeps = ["DAYBOOK_KEEP_EVENTS": "1kB"]
            try await start(.catalog, daybook, at: "trim.between", variables: keeps)
            try await expectDeath(of: .catalog, daybook, at: "trim.between")
            try await daybook.start([.catalog], variables: keeps)
            while try await daybook.client.send(VerifyLog(), to: .catalog).value.floor < 40 {
                try await Task.sleep(for: .milliseconds(20))
            }
            unlink("\(daybook.home)/reporting.db")
            try await start(.reporting, daybook, at: "copy.between", pass: 2)
            try await expectDeath(of: .reporting, daybook, at: "copy.between")
            try await daybook.start(.reporting)
            try await traffic.run(commands: 20)
            try await traffic.check([.orders: [.catalog], .reporting: [.catalog, .orders]])
        }
    }

    @Test func whereAStoreIsCopied() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let traffic = try Traffic(daybook)
            try await traffic.run(commands: 50)
            let client = try daybook.client(timeout: .seconds(100))
            for point in ["backup.between", "backup.copied"] {
                try await daybook.stop(.orders)
                try await start(.orders, daybook, at: point)
                async let begun = client.send(BeginBackup(backup: .make(), within: [:]), to: .orders)
                try await expectDeath(of: .orders, daybook, at: point)
                try await daybook.start(.orders)
                #expect(try await begun.value.bytes > 0)
                let left = File.all(below: daybook.home).filter { $0.contains(".copy-") }
                #expect(left.isEmpty, "\(left)")
            }
            try await traffic.run(commands: 20)
            try await traffic.check()
        }
    }

    @Test func whereAnImportIsTaken() async throws {
        try await withDaybook(.catalog, .orders) { daybook in
            let rows = (0..<300).map { "c\($0)\n" }.joined()
            let file = "\(daybook.folder)/customers.csv"
            try File.write(Array(("name\n" + rows).utf8), to: file)
            for (point, pass) in [("import.between", 250), ("import.after", 1)] {
                try await daybook.stop(.catalog)
                try await start(.catalog, daybook, at: point, pass: pass)
                async let first = daybook.run("import", "customers", file, "--timeout", "2")
                try await expectDeath(of: .catalog, daybook, at: point)
                try await daybook.start(.catalog)
                // Within its time or not: nothing is there, or all of it.
                _ = try await first
                let count = try await daybook.client.all(Customer.self).count
                #expect(count == 0 || count == 300)
            }
            let again = try await daybook.run("import", "customers", file)
            #expect(again.code == 0, "\(again.error)")
            #expect(try await daybook.client.all(Customer.self).count == 300)
            let found = try await daybook.client.send(VerifyLog(), to: .catalog).value
            #expect(found.differences == 0 && found.events == 300, "\(found.examples)")
        }
    }

    @Test func whereAnArchiveIsLoaded() async throws {
        try await withDaybook(.catalog, .orders, .reporting, .walks) { first in
            let traffic = try Traffic(first)
            try await traffic.run(commands: 60)
            let path = "\(first.folder)/business.tar"
            let exported = try await first.run("export", "--all", path)
            #expect(exported.code == 0, "\(exported.error)")
            let sequence = try await first.client.send(StatusRequest(), to: .catalog).value.sequence
            try await withDaybook(.orders, .walks) { second in
                try await start(.catalog, second, at: "archive.between", pass: 30)
                async let run = second.run("import", "--all", path, "--timeout", "2")
                try await expectDeath(of: .catalog, second, at: "archive.between")
                try await second.start(.catalog)
                _ = try await run
                let head = try await second.client.send(StatusRequest(), to: .catalog).value.sequence
                #expect(head == 0 || head == sequence)
                let again = try await second.run("import", "--all", path)
                #expect(again.code == 0, "\(again.error)")
                for service in [ServiceName.catalog, .orders, .walks] {
                    let found = try await second.client.send(VerifyLog(), to: service).value
                    #expect(found.differences == 0, "\(found.examples)")
                }
                #expect(try await second.client.send(StatusRequest(), to: .catalog).value.sequence == sequence)
            }
        }
    }

    /// Between the close of sockets and their next bind, when keys change.
    @Test func whereItListensAnew() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            for (point, command) in [("revoke.closed", ["revoke", "rita"]), ("rotate.closed", ["rotate", "catalog"])] {
                try await start(.catalog, daybook, at: point, variables: town.variables())
                let before = try await town.client("anna").send(Put(Customer(name: point))).value
                // Whether the command hears of it or not, the files are what counts.
                _ = try await daybook.shell("daybook keys \(command.joined(separator: " ")) --timeout 1")
                try await expectDeath(of: .catalog, daybook, at: point)
                try await town.start(.catalog)
                let anna = try town.client("anna")
                #expect(try await anna.send(Get<Customer>(id: before.id)).value.name == point)
                try await daybook.stop(.catalog)
            }
        }
    }
}
