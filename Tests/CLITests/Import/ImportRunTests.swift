import Client
import Messages
import Testing

@testable import CLI

struct ImportRunTests {
    private let key = Identifier("018e95c2-4f00-7a31-9c2e-5b0d8f1a6e47")!

    private func customers(_ count: Int) -> [ImportItem<Customer>] {
        (0..<count).map { ImportItem(record: Customer(id: .test(UInt64($0)), name: "Ann"), line: $0 + 2) }
    }

    private func batches() throws -> [ImportBatch] {
        var catalog = ImportBatch(.catalog, of: .test(0xba))
        try catalog.add(customers(3))
        var orders = ImportBatch(.orders, of: .test(0xba))
        try orders.add([ImportItem(record: Sample.order(), line: 2)])
        return [catalog, orders]
    }

    private func desk(refusing refused: ServiceName? = nil) -> Desk {
        Desk { (request) throws(CLIError) in
            switch request {
            case is StatusRequest: return Self.status
            case is ImportStage: return Empty()
            case let commit as ImportCommit:
                let isCatalog = commit.batch == ImportBatch(.catalog, of: .test(0xba)).id
                if commit.dryRun != true, refused == (isCatalog ? .catalog : .orders) {
                    throw Desk.refusal(.unavailable, "it is down")
                }
                let counts = isCatalog ? ["customer": ImportCounts(created: 3)] : ["order": ImportCounts(created: 1)]
                return ImportCommit.Reply(counts: counts)
            default: throw Desk.refusal(.unknownOperation)
            }
        }
    }

    private static let status = ServiceStatus(
        service: .catalog,
        version: "1",
        epoch: .test(1),
        run: .test(1),
        sequence: 0,
        storeBytes: 0,
        uptime: 0,
        process: 1,
        sources: []
    )

    @Test func storesNothingBeforeEveryServiceHasChecked() async throws {
        let desk = desk()
        let daybook = try Invocation(asking: desk, try Capture().presentation())
        var run = ImportRun(try batches(), key: nil, by: daybook)
        let planned = try await run.prepare()
        #expect(planned.map(\.entity) == ["customer", "order"])
        let commits = desk.requests.compactMap { $0 as? ImportCommit }
        #expect(commits.map(\.dryRun) == [true, true])
        #expect(desk.requests.suffix(2).allSatisfy { $0 is ImportCommit })
        #expect(try await run.store() == planned)
        #expect(desk.requests.suffix(2).compactMap { ($0 as? ImportCommit)?.dryRun } == [])
        // Catalog's before Orders'.
        #expect(desk.requests.suffix(2).map { ($0 as? ImportCommit)?.batch } == commits.map(\.batch))
    }

    @Test func saysWhatIsStoredWhereALaterPartFails() async throws {
        let daybook = try Invocation(asking: desk(refusing: .orders), try Capture().presentation())
        var run = ImportRun(try batches(), key: nil, by: daybook)
        _ = try await run.prepare()
        let error = await #expect(throws: CLIError.self) { try await run.store() }
        #expect(error?.processStatus == .failure)
        #expect(
            error?.description
                == "3 customers are stored; the part of orders is not: it is down. The same command finishes it."
        )
    }

    @Test func passesOnARefusalBeforeAnythingIsStored() async throws {
        let daybook = try Invocation(asking: desk(refusing: .catalog), try Capture().presentation())
        var run = ImportRun(try batches(), key: nil, by: daybook)
        _ = try await run.prepare()
        let error = await #expect(throws: CLIError.self) { try await run.store() }
        #expect(error?.description == "it is down")
        #expect(error?.processStatus == .unreachable)
    }

    @Test func makesAllKeysOfTheGivenOne() async throws {
        var keys: [[Identifier?]] = []
        for _ in 0..<2 {
            let desk = desk()
            let daybook = try Invocation(asking: desk, try Capture().presentation())
            var run = ImportRun(try batches(), key: key, by: daybook)
            _ = try await run.prepare()
            _ = try await run.store()
            keys.append(desk.keys)
        }
        #expect(keys[0] == keys[1])
        let sent = keys[0].compactMap(\.self)
        #expect(Set(sent).count == 6 && sent.count == 6)
    }

    @Test func cutsLargeBatchesIntoChunks() throws {
        var batch = ImportBatch(.catalog, of: .test(1))
        try batch.add(customers(20_000))
        #expect(batch.count == 20_000)
        #expect(batch.chunks.count > 2)
        #expect(batch.chunks.allSatisfy { $0.bytes <= ImportBatch.chunkBytes && !$0.items.isEmpty })
        #expect(batch.chunks.reduce(0) { $0 + $1.items.count } == 20_000)
    }

    @Test(arguments: [
        ([93, 0, 0], [77, 0, 0], "imported 93 customers, 77 services"),
        ([0, 0, 93], [0, 0, 1], "nothing changed: 93 customers, 1 service are already there"),
        ([1, 2, 3], [0, 0, 1], "imported 1 customer; changed 2 customers; 3 customers, 1 service are already there"),
    ])
    func tellsWhatItDid(customers: [Int], services: [Int], sentence: String) {
        let summary = [("customer", customers), ("service", services)].map { entity, counts in
            ImportSummary(
                entity: entity,
                counts: ImportCounts(created: counts[0], updated: counts[1], unchanged: counts[2])
            )
        }
        #expect(ImportSentence.done(summary) == sentence)
    }

    @Test func drawsABarWithoutEscapes() {
        #expect(ImportProgress.line(done: 0, of: 4, "uploading") == "[--------------------]   0%  uploading")
        #expect(ImportProgress.line(done: 2, of: 4, "storing") == "[##########----------]  50%  storing")
        #expect(ImportProgress.line(done: 5, of: 4, "storing") == "[####################] 100%  storing")
    }

    /// Ids of imports that were made must be found again by every later version.
    @Test func keepsTheIdsOfImportedRecords() {
        let id = Identifier.imported("customer", "ALFKI")
        #expect(id.version == 8)
        #expect(id.low >> 62 == 0b10)
        #expect(id.description == "7e7e6b2c-6763-8181-a9ac-9b0edc7f4678")
        #expect(Identifier.imported("service", "ALFKI") != id)
        #expect(Identifier.imported("order-row", "1", "23") != .imported("order-row", "12", "3"))
    }
}
