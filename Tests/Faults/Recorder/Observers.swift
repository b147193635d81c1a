import CBOR
import Client
import JSON
import LiveList
import Messages
import Synchronization

/// Follows a service's events from the first one on, and records what it applied.
final class Subscriber: Sendable {
    let service: ServiceName
    private let name: String
    private let client: DaybookClient
    private let history: History
    private let place = Mutex(EventPosition.start)

    init(_ name: String, _ service: ServiceName, _ client: DaybookClient, _ history: History) {
        self.name = name
        self.service = service
        self.client = client
        self.history = history
    }

    func hasReached(_ head: EventPosition) -> Bool {
        place.withLock { $0.epoch == head.epoch && $0.sequence >= head.sequence }
    }

    /// Follows until the task is cancelled; where the subscription ends, a new one goes on from its place.
    func follow() async throws {
        history.record(name, "follow", [.text("service", service.rawValue)])
        while !Task.isCancelled {
            do throws(ClientError) {
                for try await update in client.events(from: place.withLock { $0 }, of: service) { try apply(update) }
            } catch {
                if case .cancelled = error { return }
                history.record(name, "ended", [.text("message", error.description)])
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func apply(_ update: EventUpdate) throws(ClientError) {
        let position = update.position
        var members: [JSONValue.Member] = [
            .text("service", service.rawValue), .text("epoch", position.epoch?.hexadecimal ?? ""),
            .integer("sequence", position.sequence),
        ]
        if let chain = position.chain { members.append(.init(key: "chain", value: .number(String(chain)))) }
        switch update {
        case .transaction(let transaction):
            let events: [JSONValue]
            do throws(CBORError) {
                events = try transaction.events.map { (event) throws(CBORError) in
                    .string(JSONValue.Member.hexadecimal(try CBOREncoder().encode(event)))
                }
            } catch {
                throw .malformedReply(service, "\(error)")
            }
            members.append(.init(key: "events", value: .array(events)))
            if transaction.continues { members.append(.init(key: "continues", value: .boolean(true))) }
            history.record(name, "transaction", members)
        case .resync(let reason, _): history.record(name, "resync", members + [.text("reason", reason.rawValue)])
        }
        place.withLock { $0 = position }
    }
}

/// Keeps a mirror of a live list, and records each snapshot and batch that it applied.
final class Mirror: Sendable {
    let service: ServiceName
    let query: ListQuery
    private let name: String
    private let client: DaybookClient
    private let history: History
    private let results = Mutex(FetchedResults<EncodedCBOR>())

    init(_ name: String, _ query: ListQuery, of service: ServiceName, _ client: DaybookClient, _ history: History) {
        self.name = name
        self.query = query
        self.service = service
        self.client = client
        self.history = history
    }

    var digest: UInt64 { results.withLock { $0.digest } }

    /// Follows until the task is cancelled.
    func follow() async throws {
        history.record(
            name,
            "watch",
            [.text("service", service.rawValue), try .encoded("query", query.normalized)]
        )
        while !Task.isCancelled {
            do {
                for try await update in client.list(query, of: service) {
                    try apply(update)
                }
            } catch ClientError.cancelled {
                return
            } catch {
                history.record(name, "ended", [.text("message", "\(error)")])
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func apply(_ update: ListUpdate) throws {
        switch update {
        case .snapshot(let reply): history.record(name, "snapshot", [try .encoded("reply", reply)])
        case .batch(let batch): history.record(name, "batch", [try .encoded("batch", batch)])
        case .resync(let reason): history.record(name, "list-resync", [.text("reason", reason)])
        }
        try results.withLock { try $0.apply(update) }
    }
}
