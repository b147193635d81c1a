internal import CBOR
internal import Client
internal import Messages
internal import ZeroMQ

/// The sockets to a service whose log is followed, and the follower that decides over them.
final class SourceConnection {
    let source: ServiceName
    var follower: Follower
    private(set) var requests: any MessageSocket
    private(set) var events: Subscriber
    private let dialer: Dialer
    private let endpoints: ServiceEndpoints

    /// - Throws: `key`, `transport`.
    init(
        _ dialer: Dialer,
        _ source: ServiceName,
        _ endpoints: ServiceEndpoints,
        follower: Follower,
        now: Int64
    ) throws(ClientError) {
        self.source = source
        self.follower = follower
        self.dialer = dialer
        self.endpoints = endpoints
        requests = try dialer.socket(.dealer, source, endpoints.requests)
        let topics = [Topic.events(source), Topic.heartbeat(source)]
        events = try Subscriber(dialer, source, endpoints.events, topics: topics, now: now)
    }

    /// Connects anew where the source hasn't been heard for too long over TCP: see ``Subscriber``.
    ///
    /// - Returns: whether the sockets are others.
    func renewIfSilent(now: Int64) -> Bool {
        guard events.renewIfSilent(now: now) else { return false }
        if let new = try? dialer.socket(.dealer, source, endpoints.requests) {
            requests.close()
            requests = new
        }
        return true
    }

    func close() {
        requests.close()
        events.socket.close()
    }

    /// Sends a read; where the source can't take it, the follower asks again later.
    func send<R: Request>(_ request: R, id: UInt64) throws(ZeroMQError) {
        let header = RequestHeader(id: id, operation: R.operation, timeout: Int(Follower.patience))
        guard let head = try? CBOREncoder().encode(header), let body = try? CBOREncoder().encode(request) else {
            return
        }
        _ = try requests.send([Frame(head), Frame(body)])
    }

    /// What the follower makes of the next message from the source; nil where none is there.
    func receive(now: Int64) throws(ZeroMQError) -> [Follower.Action]? {
        if let message = try requests.receive() { return reply(message.frames, now: now) }
        if let message = try events.socket.receive() {
            events.hear(now: now)
            return published(message.frames, now: now)
        }
        return nil
    }

    /// What can't be read is left out: the follower notices what it lacks.
    private func reply(_ frames: [Frame], now: Int64) -> [Follower.Action] {
        let decoder = CBORDecoder()
        guard frames.count == 2, let header = try? decoder.decode(ReplyHeader.self, from: frames[0].bytes)
        else { return [] }
        guard header.status == .ok else {
            let error = try? decoder.decode(ErrorBody.self, from: frames[1].bytes)
            follower.refused(error?.message ?? header.status.rawValue, answering: header.id)
            return []
        }
        if follower.isPage(header.id) {
            guard let page = try? decoder.decode(ReadSnapshot.Reply.self, from: frames[1].bytes) else { return [] }
            return follower.copied(page, run: header.run, answering: header.id, now: now)
        }
        guard let page = try? decoder.decode(EventPage.self, from: frames[1].bytes) else { return [] }
        return follower.received(page, run: header.run, answering: header.id, now: now)
    }

    private func published(_ frames: [Frame], now: Int64) -> [Follower.Action] {
        let decoder = CBORDecoder()
        guard let topic = frames.first else { return [] }
        if topic.bytes == Array(Topic.heartbeat(source).utf8) {
            guard frames.count == 2, let heartbeat = try? decoder.decode(Heartbeat.self, from: frames[1].bytes)
            else { return [] }
            return follower.heard(heartbeat, now: now)
        }
        guard frames.count == 3,
            let header = try? decoder.decode(EventsHeader.self, from: frames[1].bytes),
            let events = try? decoder.decode([EncodedCBOR].self, from: frames[2].bytes)
        else { return [] }
        return follower.published(header, events, now: now)
    }
}
