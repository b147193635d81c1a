internal import CBOR
internal import Failpoints
internal import Messages
internal import Store

/// Some events at the log's beginning that are to go, and what they lead to.
///
/// A step is small, so that the writer is not held for long, and whole: after it the base, the floor and the events
/// fit together. There is nothing to resume after a crash.
struct TrimStep {
    /// The most events of a step.
    static let mostEvents = 256
    /// The most bytes of a step's events, unless one alone has more.
    static let mostBytes = 512 * 1024

    fileprivate struct Subject: Hashable {
        var entity: String
        var id: Identifier
    }

    fileprivate struct State {
        var version: Int
        var body: [UInt8]?
    }

    /// The floor after the step.
    fileprivate(set) var floor: Floor
    fileprivate(set) var events = 0
    fileprivate(set) var bytes: Int64 = 0
    fileprivate var states: [Subject: State] = [:]
}

extension EventLog {
    /// What the next step of trimming takes; nil where the policy keeps all that is there.
    ///
    /// Events go from the oldest on, whole transactions: one that was begun is finished by the next steps. The log's
    /// last transaction stays. Clocks may step back: an event goes only after those before it.
    func nextTrim(
        _ policy: RetentionPolicy,
        now: Instant,
        _ session: Session
    ) throws(StoreError) -> TrimStep? {
        guard !policy.keepsAll else { return nil }
        var step = TrimStep(floor: try Floor.load(session))
        var ends = false
        try session.query(
            "SELECT sequence, chain, body, moment FROM event WHERE sequence > $1 ORDER BY sequence LIMIT $2",
            .integer(step.floor.sequence),
            .integer(Int64(TrimStep.mostEvents))
        ) { (row) throws(StoreError) in
            guard !ends else { return }
            let body = row.blob(2)
            let event = try stored(body)
            let isOver = policy.bytes.map { bytes - step.bytes > $0 } ?? false
            let goes = policy.isTooOld(event.time, now: now) || isOver || event.transaction == step.floor.transaction
            let hasRoom = step.bytes == 0 || Int(step.bytes) + body.count <= TrimStep.mostBytes
            guard goes, hasRoom, event.transaction < transaction else {
                ends = true
                return
            }
            step.events += 1
            step.bytes += Int64(body.count)
            step.floor = Floor(
                sequence: row.integer(0),
                chain: row.bits(1),
                transaction: event.transaction,
                time: Instant(microseconds: row.integer(3))
            )
            let subject = TrimStep.Subject(entity: event.entity, id: event.subject)
            step.states[subject] = TrimStep.State(version: event.version, body: event.data?.bytes)
        }
        return step.events == 0 ? nil : step
    }

    /// Folds the step's events into the base, drops them and raises the floor; inside a transaction.
    mutating func trim(_ step: TrimStep, _ session: Session) throws(StoreError) {
        for (subject, state) in step.states {
            try session.execute(
                """
                INSERT INTO base (id, entity, version, body) VALUES ($1, $2, $3, $4)
                ON CONFLICT (id, entity) DO UPDATE SET version = excluded.version, body = excluded.body
                """,
                .id(subject.id),
                .text(subject.entity),
                .integer(Int64(state.version)),
                state.body.map(Value.blob) ?? .null
            )
        }
        failpoint("trim.between")
        try session.execute("DELETE FROM event WHERE sequence <= $1", .integer(step.floor.sequence))
        try step.floor.store(session)
        try dropped(step.bytes, session)
    }

    /// Decodes an event of the log.
    private func stored(_ body: [UInt8]) throws(StoreError) -> Event {
        do throws(ServiceError) {
            return try decodeStored(Event.self, body)
        } catch {
            guard case .store(let storeError) = error else { throw .fault("a stored event can't be decoded") }
            throw storeError
        }
    }
}
