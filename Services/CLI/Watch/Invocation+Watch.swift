import Client
import Glibc
import LiveList
import Messages

/// How a live list is shown: what depends on its rows.
struct WatchView<Row: Decodable & Sendable>: Sendable {
    /// The noun in whose form all these rows are printed.
    var noun: @Sendable ([Row]) -> Noun<Row>
    /// What stands below them on a terminal, with its line ends.
    var footer: @Sendable ([Row]) -> String = { _ in "" }
}

extension Invocation {
    /// Shows a list and what changes in it, until Ctrl-C: on a terminal as a table that is kept up to date, otherwise as
    /// JSON lines.
    ///
    /// - Throws: ``CLIError``: also where the service does not answer at the beginning; later it is waited for.
    func watch<Row>(
        _ query: ListQuery,
        of service: ServiceName,
        _ view: WatchView<Row>
    ) async throws(CLIError) {
        guard !presentation.isQuiet else { throw .usage("--watch shows rows, and --quiet leaves them out.") }
        guard [.table, .jsonl].contains(presentation.format) else {
            throw .usage("--watch prints a table on a terminal, or jsonl; it can't print \(presentation.format).")
        }
        let selected = try view.noun([]).selected(presentation.fields)
        // A service that does not answer is told at once.
        _ = try await send(StatusRequest(), to: service)
        let list = WatchedList<Row>(client: try client(), query: query, service: service)
        guard presentation.format == .table, let terminal = Terminal(STDOUT_FILENO, ProcessEnvironment.variables) else {
            let lines = WatchLines(fields: selected, output: output)
            return try await list.follow { (step) throws(CLIError) in try lines.print(step) }
        }
        try await WatchScreen(presentation, view, terminal).run(list)
    }

    private func client() throws(CLIError) -> DaybookClient {
        do throws(ClientError) {
            return try DaybookClient(
                ClientConfiguration(endpoints: configuration.endpoints, timeout: configuration.timeout)
            )
        } catch {
            throw .client(error)
        }
    }
}

/// A live list with its mirror.
struct WatchedList<Row: Decodable & Sendable>: Sendable {
    /// What happened, and the rows after it.
    enum Step {
        case snapshot(FetchedResults<Row>)
        case batch(ListBatch, FetchedResults<Row>)
        case resync(String)
    }

    var client: DaybookClient
    var query: ListQuery
    var service: ServiceName

    /// Hands on what happens, each batch proven by its digest; without an end.
    ///
    /// - Throws: ``CLIError/client(_:)``, and what `body` throws.
    func follow(_ body: (Step) async throws(CLIError) -> Void) async throws(CLIError) {
        while true { try await followOnce(body) }
    }

    /// Until a batch does not give what its digest promises.
    private func followOnce(_ body: (Step) async throws(CLIError) -> Void) async throws(CLIError) {
        var results: FetchedResults<Row>?
        var updates = client.list(query, of: service).makeAsyncIterator()
        while true {
            let update: ListUpdate?
            do throws(ClientError) {
                update = try await updates.next(isolation: #isolation)
            } catch {
                throw .client(error)
            }
            let step: Step
            do throws(ListError) {
                switch update {
                case .snapshot(let reply):
                    let fresh = try FetchedResults<Row>(reply)
                    results = fresh
                    step = .snapshot(fresh)
                case .batch(let batch):
                    _ = try results?.apply(batch)
                    guard let results else { throw .otherList }
                    step = .batch(batch, results)
                case .resync(let reason): step = .resync(reason)
                case nil: throw .reset
                }
            } catch {
                if case .batch = update, error == .wrongDigest { return try await body(.resync("digest")) }
                throw .client(.malformedReply(service, "its live list can't be followed: \(error)."))
            }
            try await body(step)
        }
    }
}
