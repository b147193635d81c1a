import Messages
import Testing

@testable import CLI

struct BackupTests {
    private func status(_ service: ServiceName, _ sources: [ServiceName]) -> ServiceStatus {
        ServiceStatus(
            service: service,
            version: "0",
            epoch: .make(),
            run: .make(),
            sequence: 0,
            storeBytes: 0,
            uptime: 0,
            process: 1,
            sources: sources.map { SourceStatus(service: $0, state: .live, sequence: 0) }
        )
    }

    @Test func whoeverFollowsOthersIsCopiedFirst() {
        let statuses = [
            status(.catalog, [.orders]), status(.orders, [.catalog]), status(.reporting, [.catalog, .orders, .walks]),
            status(.walks, [.catalog]),
        ]
        #expect(Invocation.followersFirst(statuses) == [.reporting, .walks, .orders, .catalog])
        #expect(Invocation.followersFirst([status(.orders, [.catalog]), status(.catalog, [])]) == [.orders, .catalog])
        // A ring of more than two ends, too.
        let ring = [status(.catalog, [.orders]), status(.orders, [.walks]), status(.walks, [.catalog])]
        #expect(Set(Invocation.followersFirst(ring)) == [.catalog, .orders, .walks])
        #expect(Invocation.followersFirst([]) == [])
    }

    @Test func aManifestIsReadAsItWasWritten() throws {
        let (first, second) = (Identifier.make(), Identifier.make())
        let store = BackupManifest.Store(
            service: .orders,
            file: "orders.db",
            bytes: 155_648,
            hash: String(repeating: "0f", count: 32),
            position: Position(epoch: first, sequence: .max),
            follows: ["catalog": Position(epoch: second, sequence: 12)]
        )
        let manifest = BackupManifest(
            version: "0.1.0",
            time: try #require(Instant("2024-03-31T18:05:00.5Z")),
            stores: [store]
        )
        #expect(try BackupManifest(json: Array(manifest.json.utf8), file: "manifest.json") == manifest)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"format":2,"version":"9","time":"2024-03-31T18:05:00Z","stores":[]}"#,
        #"{"format":1,"version":"1","time":"today","stores":[]}"#,
        #"{"format":1,"version":"1","time":"2024-03-31T18:05:00Z","stores":[{"service":"orders"}]}"#,
        #"{"format":1,"version":"1","time":"2024-03-31T18:05:00Z","stores":[{"service":"orders","file":"../orders.db","bytes":1,"sha256":"","position":{"epoch":"018e95c2-4f00-7000-8000-000000000001","sequence":1},"follows":{}}]}"#,
    ])
    func anotherFileIsNoManifest(_ text: String) {
        #expect(throws: CLIError.self) { try BackupManifest(json: Array(text.utf8), file: "manifest.json") }
    }

    /// Rows of an archive are added up: each has a byte at least, and the bytes are compared with the files'.
    @Test(arguments: [("9", "90", true), ("90", "90", true), ("91", "90", false), ("-1", "90", false)])
    func anArchivesMembersHaveNoMoreRowsThanBytes(rows: String, bytes: String, isRead: Bool) {
        let text = """
            {"format":"daybook-archive","version":1,"program":"0.1.0","made":"2024-03-31T18:05:09Z","services":[\
            {"service":"orders","epoch":"018e95c2-4f00-7000-8000-000000000002","sequence":9,"reactions":[],"members":[\
            {"path":"orders/order.cbor","part":"order","rows":\(rows),"bytes":\(bytes),"sha256":"00"}]}]}
            """
        let manifest = try? ArchiveManifest(Array(text.utf8), of: "archive")
        #expect((manifest != nil) == isRead)
    }

    @Test func aBackupsFolderIsNamedByItsTimeInTheOrderOfTime() throws {
        let times = try ["2024-03-31T18:05:00.123456Z", "2024-03-31T18:05:01Z"].map { try #require(Instant($0)) }
        #expect(times.map(BackupFolder.name(of:)) == ["2024-03-31T180500Z", "2024-03-31T180501Z"])
        #expect(BackupFolder("/backup//").path == "/backup" && BackupFolder("/").path == "/")
    }
}
