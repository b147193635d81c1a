internal import CBOR
internal import Messages
internal import Store

/// Replay: answers `events.read` from the log.
enum EventReader {
    /// The most events of a page that is not asked to be shorter.
    static let mostEvents = 1000
    /// A page's events are cut at this many bytes.
    static let mostBytes = 768 * 1024

    @Sendable static func read(_ request: ReadEvents, _ reading: Reading) throws(ServiceError) -> EventPage {
        guard request.sequence >= 0 else {
            throw .invalid(field: "sequence", found: String(request.sequence), "sequences count from 0")
        }
        return try storing { () throws(StoreError) in try page(request, epoch: reading.epoch, reading.session) }
    }

    /// The events behind a position, or why it can't be continued from.
    ///
    /// A page ends at the end of a transaction; a transaction that alone is larger than a page is cut, and the
    /// `last` of its last event tells where it ends.
    static func page(_ request: ReadEvents, epoch: Identifier, _ session: Session) throws(StoreError) -> EventPage {
        let last = try session.first("SELECT sequence, chain FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.bits(1))
        }
        let (head, headChain) = last ?? (0, 0)
        func resync(_ reason: ResyncReason) -> EventPage {
            EventPage(epoch: epoch, events: [], through: head, chain: headChain, head: head, resync: reason)
        }
        if let known = request.epoch, known != epoch { return resync(.epoch) }
        guard request.sequence <= head else { return resync(.future) }
        let stored = try session.first("SELECT chain FROM event WHERE sequence = $1", .integer(request.sequence)) {
            $0.bits(0)
        }
        var chain: UInt64
        if let stored {
            chain = stored
        } else {
            let floor = try Floor.load(session)
            guard request.sequence == floor.sequence else { return resync(.compacted) }
            chain = floor.chain
        }
        if request.sequence > 0, let known = request.chain, known != chain { return resync(.diverged) }
        let limit = min(max(request.limit ?? mostEvents, 1), mostEvents)
        var events: [EncodedCBOR] = []
        var ends: [Bool] = []
        var chains: [UInt64] = []
        var bytes = 0
        var isFull = false
        try session.query(
            "SELECT body, last, chain FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2",
            .integer(request.sequence),
            .integer(Int64(limit))
        ) { row in
            guard !isFull else { return }
            let body = row.blob(0)
            if bytes + body.count > mostBytes && !events.isEmpty {
                isFull = true
                return
            }
            bytes += body.count
            events.append(EncodedCBOR(trusted: body))
            ends.append(row.boolean(1))
            chains.append(row.bits(2))
        }
        // Cut back to the last whole transaction, unless not even one is whole.
        if let end = ends.lastIndex(of: true), end < events.count - 1 {
            events.removeSubrange((end + 1)...)
        }
        if !events.isEmpty { chain = chains[events.count - 1] }
        let through = request.sequence + Int64(events.count)
        return EventPage(
            epoch: epoch,
            events: events,
            through: through,
            chain: chain,
            head: head,
            chains: Array(chains.prefix(events.count))
        )
    }
}
