public import LiveList
public import Messages
import ZeroMQ

extension DaybookClient {
    /// A list that follows the data: a snapshot, then a batch for each change of what it shows.
    ///
    /// ```swift
    /// var unpaid = FetchedResults<ReportedOrder>()
    /// for try await update in client.list(ListQuery(.report("unpaid")), of: .reporting) {
    ///     try unpaid.apply(update)
    /// }
    /// ```
    /// Batches chain by number. Where one is missing, the service was started anew, its list is another one, or the change
    /// was too large to tell, the list is opened again by itself, and what is new is given out as `.resync` and the
    /// `.snapshot` behind it; nothing where nothing changed meanwhile. It waits for a service that doesn't answer. A lost
    /// tail is noticed within a second. `FetchedResults` proves the digest of each batch; should it ever be wrong, begin
    /// another iteration.
    ///
    /// At most 1 MiB of batches waits to be read. A reader who falls further behind loses them all, and has a resync
    /// `slow` and a snapshot when it reads on; it costs nobody memory. A snapshot that wasn't taken is replaced by the
    /// next.
    ///
    /// Each iteration is a subscription of its own, and ends with its iterator. Errors end it: cancelling the task is
    /// `cancelled`, at once; a refusal that no repetition changes (`invalid`, `too-large`: give a window) is `refused`.
    ///
    /// - Parameters:
    ///   - query: what it shows.
    ///   - service: who has the entity or the report.
    ///   - after: positions that each snapshot has reached.
    public func list(
        _ query: ListQuery,
        of service: ServiceName,
        after: Positions = [:]
    ) -> some AsyncSequence<ListUpdate, ClientError> & Sendable {
        ListSequence(client: self, query: query, service: service, after: after)
    }

    /// A list of a kind of record, or of parts, that follows the data; see ``list(_:of:after:)``.
    ///
    /// ```swift
    /// var customers = FetchedResults<Customer>()
    /// for try await update in client.list(Customer.self, section: .init("name", by: .letter)) {
    ///     try customers.apply(update)
    /// }
    /// ```
    /// - Parameters:
    ///   - filter: which records; all where it is nil.
    ///   - sort: the order; the kind's own where it is nil.
    ///   - section: what rows are put together by; one section with a null key where it is nil.
    ///   - window: which rows of the order; all where it is nil.
    public func list<R: Listed>(
        _ type: R.Type,
        filter: Filter? = nil,
        sort: [SortKey]? = nil,
        section: ListQuery.Section? = nil,
        window: ListWindow? = nil,
        after: Positions = [:]
    ) -> some AsyncSequence<ListUpdate, ClientError> & Sendable {
        let query = ListQuery(.entity(R.entity), filter: filter, sort: sort, section: section, window: window)
        return ListSequence(client: self, query: query, service: R.service, after: after)
    }
}

/// A subscription for each iterator.
struct ListSequence: AsyncSequence, Sendable {
    typealias Element = ListUpdate
    typealias Failure = ClientError

    let client: DaybookClient
    let query: ListQuery
    let service: ServiceName
    let after: Positions

    func makeAsyncIterator() -> Iterator {
        Iterator(subscription: Subscription(self))
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> ListUpdate? {
            try await subscription.next()
        }
    }

    /// Keeps the client, and ends with the iterator.
    fileprivate final class Subscription: Sendable {
        private let client: DaybookClient
        private let mailbox = Mailbox(WaitingBatches())
        private let id: UInt64?

        init(_ sequence: ListSequence) {
            client = sequence.client
            do throws(ClientError) {
                guard let endpoints = client.configuration.endpoints[sequence.service] else {
                    throw .unknownService(sequence.service)
                }
                let request = OpenList(sequence.query.normalized)
                let body = try Wire.encode(request, for: sequence.service, limit: RequestHeader.maximumBodyBytes)
                id = client.exchange.follow(
                    ListSubscription.Order(
                        service: sequence.service,
                        endpoints: endpoints,
                        body: Frame(body),
                        after: sequence.after,
                        mailbox: mailbox
                    )
                )
            } catch {
                id = nil
                mailbox.end(error)
            }
        }

        func next() async throws(ClientError) -> ListUpdate? {
            if mailbox.change({ $0.hasRoomAgain() }), let id { client.exchange.drained(id) }
            return try await mailbox.next().get()
        }

        deinit {
            if let id { client.exchange.unsubscribe(id) }
        }
    }
}
