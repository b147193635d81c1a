import ArgumentParser
import Client
import Messages
import Synchronization
import Testing
import ZeroMQ

@testable import CLI

/// Making projections anew, and comparing.
struct ProjectionTests {
    private static let content = HashProjection.Reply(hash: 0xAB, rows: 3)
    private static let other = HashProjection.Reply(hash: 0xCD, rows: 1)

    @Test func tellsTheContentOfEachSource() async throws {
        let (keeper, capture) = (Keeper(before: (Self.content, 7)), try Capture())
        let daybook = try Invocation(asking: keeper, capture.presentation())
        try await daybook.hashProjections(of: "reporting", source: nil)
        #expect(
            try capture.text() == """
                reporting: catalog through 7 (hash 00000000000000ab, 3 rows)
                reporting: orders through 7 (hash 00000000000000ab, 3 rows)

                """
        )
    }

    @Test func waitsForThePlaceOfBeforeAndCompares() async throws {
        let (keeper, capture) = (Keeper(before: (Self.content, 7)), try Capture())
        let daybook = try Invocation(asking: keeper, capture.presentation())
        let key = Identifier.test(0xf1)
        try await daybook.rebuildProjections(of: "reporting", source: "catalog", key: key)
        #expect(try capture.text() == "reporting: catalog identical (hash 00000000000000ab, 3 rows)\n")
        #expect(keeper.rebuilt == [.catalog] && keeper.keys == [key])
        #expect(keeper.after == ["catalog": Position(epoch: Keeper.epoch, sequence: 7)])
    }

    @Test func failsWhereTheContentDiffersButShowsAll() async throws {
        let (keeper, capture) = (Keeper(before: (Self.content, 7), after: (Self.other, 7)), try Capture())
        let daybook = try Invocation(asking: keeper, capture.presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.rebuildProjections(of: "reporting", source: nil, key: nil)
        }
        #expect(error?.processStatus == .failure)
        #expect(error?.description.contains("catalog, orders") == true)
        let line = "differs (hash 00000000000000cd, 1 row; before: hash 00000000000000ab, 3 rows)"
        #expect(try capture.text() == "reporting: catalog \(line)\nreporting: orders \(line)\n")
    }

    @Test func doesNotCompareWhatIsOfDifferentEvents() async throws {
        let (keeper, capture) = (Keeper(before: (Self.content, 7), after: (Self.other, 8)), try Capture())
        let daybook = try Invocation(asking: keeper, capture.presentation(.jsonl))
        try await daybook.rebuildProjections(of: "reporting", source: "orders", key: nil)
        #expect(
            try capture.text() == """
                {"service":"reporting","source":"orders","sequence":8,"hash":"00000000000000cd","rows":1,\
                "outcome":"advanced","hashBefore":"00000000000000ab","rowsBefore":3}

                """
        )
    }

    @Test func buildsWhatWasNotWholeUpToTheHead() async throws {
        let (keeper, capture) = (Keeper(before: nil, after: (Self.content, 9)), try Capture())
        let daybook = try Invocation(asking: keeper, capture.presentation())
        try await daybook.rebuildProjections(of: "reporting", source: "orders", key: nil)
        #expect(try capture.text() == "reporting: orders built (hash 00000000000000ab, 3 rows)\n")
        #expect(keeper.after == ["orders": Position(epoch: Keeper.epoch, sequence: 9)])
    }

    @Test func emptiesNothingWhileTheSourceIsDown() async throws {
        let keeper = Keeper(before: (Self.content, 7), down: .orders)
        let daybook = try Invocation(asking: keeper, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.rebuildProjections(of: "reporting", source: "orders", key: nil)
        }
        #expect(error?.processStatus == .unreachable && keeper.rebuilt == [])
    }

    @Test(
        arguments: [
            ("walks", nil, nil, "walks follows no other service.", .failure),
            ("reporting", "walks", nil, "reporting follows catalog, orders, not walks.", .failure),
            ("reportin", nil, nil, "did you mean 'reporting'?", .usage),
            ("reporting", nil, Identifier.test(1), "a key is for one command: add --source.", .usage),
        ] as [(String, String?, Identifier?, String, ProcessStatus)]
    )
    func refuses(
        service: String,
        source: String?,
        key: Identifier?,
        sentence: String,
        status: ProcessStatus
    ) async throws {
        let keeper = Keeper(before: (Self.content, 7))
        let daybook = try Invocation(asking: keeper, try Capture().presentation())
        let error = await #expect(throws: CLIError.self) {
            try await daybook.rebuildProjections(of: service, source: source, key: key)
        }
        #expect(error?.description.contains(sentence) == true && error?.processStatus == status)
        #expect(keeper.rebuilt == [])
    }
}

/// Reporting, which follows two services, and walks, which follows none.
private final class Keeper: RequestSender {
    typealias Content = (content: HashProjection.Reply, sequence: Int64)

    static let epoch = Identifier.test(0xe0)

    private struct State {
        var rebuilt: [ServiceName] = []
        var keys: [Identifier?] = []
        var after: Positions = [:]
    }

    private let state = Mutex(State())
    private let before: Content?
    private let rebuiltContent: Content
    private let down: ServiceName?

    /// - Parameter before: nil where it is half built.
    init(before: Content?, after: Content? = nil, down: ServiceName? = nil) {
        self.before = before
        rebuiltContent = after ?? before ?? (HashProjection.Reply(hash: 0, rows: 0), 0)
        self.down = down
    }

    var rebuilt: [ServiceName] { state.withLock { $0.rebuilt } }
    var keys: [Identifier?] { state.withLock { $0.keys } }
    /// The positions that the last hash had to see.
    var after: Positions { state.withLock { $0.after } }

    func send<R: Request>(_ request: R, to service: ServiceName?, key: Identifier?) async throws(CLIError) -> R.Reply {
        let service = service ?? .catalog
        guard service != down else { throw .client(.unreachable(service, .ipc(path: "/run/x"), after: .seconds(1))) }
        let reply: any Sendable
        switch request {
        case is StatusRequest: reply = status(service)
        case let request as RebuildProjection:
            state.withLock { state in
                state.rebuilt.append(request.source)
                state.keys.append(key)
            }
            let position = before.map { Position(epoch: Self.epoch, sequence: $0.sequence) }
            reply = RebuildProjection.Reply(position: position)
        default: throw Desk.refusal(.unknownOperation)
        }
        guard let reply = reply as? R.Reply else { throw Desk.refusal(.internal) }
        return reply
    }

    func read<R: Request>(
        _ request: R,
        to service: ServiceName?,
        after positions: Positions
    ) async throws(CLIError) -> (reply: R.Reply, positions: Positions) {
        guard let request = request as? HashProjection, service == .reporting else { throw Desk.refusal(.internal) }
        let isRebuilt = rebuilt.contains(request.source)
        guard let found = isRebuilt ? rebuiltContent : before else { throw Desk.refusal(.unavailable) }
        if isRebuilt { state.withLock { $0.after = positions } }
        guard let reply = found.content as? R.Reply else { throw Desk.refusal(.internal) }
        return (reply, [request.source.rawValue: Position(epoch: Self.epoch, sequence: found.sequence)])
    }

    private func status(_ service: ServiceName) -> ServiceStatus {
        let followed: [ServiceName] = service == .reporting ? [.catalog, .orders] : []
        return ServiceStatus(
            service: service,
            version: "1",
            epoch: Self.epoch,
            run: Self.epoch,
            sequence: 9,
            storeBytes: 0,
            uptime: 0,
            process: 1,
            sources: followed.map { SourceStatus(service: $0, state: .live, sequence: 9) }
        )
    }
}
