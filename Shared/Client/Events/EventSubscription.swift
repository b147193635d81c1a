import CBOR
package import Messages
import ZeroMQ

/// One subscription on the thread of the sockets: its SUB socket, its follower, and the mailbox that it fills.
///
/// Every call gives the read that is to be sent, if there is one; `isOver` says when nothing more will come.
package struct EventSubscription {
    /// What a caller asks for.
    package struct Order: Sendable {
        var service: ServiceName
        var endpoints: ServiceEndpoints
        var position: EventPosition
        var entities: Set<String>?
        /// Whether it goes on behind the log's head.
        var isFollowing: Bool
        var mailbox: Mailbox<WaitingEvents>

        package init(
            service: ServiceName,
            endpoints: ServiceEndpoints,
            position: EventPosition,
            entities: Set<String>?,
            isFollowing: Bool,
            mailbox: Mailbox<WaitingEvents>
        ) {
            self.service = service
            self.endpoints = endpoints
            self.position = position
            self.entities = entities
            self.isFollowing = isFollowing
            self.mailbox = mailbox
        }
    }

    struct Read {
        var id: UInt64
        var request: ReadEvents
    }

    /// An answer that is lost is asked for again by the request's own attempts; this long is waited for all of them.
    static let patience = Duration.seconds(2)

    let order: Order
    private(set) var subscriber: Subscriber?
    /// The socket's place in the poller.
    var slot: Poller.Slot?
    /// The request that stands for the follower's last read.
    var request: UInt64?
    private(set) var isOver = false
    private var follower: LogFollower
    private var assembly: EventAssembly
    private var isFull = false

    /// Subscribes first, to read afterwards: what is committed between the two is published or found by the read.
    init(_ order: Order, _ dialer: Dialer, now: Int64) throws(ClientError) {
        self.order = order
        follower = LogFollower(
            from: order.position,
            restart: .head,
            patience: Int64(Self.patience.wholeMilliseconds)
        )
        assembly = EventAssembly(of: order.service, entities: order.entities)
        guard order.isFollowing else { return }
        // All entities: only all of them together have contiguous numbers, and show where a transaction ends.
        let topics = [Topic.events(order.service), Topic.heartbeat(order.service)]
        subscriber = try Subscriber(dialer, order.service, order.endpoints.events, topics: topics, now: now)
    }

    /// When `tick(now:)` has something to do.
    var deadline: Int64 { isOver ? .max : min(follower.deadline, subscriber?.deadline ?? .max) }

    mutating func start(now: Int64) -> Read? {
        perform(order.isFollowing ? follower.start(now: now) : follower.awaitHead(now: now).actions)
    }

    mutating func tick(now: Int64) -> Read? {
        _ = subscriber?.renewIfSilent(now: now)
        return perform(follower.tick(now: now))
    }

    /// The caller has room again.
    mutating func drained(now: Int64) -> Read? {
        isFull = false
        return perform(follower.drain(now: now))
    }

    /// The outcome of a read. What passes is tried again when the follower asks for it again.
    mutating func answered(_ outcome: Outcome, _ id: UInt64, now: Int64) -> Read? {
        switch outcome {
        case .success(let answer) where answer.header.status == .ok:
            do throws(ClientError) {
                let page = try Wire.decode(EventPage.self, from: answer.body, of: order.service)
                return perform(follower.received(page, run: answer.header.run, answering: id, now: now))
            } catch {
                end(error)
            }
        case .success(let answer) where answer.header.status.isRetryable: break
        case .success(let answer):
            do throws(ClientError) {
                end(try answer.refusal(of: order.service))
            } catch {
                end(error)
            }
        case .failure(let error) where error.isPassing: break
        case .failure(let error): end(error)
        }
        return nil
    }

    /// A published message. What can't be read is left out: the follower notices what it lacks.
    mutating func published(_ frames: [Frame], now: Int64) -> Read? {
        subscriber?.hear(now: now)
        guard let topic = frames.first?.bytes else { return nil }
        if topic == Array(Topic.heartbeat(order.service).utf8) {
            guard frames.count == 2, let heartbeat = decode(Heartbeat.self, frames[1]) else { return nil }
            return perform(follower.heard(heartbeat, now: now))
        }
        guard frames.count == 3, let header = decode(EventsHeader.self, frames[1]),
            let events = decode([EncodedCBOR].self, frames[2])
        else { return nil }
        return perform(follower.published(header, events, now: now))
    }

    mutating func end(_ error: ClientError?) {
        isOver = true
        order.mailbox.end(error)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ frame: Frame) -> Value? {
        frame.withUnsafeBytes { try? CBORDecoder(profile: .wire).decode(type, from: $0) }
    }

    private mutating func perform(_ actions: [LogFollower.Action]) -> Read? {
        var read: Read?
        for action in actions where !isOver {
            switch action {
            case .read(let request, let id): read = Read(id: id, request: request)
            case .apply(let events, let chains, let end):
                do throws(ClientError) {
                    put(try assembly.add(events, chains: chains, reaching: end))
                } catch {
                    self.end(error)
                }
            case .resync(let reason, let position):
                assembly.reset()
                put([EventAssembly.Piece(update: .resync(reason, position), bytes: 0)])
            case .settled(_, reached: true): if !order.isFollowing { end(nil) }
            case .settled(_, reached: false):
                let silence = Duration.milliseconds(LogFollower.silence)
                if !order.isFollowing { end(.unreachable(order.service, order.endpoints.requests, after: silence)) }
            }
        }
        // What was filled just now drops the read that came with it.
        return isOver || isFull ? nil : read
    }

    private mutating func put(_ pieces: [EventAssembly.Piece]) {
        guard !pieces.isEmpty, order.mailbox.change({ $0.put(pieces) }) else { return }
        follower.fill()
        isFull = true
    }
}
