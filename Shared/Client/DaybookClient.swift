public import Messages
import Synchronization
import ZeroMQ

/// What a request was answered with.
public struct Response<Reply: Sendable>: Sendable {
    /// The body.
    public var value: Reply
    /// The position of a command's last event, or of what a query read. Given as `after` to a later request, to whatever
    /// service, that one sees it.
    public var positions: Positions
    /// Whether this is the first answer to a command, told again.
    public var replayed: Bool
    /// The service's run: another one means that it was started anew.
    public var run: Identifier?
}

/// Sends requests to the services, and again until they are answered.
///
/// ```swift
/// let client = try DaybookClient(ClientConfiguration(endpoints: [.catalog: .ipc(folder: "/run/daybook", .catalog)]))
/// let customer = try await client.send(Put(Customer(name: "Ada"))).value
/// ```
/// A command has one idempotency key and the same content in all its attempts, so that it has its effect once, whatever
/// was lost on the way. Any number of requests may be under way at once, from any task; one thread owns the sockets,
/// which are opened at the first request to a service.
public final class DaybookClient: Sendable {
    let configuration: ClientConfiguration
    let exchange: Exchange
    private let thread: Mutex<SocketThread?>

    /// A client of these services. Connects to nothing yet, and waits for nothing.
    ///
    /// - Throws: `transport` or `noThread` where the system has no file descriptor or thread left.
    public init(_ configuration: ClientConfiguration) throws(ClientError) {
        let exchange = try Exchange()
        self.configuration = configuration
        self.exchange = exchange
        thread = Mutex(
            try SocketThread {
                var loop = SocketLoop(exchange, key: configuration.key)
                loop.run()
            }
        )
    }

    deinit {
        close()
    }

    /// Sends a request, and waits for what it is answered with.
    ///
    /// - Parameters:
    ///   - service: who is to answer; the request's own service where it is nil.
    ///   - key: a command's idempotency key: that of an earlier call to ask for the same effect again. A new one where it
    ///     is nil. Queries have none.
    ///   - after: positions that must have been reached: what those saw or did is seen.
    ///   - timeout: the whole budget with all attempts; the configuration's where it is nil.
    /// - Throws: every case of `ClientError`. Cancelling the task ends the wait at once with `cancelled`; the command may
    ///   have its effect all the same.
    public func send<R: Request>(
        _ request: R,
        to service: ServiceName? = nil,
        key: Identifier? = nil,
        after: Positions = [:],
        timeout: Duration? = nil
    ) async throws(ClientError) -> Response<R.Reply> {
        let service = service ?? R.service ?? ServiceName(rawValue: "")
        guard let endpoint = configuration.endpoints[service]?.requests else { throw .unknownService(service) }
        let body = try Wire.encode(request, for: service, limit: RequestHeader.maximumBodyBytes)
        let outgoing = Outgoing(
            service: service,
            endpoint: endpoint,
            operation: R.operation,
            kind: request.kind,
            key: R.kind == .command ? key ?? .make() : nil,
            after: after,
            traceparent: configuration.trace?.child().description,
            body: Frame(body)
        )
        let answer = try await answer(to: outgoing, timeout: timeout)
        let header = answer.header
        return Response(
            value: try Wire.decode(R.Reply.self, from: answer.body, of: service),
            positions: header.positions ?? [:],
            replayed: header.replayed ?? false,
            run: header.run
        )
    }

    /// Sends a command that was written before, as one that was kept while nobody answered, and waits until it is done.
    ///
    /// - Parameters:
    ///   - body: the bytes of the request, the same in all attempts.
    ///   - operation: the operation's name on the wire.
    ///   - key: the command's idempotency key.
    ///   - timeout: the whole budget with all attempts; the configuration's where it is nil.
    /// - Throws: as `send`.
    public func deliver(
        _ body: [UInt8],
        as operation: String,
        key: Identifier,
        to service: ServiceName,
        timeout: Duration? = nil
    ) async throws(ClientError) {
        guard let endpoint = configuration.endpoints[service]?.requests else { throw .unknownService(service) }
        guard body.count <= RequestHeader.maximumBodyBytes else {
            throw .requestTooLarge(service, bytes: body.count, limit: RequestHeader.maximumBodyBytes)
        }
        let outgoing = Outgoing(
            service: service,
            endpoint: endpoint,
            operation: operation,
            kind: .command,
            key: key,
            after: [:],
            traceparent: configuration.trace?.child().description,
            body: Frame(body)
        )
        _ = try await answer(to: outgoing, timeout: timeout)
    }

    /// - Throws: `refused` for every status but `ok`, and what the exchange ends with.
    private func answer(to outgoing: Outgoing, timeout: Duration?) async throws(ClientError) -> Answer {
        let answer = try await exchange.outcome(of: outgoing, timeout: timeout ?? configuration.timeout).get()
        guard answer.header.status == .ok else { throw try answer.refusal(of: outgoing.service) }
        return answer
    }

    /// All records of a kind, or all parts, page by page; at most one page is fetched ahead of the one that is being read.
    ///
    /// ```swift
    /// for try await order in client.records(Order.self, filter: .equal("paid", .boolean(false))) { print(order.number) }
    /// ```
    /// Records that change during the walk may be seen as before or after; none that stays is skipped or seen twice. Where
    /// a page is too large for a reply, smaller ones are asked for. Errors are `ClientError`; after one the walk is over.
    ///
    /// - Parameters:
    ///   - filter: which records; all where it is nil.
    ///   - sort: the order; the kind's own where it is nil.
    ///   - pageSize: held to 1 … `List.longestPage`.
    ///   - after: positions that must have been reached.
    public func records<R: Listed>(
        _ type: R.Type,
        filter: Filter? = nil,
        sort: [SortKey]? = nil,
        pageSize: Int = 1000,
        after: Positions = [:]
    ) -> some AsyncSequence<R, any Error> & Sendable {
        RecordSequence<R>(client: self, filter: filter, sort: sort, pageSize: pageSize, after: after)
    }

    /// Fails what is pending with `ClientError.closed`, and what comes later too; ends the thread and waits for that.
    ///
    /// Takes less than a millisecond. May be called from anywhere and more than once; without it the client is closed
    /// when it is released.
    public func close() {
        exchange.end(.closed)
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }
}
