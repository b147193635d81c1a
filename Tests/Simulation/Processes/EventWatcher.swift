import Client
import Messages

/// A task that reads a service's events, slowly or not, and stores its position with what it made of them.
final class EventWatcher {
    let client: SimulatedClient
    let ledger: Ledger
    private let endpoints: ServiceEndpoints
    private let fullBytes: Int
    private var mailbox: Mailbox<WaitingEvents>
    private var id: UInt64 = 0
    /// Behind what was read.
    private(set) var position: EventPosition = .start
    /// The log that it reads, as far as that is known.
    private var lineage: Lineage?
    private(set) var resyncs = 0

    init(_ client: SimulatedClient, _ ledger: Ledger, _ endpoints: ServiceEndpoints, fullBytes: Int) {
        self.client = client
        self.ledger = ledger
        self.endpoints = endpoints
        self.fullBytes = fullBytes
        mailbox = Mailbox(WaitingEvents(fullBytes: fullBytes))
        subscribe()
    }

    /// Reads on from the stored position, in a subscription of its own.
    func restart() {
        client.exchange.unsubscribe(id)
        mailbox = Mailbox(WaitingEvents(fullBytes: fullBytes))
        subscribe()
    }

    private func subscribe() {
        id = client.exchange.subscribe(
            EventSubscription.Order(
                service: ledger.service,
                endpoints: endpoints,
                position: position,
                entities: nil,
                isFollowing: true,
                mailbox: mailbox
            )
        )
        client.tell()
    }

    /// Reads up to so many elements.
    ///
    /// - Returns: how many there were.
    /// - Throws: `Violation` where one does not follow the one before, or isn't what was committed.
    func take(_ count: Int) throws -> Int {
        for taken in 0..<count {
            let update = mailbox.change { $0.take() }
            if mailbox.change({ $0.hasRoomAgain() }) {
                client.exchange.drained(id)
                client.tell()
            }
            guard let update else { return taken }
            switch update {
            case .transaction(let transaction): try take(transaction)
            case .resync(let reason, let start): try take(reason, start)
            }
        }
        return count
    }

    private func take(_ transaction: EventTransaction) throws {
        let (before, end) = (position, transaction.position)
        guard let epoch = end.epoch, let chain = end.chain else {
            throw Violation("a position of \(ledger.service) has no epoch or chain")
        }
        try promise(before.epoch == nil || before.epoch == epoch, "events of another epoch without a resync")
        let found = ledger.lineages(at: Position(epoch: epoch, sequence: end.sequence)).last {
            $0.chain(at: end.sequence) == chain
        }
        guard let found else {
            throw Violation("\(ledger.service) told event \(end.sequence), which was not committed so")
        }
        if let known = before.chain {
            try promise(found.chain(at: before.sequence) == known, "events of another past without a resync")
        }
        var next = before.sequence + 1
        for event in transaction.events {
            try promise(event.sequence == next, "event \(event.sequence) came where \(next) was to come")
            try promise(found.events[Int(next) - 1].event == event, "event \(next) is another than was committed")
            next += 1
        }
        try promise(next == end.sequence + 1, "a transaction ends at \(end.sequence), its events at \(next - 1)")
        try promise(transaction.events.last?.last == true, "event \(end.sequence) does not end a transaction")
        position = end
        lineage = found
    }

    private func take(_ reason: ResyncReason, _ start: EventPosition) throws {
        resyncs += 1
        guard let epoch = start.epoch else { throw Violation("a resync of \(ledger.service) has no epoch") }
        let found = ledger.lineages(at: Position(epoch: epoch, sequence: start.sequence)).last {
            $0.chain(at: start.sequence) == start.chain
        }
        guard let found else { throw Violation("a resync of \(ledger.service) to \(start.sequence), which never was") }
        let isTrue: Bool =
            switch reason {
            // Who begins with whatever log there is may have met the one before, and nothing in it.
            case .epoch: position.epoch.map { $0 != epoch } ?? (ledger.lineages.count > 1)
            case .compacted: found.floor > position.sequence
            case .diverged, .future: ledger.wasCopiedBack
            }
        let words = "\(reason) at \(position.sequence), and it is kept from \(found.floor) on"
        try promise(isTrue, "a resync of \(ledger.service) for no reason: \(words)")
        position = start
        lineage = found
    }

    /// What it lacks, after everything had its time; nil where nothing.
    var lack: String? {
        let current = ledger.current
        if position.sequence == current.head, current.head == 0 { return nil }
        if position.epoch == current.epoch, position.sequence == current.head, lineage === current { return nil }
        if position.epoch == current.epoch, position.chain == current.chain(at: current.head) { return nil }
        return "a subscriber of \(ledger.service) is at \(position.sequence), the log at \(current.head)"
    }
}
