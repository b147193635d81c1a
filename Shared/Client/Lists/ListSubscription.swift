import CBOR
import LiveList
package import Messages
package import ZeroMQ

/// A live list on the thread of the sockets: its SUB socket, its follower, and the mailbox that it fills.
///
/// Every call gives the opening that is to be sent, if there is one; `isOver` says when nothing more will come.
package struct ListSubscription {
    /// What a caller asks for.
    package struct Order: Sendable {
        var service: ServiceName
        var endpoints: ServiceEndpoints
        /// The encoded `OpenList`.
        var body: Frame
        var after: Positions
        var mailbox: Mailbox<WaitingBatches>

        package init(
            service: ServiceName,
            endpoints: ServiceEndpoints,
            body: Frame,
            after: Positions,
            mailbox: Mailbox<WaitingBatches>
        ) {
            self.service = service
            self.endpoints = endpoints
            self.body = body
            self.after = after
            self.mailbox = mailbox
        }
    }

    /// All attempts of one opening: a large list takes its time to build.
    static let patience = Duration.seconds(30)

    let order: Order
    private(set) var subscriber: Subscriber
    /// The socket's place in the poller.
    var slot: Poller.Slot?
    /// The request that stands for the follower's last opening.
    var request: UInt64?
    private(set) var isOver = false
    private var follower = ListFollower()
    private var topic: String?

    init(_ order: Order, _ dialer: Dialer, now: Int64) throws(ClientError) {
        self.order = order
        let topics = [Topic.heartbeat(order.service)]
        subscriber = try Subscriber(dialer, order.service, order.endpoints.events, topics: topics, now: now)
    }

    /// When `tick(now:)` has something to do.
    var deadline: Int64 { isOver ? .max : min(follower.deadline, subscriber.deadline) }

    mutating func start(now: Int64) -> UInt64? { perform(follower.start(now: now)) }

    mutating func tick(now: Int64) -> UInt64? {
        _ = subscriber.renewIfSilent(now: now)
        return perform(follower.tick(now: now))
    }

    /// The caller has room again.
    mutating func drained(now: Int64) -> UInt64? { perform(follower.drain(now: now)) }

    /// The outcome of an opening. What passes is tried again.
    mutating func answered(_ outcome: Outcome, _ id: UInt64, now: Int64) -> UInt64? {
        switch outcome {
        case .success(let answer) where answer.header.status == .ok:
            do throws(ClientError) {
                let reply = try Wire.decode(OpenList.Reply.self, from: answer.body, of: order.service)
                return perform(follower.opened(reply, run: answer.header.run, answering: id, now: now))
            } catch {
                end(error)
            }
        case .success(let answer) where answer.header.status.isRetryable:
            return perform(follower.failed(id, now: now))
        case .success(let answer):
            do throws(ClientError) {
                end(try answer.refusal(of: order.service))
            } catch {
                end(error)
            }
        case .failure(let error) where error.isPassing: return perform(follower.failed(id, now: now))
        case .failure(let error): end(error)
        }
        return nil
    }

    /// A published message. What can't be read is left out: the follower notices what it lacks.
    mutating func published(_ frames: [Frame], now: Int64) -> UInt64? {
        subscriber.hear(now: now)
        guard frames.count == 2, let name = frames.first?.bytes else { return nil }
        let item = frames[1]
        if let topic, name.elementsEqual(topic.utf8) {
            if let batch = decode(ListBatch.self, item) {
                return perform(follower.published(batch, bytes: item.count, now: now), bytes: item.count)
            }
            return decode(ListState.self, item).flatMap { perform(follower.told($0, now: now)) }
        }
        guard name == Array(Topic.heartbeat(order.service).utf8) else { return nil }
        return decode(Heartbeat.self, item).flatMap { perform(follower.heard(run: $0.run, now: now)) }
    }

    mutating func end(_ error: ClientError?) {
        isOver = true
        order.mailbox.end(error)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ frame: Frame) -> Value? {
        frame.withUnsafeBytes { try? CBORDecoder(profile: .wire).decode(type, from: $0) }
    }

    /// - Parameter bytes: of the message that brought a batch.
    private mutating func perform(_ actions: [ListFollower.Action], bytes: Int = 0) -> UInt64? {
        var opening: UInt64?
        for action in actions where !isOver {
            switch action {
            case .open(let id): opening = id
            case .subscribe(let topic): subscribe(topic)
            case .give(let update):
                guard order.mailbox.change({ $0.put(update, bytes: bytes) }) else { continue }
                follower.fill()
                return nil
            }
        }
        return isOver ? nil : opening
    }

    private mutating func subscribe(_ name: String) {
        do throws(ZeroMQError) {
            if let topic, topic != name { try subscriber.unsubscribe(topic) }
            try subscriber.subscribe(name)
            topic = name
        } catch {
            end(.transport(error))
        }
    }
}
