import CBOR
import Messages
import Synchronization
import ZeroMQ

@testable import Client

/// A service as small as can be: answers `events.read` from a log, and publishes what the test wants published.
final class FakeService: Sendable {
    private final class Content: Sendable {
        let log: Mutex<FakeLog>
        let refusal = Mutex<Status?>(nil)

        init(_ log: FakeLog) {
            self.log = Mutex(log)
        }

        func answer(_ request: Peer.Received) -> [[[UInt8]]] {
            if let status = refusal.withLock(\.self) {
                return [request.reply(status, ErrorBody(code: status.rawValue, message: "No."))]
            }
            guard let read = try? CBORDecoder().decode(ReadEvents.self, from: request.body) else { return [] }
            let (page, run) = log.withLock { ($0.page(read, limit: 100), $0.run) }
            let header = ReplyHeader(id: request.header.id, status: .ok, run: run)
            return [[encoded(header), encoded(page)]]
        }
    }

    private let content: Content
    private let peer: Peer
    private let publisher: Mutex<Socket>

    init(_ endpoints: ServiceEndpoints, _ log: FakeLog = FakeLog()) throws {
        let content = Content(log)
        self.content = content
        let socket = try Socket(Context(), .xpub)
        _ = try socket.bind(endpoints.events)
        publisher = Mutex(socket)
        peer = try Peer(endpoints.requests) { content.answer($0) }
    }

    var log: FakeLog { content.log.withLock(\.self) }

    /// How many pages were asked for.
    var reads: Int { peer.ids.count }

    /// Waits until so many requests came, attempts counted each.
    func asked(_ count: Int) async { await peer.arrived(count) }

    func refuse(_ status: Status?) { content.refusal.withLock { $0 = status } }

    /// Commits a transaction; publishes it, or loses it.
    func commit(_ entities: String..., text: String = "", isLost: Bool = false) {
        let (first, log) = content.log.withLock { log in
            let first = log.head + 1
            log.append(entities, text: text)
            return (first, log)
        }
        guard !isLost else { return }
        let message = log.message(first, log.head)
        publish(Topic.events(.orders, entities[0]), encoded(message.header), encoded(message.events))
    }

    func beat() { publish(Topic.heartbeat(.orders), encoded(log.heartbeat)) }

    /// What a subscriber told since the last call: `\1orders/` or `\0orders/`.
    func subscriptions() -> [[UInt8]] {
        publisher.withLock { socket in
            var messages: [[UInt8]] = []
            while let message = try? socket.receive() { messages.append(message.frames[0].bytes) }
            return messages
        }
    }

    func stop() {
        peer.stop()
        publisher.withLock { $0.close() }
    }

    private func publish(_ topic: String, _ frames: [UInt8]...) {
        publisher.withLock { socket in
            // Takes note of who subscribed.
            _ = try? socket.send([Array(topic.utf8)] + frames)
        }
    }
}
