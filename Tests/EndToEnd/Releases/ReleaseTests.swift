import CBOR
import Client
import Messages
import Store
import Support
import Testing

@testable import CLI

// The command has types of these names, too.
private typealias Daybook = Support.Daybook
private typealias File = Support.File

/// What releases left is served by this one as if it were its own.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReleaseTests {
    private static let all = ServiceName.all

    private static func start(_ release: KeptRelease, _ daybook: Daybook) async throws {
        try await release.unpack(into: daybook.home)
        try await daybook.start(all)
    }

    private static func stop(_ daybook: Daybook) async throws {
        for service in all { try await daybook.stop(service) }
    }

    @Test func thisReleaseHasLeftItsStores() {
        let isInDevelopment = Release.version.hasSuffix("-dev")
        #expect(
            KeptRelease.all.contains { $0.version == Release.version } != isInDevelopment,
            "deploy/release makes them"
        )
    }

    @Test(arguments: KeptRelease.all)
    func answersAsItDid(_ release: KeptRelease) async throws {
        try await withDaybook { daybook in
            try await Self.start(release, daybook)
            let asked = try await daybook.shell(
                "'\(KeptRelease.folder)/ask' < '\(release.answersFile)'",
                limit: .seconds(240)
            )
            try #require(asked.code == 0, "\(asked.error)")
            let expected = try Answers(File.text(release.answersFile))
            #expect(expected.all.count > 30)
            #expect(try Answers(asked.text).differences(from: expected) == [])
        }
    }

    /// The log is whole and as it was told; a subscriber's place in it stays one, and what is entered comes behind it.
    @Test(arguments: KeptRelease.all)
    func theLogGoesOn(_ release: KeptRelease) async throws {
        try await withDaybook { daybook in
            try await Self.start(release, daybook)
            let verified = try await daybook.run(
                "verify",
                "--format",
                "csv",
                "--fields",
                "service,differences,dangling"
            )
            #expect(verified.code == 0, "\(verified.text)\(verified.error)")
            #expect(verified.lines.dropFirst() == ["catalog,0,0", "orders,0,0", "reporting,0,0", "walks,0,0"])
            let customer = try #require(try await daybook.client.all(Customer.self).first)
            let changes: [(ServiceName, () async throws -> Void)] = [
                (.catalog, { _ = try await daybook.client.send(Put(Customer(name: "Late"))) }),
                (.orders, { _ = try await daybook.client.send(Put(Order.of(customer, 700))) }),
                (.walks, { _ = try await daybook.client.send(Put(Dog(name: "Late", owner: customer.id))) }),
            ]
            for (service, change) in changes {
                let head = try await daybook.client.head(of: service)
                let end = try Self.lastEvent(of: service, in: "\(daybook.home)/\(service).db")
                #expect(head.sequence == end.sequence && head.chain == end.chain)
                try await change()
                var updates = daybook.client.events(from: head, of: service, follow: false).makeAsyncIterator()
                guard case .transaction(let transaction)? = try await updates.next() else {
                    Issue.record("\(service) does not go on from \(head)")
                    continue
                }
                #expect(transaction.events.map(\.sequence) == [head.sequence + 1])
            }
            let order = try await daybook.client.send(List<Order>(limit: 1)).value.rows
            #expect(order.count == 1)
        }
    }

    /// A schema that a release has shipped is changed by a further migration alone, of which the copy from before is kept.
    @Test(arguments: KeptRelease.all)
    func itsStoresGetTheSchemaOfNewOnes(_ release: KeptRelease) async throws {
        try await withDaybook { daybook in
            let fresh = "\(daybook.folder)/fresh"
            try await daybook.start(Self.all, variables: ["DAYBOOK_HOME": fresh])
            try await Self.stop(daybook)
            try await release.unpack(into: daybook.home)
            let before = try Self.all.map { try Self.version(of: "\(daybook.home)/\($0).db") }
            try await daybook.start(Self.all)
            try await Self.stop(daybook)
            for (service, then) in zip(Self.all, before) {
                let store = "\(daybook.home)/\(service).db"
                #expect(try Self.schema(of: store) == Self.schema(of: "\(fresh)/\(service).db"))
                let now = try Self.version(of: store)
                #expect(try now == Self.version(of: "\(fresh)/\(service).db"))
                let copies = File.names(in: daybook.home).filter { $0.hasPrefix("\(service).db.before-") }
                #expect(copies == (then < now ? ["\(service).db.before-\(now)"] : []))
                for copy in copies { #expect(try Self.version(of: "\(daybook.home)/\(copy)") == then) }
            }
        }
    }

    /// Each request as the release's clients send it is understood, by the service that answered it then.
    @Test(arguments: KeptRelease.all)
    func requestsOfItsClientsAreAnswered(_ release: KeptRelease) async throws {
        let requests = try release.goldenBytes().filter { $0.rule.hasSuffix("-request") }
        #expect(requests.count > 60)
        try await withDaybook { daybook in
            try await Self.start(release, daybook)
            var unknown: [String: Int] = [:]
            for service in Self.all {
                let answers = try await RawSocket.connected(to: daybook.endpoints(service).requests) { socket in
                    try requests.map { request in
                        let operation = String(request.rule.dropLast("-request".count))
                        let header = RequestHeader(id: 1, operation: operation, key: .make(), timeout: 2000)
                        return try socket.ask([try CBOREncoder().encode(header), request.bytes], within: .seconds(30))
                    }
                }
                for (request, answer) in zip(requests, answers) {
                    let (header, body) = try #require(answer, "\(request.rule) was not answered by \(service)")
                    switch header.status {
                    case .ok: break
                    case .unknownOperation: unknown[request.rule, default: 0] += 1
                    default:
                        let error = try CBORDecoder(profile: .wire).decode(ErrorBody.self, from: body)
                        #expect(
                            error.code != "malformed" && header.status != .internal,
                            "\(request.rule): \(error.message)"
                        )
                    }
                }
            }
            #expect(unknown.filter { $0.value == Self.all.count }.isEmpty, "no service knows these")
        }
    }

    // MARK: Stores, read as they lie there

    private static func version(of path: String) throws -> Int64 {
        try Store.reader(path: path).first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }

    private static func lastEvent(of service: ServiceName, in path: String) throws -> (sequence: Int64, chain: UInt64) {
        let sql = "SELECT sequence, chain FROM event ORDER BY sequence DESC LIMIT 1"
        return try #require(try Store.reader(path: path).first(sql) { ($0.integer(0), $0.bits(1)) })
    }

    /// Tables by their columns, whose order does not matter, and everything else by its text.
    private static func schema(of path: String) throws -> [String] {
        let sql = """
            SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk || ' ' || c.hidden
                || ' ' || coalesce(c.dflt_value, '-')
            FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c WHERE t.type = 'table'
            UNION ALL SELECT t.name || ' refers to ' || k."table" || ' ' || k."from" || ' ' || k.on_delete
            FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k WHERE t.type = 'table'
            UNION ALL SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
            WHERE type <> 'table' OR sql LIKE 'CREATE VIRTUAL%'
            ORDER BY 1
            """
        var lines: [String] = []
        try Store.reader(path: path).query(sql) { lines.append($0.text(0)) }
        return lines
    }
}
