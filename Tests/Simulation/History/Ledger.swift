import CBOR
import Messages
import Store

/// What a service's store held, read from its tables after each of its turns: what everything else is compared with.
/// Shares no code with what it checks but the decoder of records.
final class Ledger {
    let service: ServiceName
    private let session: Session
    private(set) var lineages: [Lineage]
    /// Whether the store was put back without a word: then one epoch may have two pasts.
    private(set) var wasCopiedBack = false

    /// - Parameter session: of a store that was opened once.
    init(_ service: ServiceName, _ session: Session) throws {
        self.service = service
        self.session = session
        lineages = []
        lineages.append(Lineage(epoch: try epoch()))
    }

    var current: Lineage { lineages[lineages.count - 1] }

    private func epoch() throws -> Identifier {
        let text = try session.first("SELECT value FROM meta WHERE key = 'epoch'") { $0.text(0) }
        guard let epoch = text.flatMap(Identifier.init) else { throw Violation("the store of \(service) has no epoch") }
        return epoch
    }

    /// Takes in what was committed since.
    ///
    /// - Returns: how many events that were.
    func follow() throws -> Int {
        let current = current
        let last = try session.first("SELECT sequence, chain FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.bits(1))
        }
        let head = last?.0 ?? 0
        try promise(head >= current.head, "\(service)'s log ended at \(current.head), and at \(head) now")
        guard head > current.head else {
            try promise((last?.1 ?? 0) == current.chain(at: head), "the log of \(service) has another past at \(head)")
            return 0
        }
        var rows: [(Lineage.Known?, Identifier?)] = []
        try session.query(
            "SELECT body, chain, key FROM event WHERE sequence > $1 ORDER BY sequence",
            .integer(current.head)
        ) { row in
            let body = row.blob(0)
            let event = try? CBORDecoder().decode(Event.self, from: body)
            rows.append((event.map { Lineage.Known(event: $0, body: body, chain: row.bits(1)) }, row.id(2)))
        }
        for (known, key) in rows {
            guard let known else { throw Violation("an event of \(service) can't be read") }
            try current.append(known, key: key)
        }
        return rows.count
    }

    /// How far the log was cut.
    func followFloor() throws {
        current.floor = try session.first("SELECT sequence FROM floor") { $0.integer(0) } ?? 0
    }

    /// The store was put back to an earlier state.
    ///
    /// - Parameter isMarked: a service that is started on it has a log of its own then.
    func wasPutBack(to lineage: Lineage, through sequence: Int64, floor: Int64, isMarked: Bool) throws {
        if !isMarked { wasCopiedBack = true }
        lineages.append(
            Lineage(epoch: lineage.epoch, after: lineage, through: Int(sequence), floor: floor)
        )
    }

    /// A service was started on the store.
    func wasOpened() throws {
        let epoch = try epoch()
        guard epoch != current.epoch else { return }
        lineages.append(Lineage(epoch: epoch, after: current, through: Int(current.head), floor: current.floor))
    }

    /// The logs that have this position; more than one where a store was copied back.
    func lineages(at position: Position) -> [Lineage] {
        lineages.filter { $0.epoch == position.epoch && $0.head >= position.sequence }
    }

    /// Whether the store's records are what the log's events lead to.
    func checkRecords() throws {
        let table = service == Paint.service ? "paints" : "notes"
        var count = 0
        var wrong: String?
        let state = current.state
        try session.query("SELECT id, version, body FROM \(table)") { row in
            count += 1
            guard let id = row.id(0) else { return }
            if state[id]?.body != row.blob(2) || state[id]?.version != Int(row.integer(1)) { wrong = id.description }
        }
        if let wrong { throw Violation("the record \(wrong) of \(service) is not what its events lead to") }
        try promise(count == state.count, "\(service) has \(count) records, and \(state.count) by its events")
    }
}
