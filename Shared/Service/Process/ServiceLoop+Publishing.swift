internal import CBOR
internal import Client
internal import Failpoints
internal import Glibc
internal import Messages
internal import Store
internal import ZeroMQ

/// Tells subscribers what was committed.
extension ServiceLoop {
    /// Tells what was committed: a message for each run of consecutive events of one topic.
    func publish(_ events: [LoggedEvent]) throws {
        guard !events.isEmpty else { return }
        hasChanged = true
        var run: [LoggedEvent] = []
        var bytes = 0
        for event in events {
            if let last = run.last, last.entity != event.entity || bytes + event.body.count > 64 * 1024 {
                try publishRun(run)
                failpoint("publish.between")
                run = []
                bytes = 0
            }
            run.append(event)
            bytes += event.body.count
        }
        try publishRun(run)
    }

    func publishRun(_ run: [LoggedEvent]) throws {
        guard let first = run.first, let last = run.last else { return }
        let header = EventsHeader(
            epoch: engine.log.epoch,
            run: engine.run,
            first: first.sequence,
            through: last.sequence,
            chain: last.chain,
            chains: run.map(\.chain)
        )
        var writer = CBORWriter()
        writer.arrayHead(run.count)
        for event in run { writer.raw(event.body) }
        let topic = Topic.events(engine.definition.name, first.entity)
        try tell([Array(topic.utf8), try CBOREncoder().encode(header), writer.bytes])
    }

    /// Publishes a message by all entrances; the bytes are held once.
    func tell(_ message: [[UInt8]]) throws(ZeroMQError) {
        let frames = message.map { Frame($0) }
        for entrance in entrances { _ = try entrance.publisher?.send(frames) }
    }

    /// Answers a subscription to the heartbeat by one at once: the subscriber's others, made before it, are in force;
    /// and one to a live list by where the list is.
    func takeSubscriptions() throws {
        let heartbeat = [1] + Array(Topic.heartbeat(engine.definition.name).utf8)
        for entrance in entrances {
            while let message = try entrance.publisher?.receive() {
                guard let frame = message.frames.first?.bytes, let kind = frame.first else { continue }
                if frame == heartbeat { nextHeartbeat = 0 }
                let topic = String(decoding: frame.dropFirst(), as: UTF8.self)
                if kind == 1 {
                    entrance.subscribed(topic)
                    if let state = try hub.subscribed(topic, now: now) { publish([state]) }
                } else if kind == 0 {
                    entrance.topics.remove(topic)
                    unsubscribed(topic)
                }
            }
        }
    }

    /// A topic has no subscriber any more at one entrance.
    func unsubscribed(_ topic: String) {
        if entrances.contains(where: { $0.topics.contains(topic) }) { return }
        hub.unsubscribed(topic, now: now)
    }
}
