public import Messages

extension DaybookClient {
    /// The changes of a service's records behind a position: contiguous transactions, or a visible resync with its reason;
    /// never a silent hole.
    ///
    /// ```swift
    /// for try await update in client.events(from: stored, of: .orders) {
    ///     switch update {
    ///     case .transaction(let transaction): try store.apply(transaction.events, reaching: transaction.position)
    ///     case .resync(_, let position): try await store.load(from: client, reaching: position)
    ///     }
    /// }
    /// ```
    /// Store the position together with what you made of the events: after a restart nothing is missed, and nothing comes
    /// twice. Services may stop and start, connections break, and this process be stopped for long: the subscription
    /// goes on by itself, by reading what it missed; it waits for a service that doesn't answer.
    ///
    /// At most 1 MiB of events wait to be read, one page or message of up to 1 MiB more, and a transaction of up to 1 MiB
    /// that has not ended. When as much waits, what is published is dropped, and is read from the service's log once half
    /// of it was taken: a slow reader costs nobody memory.
    ///
    /// A lost tail is noticed within a second, by the heartbeat. Each iteration is a subscription of its own, and ends
    /// with its iterator. Errors end it: cancelling the task is `cancelled`, at once; a refusal that no repetition changes
    /// is `refused`.
    ///
    /// - Parameters:
    ///   - position: the position of the last element that was dealt with; `.start` for all that is kept.
    ///   - service: whose log.
    ///   - entities: only events of these (`order`); all where it is nil.
    ///   - follow: whether to go on when the log's head, as it is at the beginning, is reached. Otherwise the sequence ends
    ///     there, and a service that doesn't answer is `unreachable` after 2.5 s.
    public func events(
        from position: EventPosition = .start,
        of service: ServiceName,
        entities: Set<String>? = nil,
        follow: Bool = true
    ) -> some AsyncSequence<EventUpdate, ClientError> & Sendable {
        EventSequence(
            client: self,
            service: service,
            position: position,
            entities: entities,
            isFollowing: follow
        )
    }

    /// Where a service's log ends now: a subscription from there tells what comes.
    ///
    /// - Throws: as ``send(_:to:key:after:timeout:)``.
    public func head(of service: ServiceName, timeout: Duration? = nil) async throws(ClientError) -> EventPosition {
        // A position beyond every log is answered with the log's head.
        let page = try await send(ReadEvents(sequence: .max), to: service, timeout: timeout).value
        return EventPosition(epoch: page.epoch, sequence: page.head, chain: page.chain)
    }
}

/// A subscription for each iterator.
struct EventSequence: AsyncSequence, Sendable {
    typealias Element = EventUpdate
    typealias Failure = ClientError

    let client: DaybookClient
    let service: ServiceName
    let position: EventPosition
    let entities: Set<String>?
    let isFollowing: Bool

    func makeAsyncIterator() -> Iterator {
        Iterator(subscription: Subscription(self))
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> EventUpdate? {
            try await subscription.next()
        }
    }

    /// Keeps the client, and ends with the iterator.
    fileprivate final class Subscription: Sendable {
        private let client: DaybookClient
        private let mailbox = Mailbox(WaitingEvents())
        private let id: UInt64?

        init(_ sequence: EventSequence) {
            client = sequence.client
            guard let endpoints = client.configuration.endpoints[sequence.service] else {
                id = nil
                mailbox.end(.unknownService(sequence.service))
                return
            }
            id = client.exchange.subscribe(
                EventSubscription.Order(
                    service: sequence.service,
                    endpoints: endpoints,
                    position: sequence.position,
                    entities: sequence.entities,
                    isFollowing: sequence.isFollowing,
                    mailbox: mailbox
                )
            )
        }

        func next() async throws(ClientError) -> EventUpdate? {
            let result = await mailbox.next()
            if mailbox.change({ $0.hasRoomAgain() }), let id { client.exchange.drained(id) }
            return try result.get()
        }

        deinit {
            if let id { client.exchange.unsubscribe(id) }
        }
    }
}
