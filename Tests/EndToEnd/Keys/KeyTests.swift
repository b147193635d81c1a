import CBOR
import Client
import Glibc
import Messages
import Support
import Testing
import ZeroMQ

/// Who may reach the services over TCP, and what they may do.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct KeyTests {
    @Test(arguments: [
        ["DAYBOOK_LISTEN": "0.0.0.0"], ["DAYBOOK_CATALOG_LISTEN": "tcp://*:17401"], ["DAYBOOK_LISTEN": "::"],
    ])
    func offLoopbackNothingListensWithoutAKey(_ variables: [String: String]) async throws {
        try await withDaybook { daybook in
            let service = try await daybook.launch(.catalog, variables)
            let error = await #expect(throws: HarnessError.self) { try await service.ready() }
            #expect(error?.description.contains("without a key") == true, "\(error?.description ?? "")")
            #expect(await service.ended() == .exited(1))
        }
    }

    @Test func atLoopbackItListensWithoutOne() async throws {
        try await withDaybook { daybook in
            let port = try Ports.free(2)
            let endpoint = "tcp://127.0.0.1:\(port)"
            try await daybook.start([.catalog], variables: ["DAYBOOK_CATALOG_LISTEN": endpoint])
            let added = try await daybook.run(
                "customers",
                "add",
                "Ada",
                variables: ["DAYBOOK_CATALOG_ENDPOINT": endpoint]
            )
            #expect(added.code == 0, "\(added.error)")
            // What a peer says of itself counts for nothing: there is no key that it could have.
            let event = try #require(
                try await daybook.client.send(ReadEvents(sequence: 0), to: .catalog).value.events.first
            )
            #expect(try event.decode(Event.self).principal == nil)
            let second = try await daybook.launch(
                .catalog,
                [
                    "DAYBOOK_CATALOG_LISTEN": endpoint, "DAYBOOK_HOME": "\(daybook.folder)/h",
                    "DAYBOOK_RUNTIME": "\(daybook.folder)/r",
                ]
            )
            let error = await #expect(throws: HarnessError.self) { try await second.ready() }
            #expect(error?.description.contains("another program listens at \(endpoint)") == true)
        }
    }

    @Test func keysAreForTheirOwnerAndNeverOverwritten() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook, ["anna": "writer"])
            let folder = town.folder
            func mode(_ path: String) -> UInt32 {
                var status = stat()
                return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
            }
            #expect([folder.path, folder.publicFolder].map(mode) == [0o700, 0o700])
            #expect([folder.secretPath("anna"), folder.publicPath("anna")].map(mode) == [0o600, 0o600])
            let before = [folder.secretPath("anna"), folder.publicPath("anna")].map(File.text)
            func isUnchanged() -> Bool {
                [folder.secretPath("anna"), folder.publicPath("anna")].map(File.text) == before
            }
            try await town.keys("new", "anna", "--role", "writer", code: 1)
            try await town.keys("new", "anna", "--role", "reader", "--missing")
            #expect(isUnchanged())
            // Cut off between the two halves: the one that is there is kept.
            unlink(folder.publicPath("anna"))
            try await town.keys("new", "anna", "--role", "reader", code: 1)
            try await town.keys("new", "anna", "--role", "writer")
            #expect(isUnchanged())
            // At the same moment: one is made, by one of them.
            let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await daybook.run("keys", "new", "otto", "--role", "reader").code }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.sorted() == [0, 1, 1, 1, 1, 1, 1, 1])
            #expect(try folder.pair("otto").publicKey == folder.publicFile("otto").publicKey)
            for name in ["", "../anna", ".anna", "a b"] {
                try await town.keys("new", "'\(name)'", "--role", "reader", code: 2)
            }
            for name in ["catalog", "nobody"] { #expect(try await daybook.run("keys", "revoke", name).code != 0) }
            let names = try KeyFolder.names(in: folder.publicFolder)
            #expect(names == ["anna", "catalog", "orders", "otto", "reporting", "walks"])
        }
    }

    /// Each service has a folder with its own secret and everybody's public halves, as in containers; whoever keeps the keys
    /// has them all, and can change them.
    @Test func aServiceNeedsItsOwnSecretAlone() async throws {
        try await withDaybook { daybook in
            let town = try Town(withoutKeys: daybook)
            let keys = town.folder.path
            for service in ServiceName.all {
                let own = "\(daybook.folder)/\(service)"
                let made = try await daybook.shell(
                    "mkdir -p -m 700 '\(town.folder.secretFolder)/\(service)' '\(own)/secret'"
                )
                try #require(made.code == 0, "\(made.error)")
                try #require(symlink("\(keys)/public", "\(own)/public") == 0)
                try #require(symlink("\(town.folder.secretFolder)/\(service)", "\(own)/secret/\(service)") == 0)
            }
            try await town.keys("new", "catalog", "orders", "reporting", "walks", "keeper", "--role", "service")
            for service in ServiceName.all {
                #expect(File.exists("\(town.folder.secretFolder)/\(service)/\(service).key_secret"))
                #expect(!File.exists("\(keys)/\(service).key_secret"))
                let variables = town.variables().merging(["DAYBOOK_KEYS": "\(daybook.folder)/\(service)"]) { $1 }
                try await daybook.start([service], variables: variables)
            }
            let before = try town.folder.publicFile("catalog").publicKey
            let rotated = try await daybook.run("keys", "rotate", "catalog", variables: town.reach("keeper"))
            #expect(rotated.code == 0, "\(rotated.error)")
            #expect(rotated.text.contains("in force at catalog, orders, reporting, walks"), "\(rotated.text)")
            #expect(try town.folder.pair("catalog").publicKey != before)
            let client = try town.client("keeper", timeout: .seconds(30))
            let customer = try await client.send(Put(Customer(name: "Ada"))).value
            _ = try await client.send(Put(Order.of(customer, 100)))
        }
    }

    /// As in containers, where public halves are in a volume of their own; and a revocation that was cut off is ended.
    @Test func aKeyIsRevokedAcrossDisks() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            let made = try await daybook.shell("mktemp -d /dev/shm/daybook-XXXXXX")
            let other = try #require(made.lines.first, "\(made.error)")
            defer {
                for name in File.names(in: other) { unlink("\(other)/\(name)") }
                rmdir(other)
            }
            try #require(symlink(other, town.folder.revokedFolder) == 0)
            let before = File.text(town.folder.publicPath("anna"))
            try await town.keys("revoke", "anna", code: 3)
            #expect(!File.exists(town.folder.publicPath("anna")))
            #expect(File.text(town.folder.revokedPath("anna")) == before && File.exists("\(other)/anna.key"))
            try File.write(Array(before.utf8), to: town.folder.publicPath("anna"))
            try await town.keys("revoke", "anna", code: 3)
            #expect(!File.exists(town.folder.publicPath("anna")))
            #expect(File.text(town.folder.revokedPath("anna")) == before)
        }
    }

    @Test(arguments: ["foreign", "open", "half"]) func aKeyThatCantBeUsedIsSaid(_ what: String) async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook, [:])
            let path = town.folder.secretPath("catalog")
            switch what {
            case "foreign": try File.write(try #require(File.read(town.folder.secretPath("orders"))), to: path)
            case "open": chmod(path, 0o644)
            default:
                let other = KeyFile(name: "catalog", role: .service, pair: try CurveKeyPair.generate())
                try File.write(Array(other.text.utf8), to: path)
            }
            let service = try await daybook.launch(.catalog, town.variables())
            let error = await #expect(throws: HarnessError.self) { try await service.ready() }
            #expect(error?.description.contains(path) == true, "\(error?.description ?? "")")
        }
    }

    @Test func aStrangerIsTurnedAwayAndSaidSo() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog)
            // Another machine, whose folder has a key that nobody allowed here.
            let elsewhere = KeyFolder(path: "\(daybook.folder)/elsewhere")
            _ = try await daybook.shell(
                "daybook keys new eve --role writer && cp \(town.folder.publicPath("catalog")) \(elsewhere.publicFolder)/",
                variables: ["DAYBOOK_KEYS": elsewhere.path]
            )
            let start = ContinuousClock.now
            let refused = await Self.failure(of: try town.client("eve", in: elsewhere))
            guard case .handshake(.catalog, _, .refused("eve")) = refused else {
                Issue.record("not refused: \(String(describing: refused))")
                return
            }
            guard case .handshake(.catalog, _, .noCommonGround(nil)) = await Self.failure(of: try town.client(nil))
            else {
                Issue.record("let in without a key")
                return
            }
            // Said at once, long before the budget is over.
            #expect(ContinuousClock.now - start < .promised(seconds: 5))
            let missing = await Self.failure(of: try town.client("nobody"))
            guard case .key(.missing(town.folder.secretPath("nobody"))) = missing else {
                Issue.record("not missing: \(String(describing: missing))")
                return
            }
            // The service's key is another than the one that is known.
            try File.write(
                Array(
                    KeyFile(name: "catalog", role: .service, publicKey: try CurveKeyPair.generate().publicKey).text.utf8
                ),
                to: elsewhere.publicPath("catalog")
            )
            chmod(elsewhere.publicPath("catalog"), 0o600)
            let unfinished = await Self.failure(of: try town.client("eve", in: elsewhere, timeout: .seconds(1)))
            guard case .handshake(.catalog, _, .unfinished) = unfinished else {
                Issue.record("not unfinished: \(String(describing: unfinished))")
                return
            }
            let said = try await daybook.run(
                "customers",
                "list",
                variables: town.reach("eve").merging(["DAYBOOK_KEYS": elsewhere.path, "DAYBOOK_TIMEOUT": "1"]) { $1 }
            )
            #expect(said.code == 3 && said.text.isEmpty && said.error.contains(elsewhere.publicPath("catalog")))
            #expect(try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence == 0)
        }
    }

    private static func failure(of client: DaybookClient) async -> ClientError? {
        do throws(ClientError) {
            _ = try await client.send(Put(Customer(name: "Eve")))
            return nil
        } catch {
            return error
        }
    }

    @Test func aReaderReadsAndChangesNothing() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook)
            try await town.start(.catalog)
            let (anna, rita) = (try town.client("anna"), try town.client("rita"))
            let customer = try await anna.send(Put(Customer(name: "Ada"))).value
            #expect(try await rita.send(Get<Customer>(id: customer.id)).value == customer)
            #expect(try await rita.all(Customer.self) == [customer])
            #expect(try await rita.send(ReadEvents(sequence: 0), to: .catalog).value.events.count == 1)
            let refusal = try await rita.refusal(of: Put(Customer(name: "Eve")))
            #expect(refusal.status == .notAllowed)
            #expect(refusal.body.message == "the key 'rita' is a reader's, and customer.put needs a writer's")
            #expect(try await rita.refusal(of: Delete<Customer>(id: customer.id)).status == .notAllowed)
            #expect(try await anna.refusal(of: ReadKeys(), to: .catalog).status == .notAllowed)
            let keeper = try town.client("orders")
            let keys = try await keeper.send(ReadKeys(), to: .catalog).value
            #expect(keys.own == (try town.folder.publicFile("catalog").publicKey))
            #expect(keys.keys.map(\.name) == ["anna", "catalog", "orders", "reporting", "rita", "walks"])
            let command = try await daybook.run("customers", "add", "Eve", variables: town.reach("rita"))
            #expect(command.code == 1 && command.text.isEmpty && command.error.contains("'rita' is a reader's"))
            #expect(try await daybook.client.send(StatusRequest(), to: .catalog).value.sequence == 1)
        }
    }

    @Test func everyEventNamesTheKeyOfItsChange() async throws {
        try await withDaybook { daybook in
            let town = try await Town(daybook, ["anna": "writer", "otto": "writer"])
            try await town.start(.catalog)
            let key = Identifier.make()
            for name in ["anna", "otto"] { _ = try await town.client(name).send(Put(Customer(name: name))) }
            _ = try await daybook.client.send(Put(Customer(name: "local")))
            let events = try await daybook.client.send(ReadEvents(sequence: 0), to: .catalog).value.events
            #expect(try events.map { try $0.decode(Event.self).principal } == ["anna", "otto", nil])
            // A key that makes a repetition safe is its owner's alone.
            let customer = Customer(name: "Ada")
            _ = try await town.client("anna").send(Put(customer), key: key)
            #expect(try await town.client("otto").refusal(of: Put(customer), key: key).status == .keyReused)
            #expect(try await town.client("anna").send(Put(customer), key: key).replayed)
        }
    }

    /// One line that names the place, and nothing else, within the time that was given.
    @Test func aPortThatNobodyListensAtIsSaid() async throws {
        try await withDaybook { daybook in
            let endpoint = "tcp://127.0.0.1:\(try Ports.free(2))"
            let start = ContinuousClock.now
            let output = try await daybook.run(
                "customers",
                "list",
                "--timeout",
                "2",
                variables: ["DAYBOOK_CATALOG_ENDPOINT": endpoint]
            )
            #expect(ContinuousClock.now - start < .promised(seconds: 4))
            #expect(output.code == 3 && output.text.isEmpty)
            #expect(output.error.contains(endpoint) && output.error.split(separator: "\n").count == 1)
            let child = try await daybook.start(
                program: "\(Environment.programs)/daybook",
                ["customers", "list"],
                ["DAYBOOK_CATALOG_ENDPOINT": endpoint]
            )
            child.signal(SIGINT)
            let signalled = ContinuousClock.now
            #expect(await child.ended() != .exited(0))
            #expect(try #require(child.endedAt) - signalled < .promised(seconds: 1))
        }
    }
}
