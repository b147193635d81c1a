import CBOR
import Client
import LiveList
import Messages
import Testing

/// A client's mirror of a live list: what it shows, and what it was told. Each batch's digest is proven.
struct Watcher<Row: Decodable & Sendable> {
    private var updates: any AsyncIteratorProtocol<ListUpdate, ClientError>
    private(set) var results: FetchedResults<Row>
    /// What came since the list was opened, or since `forget`.
    private(set) var batches: [ListBatch] = []
    private(set) var resyncs: [String] = []

    /// Opens the list, and has its snapshot.
    init(_ client: DaybookClient, _ query: ListQuery, of service: ServiceName) async throws {
        var updates: any AsyncIteratorProtocol<ListUpdate, ClientError> =
            client.list(query, of: service).makeAsyncIterator()
        guard case .snapshot(let reply) = try await updates.next(isolation: nil) else {
            throw Unexpected("a list that doesn't begin with its snapshot")
        }
        results = try FetchedResults(reply)
        self.updates = updates
    }

    struct Unexpected: Error {
        let what: String

        init(_ what: String) {
            self.what = what
        }
    }

    var rows: [Row] { results.sections.flatMap(\.rows) }

    mutating func forget() {
        (batches, resyncs) = ([], [])
    }

    /// Takes what comes next.
    mutating func step() async throws {
        switch try await updates.next(isolation: nil) {
        case .snapshot(let reply): results = try FetchedResults(reply)
        case .batch(let batch):
            let isNew = try results.apply(batch)
            #expect(isNew)
            batches.append(batch)
        case .resync(let reason): resyncs.append(reason)
        case nil: throw Unexpected("the end")
        }
    }

    /// Takes what comes until the rows are as wanted.
    mutating func follow(until isWanted: ([Row]) -> Bool) async throws {
        while !isWanted(rows) { try await step() }
    }

    /// Takes what comes until so many batches did, and gives these.
    mutating func next(_ count: Int = 1) async throws -> [ListBatch] {
        while batches.count < count { try await step() }
        defer { forget() }
        return batches
    }
}
