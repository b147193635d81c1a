import CBOR
import Client
import LiveList
import Messages
import ZeroMQ

/// A task that keeps a mirror of a live list.
final class ListWatcher {
    /// What can be asked, and worked out here from the log alone: by rank, then id.
    struct Query {
        var isBackwards: Bool
        var ranks: ClosedRange<Int64>?
        var isSectioned: Bool
        var window: ListWindow?

        func list(of entity: String) -> ListQuery {
            ListQuery(
                .entity(entity),
                filter: ranks.map { .range("rank", from: .integer($0.lowerBound), through: .integer($0.upperBound)) },
                sort: [SortKey("rank", descending: isBackwards)],
                section: isSectioned ? ListQuery.Section("rank", descending: isBackwards) : nil,
                window: window
            )
        }

        /// The rows in their order, as they are encoded.
        func rows(of state: [Identifier: Lineage.Entry]) -> [(rank: Int64, body: [UInt8])] {
            let wanted = state.filter { ranks?.contains($0.value.rank) ?? true }
            let sorted = wanted.sorted { one, other in
                if one.value.rank != other.value.rank {
                    return (one.value.rank < other.value.rank) != isBackwards
                }
                return one.key < other.key
            }
            let visible = sorted.dropFirst(window?.offset ?? 0).prefix(window?.limit ?? sorted.count)
            return visible.map { ($0.value.rank, $0.value.body) }
        }
    }

    let client: SimulatedClient
    let ledger: Ledger
    let query: Query
    private let endpoints: ServiceEndpoints
    private let fullBytes: Int
    private var mailbox: Mailbox<WaitingBatches>
    private var id: UInt64 = 0
    private var mirror = FetchedResults<EncodedCBOR>()
    private(set) var batches = 0
    private(set) var resyncs = 0

    init(
        _ client: SimulatedClient,
        _ ledger: Ledger,
        _ endpoints: ServiceEndpoints,
        _ query: Query,
        fullBytes: Int
    ) throws {
        self.client = client
        self.ledger = ledger
        self.endpoints = endpoints
        self.query = query
        self.fullBytes = fullBytes
        mailbox = Mailbox(WaitingBatches(fullBytes: fullBytes))
        try follow()
    }

    /// Follows it anew, with an empty mirror.
    func restart() throws {
        client.exchange.unsubscribe(id)
        mailbox = Mailbox(WaitingBatches(fullBytes: fullBytes))
        mirror = FetchedResults()
        try follow()
    }

    private func follow() throws {
        let entity = ledger.service == Paint.service ? Paint.entity : Note.entity
        let body = try CBOREncoder().encode(OpenList(query.list(of: entity).normalized))
        id = client.exchange.follow(
            ListSubscription.Order(
                service: ledger.service,
                endpoints: endpoints,
                body: Frame(body),
                after: [:],
                mailbox: mailbox
            )
        )
        client.tell()
    }

    /// Reads up to so many updates.
    ///
    /// - Returns: how many there were.
    /// - Throws: `Violation` where the mirror is not what a query would have given at its position.
    func take(_ count: Int) throws -> Int {
        for taken in 0..<count {
            let update = mailbox.change { $0.take() }
            if mailbox.change({ $0.hasRoomAgain() }) {
                client.exchange.drained(id)
                client.tell()
            }
            guard let update else { return taken }
            do throws(ListError) {
                try mirror.apply(update)
            } catch {
                throw Violation("a list of \(ledger.service) gave what can't be applied: \(error)")
            }
            if case .resync = update {
                resyncs += 1
                continue
            }
            batches += 1
            guard let position = mirror.positions[ledger.service.rawValue] else {
                throw Violation("a list of \(ledger.service) has no position")
            }
            let isEqual = ledger.lineages(at: position).contains { lineage in
                lineage.state(at: position.sequence).map(equals) ?? false
            }
            try promise(isEqual, "a list of \(ledger.service) is not what a query gave at \(position.sequence)")
        }
        return count
    }

    private func equals(_ state: [Identifier: Lineage.Entry]) -> Bool {
        let expected = query.rows(of: state)
        var index = 0
        for section in mirror.sections {
            let key = try? section.key.decode(Int64?.self)
            for row in section.rows {
                guard index < expected.count, expected[index].body == row.bytes else { return false }
                if query.isSectioned, key != expected[index].rank { return false }
                index += 1
            }
        }
        return index == expected.count
    }

    /// What it lacks, after everything had its time; nil where nothing.
    var lack: String? {
        guard mirror.list != nil, equals(ledger.current.state) else {
            return "a list of \(ledger.service) is not what a query gives now"
        }
        return nil
    }
}
