internal import CBOR
internal import Messages
internal import Store

/// What the temporary tables of an entity hold.
private struct PastState: Equatable {
    var moment: PastMoment
    /// How far the log was looked through.
    var head: Int64
    /// The last change of a name, and how often something was erased: after another one all is made anew.
    var renamed: Int64?
    var erasures: Int64
}

/// Makes the temporary tables that lists of the past are read from.
///
/// They have the names of the entity's own tables and hide them: whatever writes a record writes it there. Only the reader
/// of the past has them. They are kept between requests, so that the pages of a list are made once, and hold one moment
/// of each entity.
extension RecordTable {
    private var changed: String { "temp.\"\(entity.table)_changed\"" }

    /// Makes the temporary tables hold the records that changed since a moment as they were then.
    ///
    /// A record with an event behind the moment was what the first of these events says that it had been; one without is
    /// what it was. Reads the log from the moment on: what is further back takes longer.
    func goBack(to asOf: AsOf, _ session: Session) throws(ServiceError) -> Past {
        let floor = try storing { () throws(StoreError) in try Floor.load(session) }
        let moment = try PastMoment.reached(asOf, of: R.service, session)
        if entity.shown != nil, let since = try PastNames.since(session), moment.time < since.microseconds {
            throw .refused(
                .gone,
                "the names that \(R.service) shows are known from \(since) on: older events are no longer kept. Ask for that "
                    + "moment or a later one",
                field: "asOf",
                found: "\(Instant(microseconds: moment.time))"
            )
        }
        let state = PastState(
            moment: moment,
            head: try count("SELECT coalesce(max(sequence), 0) FROM event", session),
            renamed: entity.shown == nil ? nil : try PastNames.last(session),
            erasures: try storing { () throws(StoreError) in try Counter.value(Erasing.counter, session) }
        )
        var kept = try keptState(session)
        let head = kept?.head ?? 0
        kept?.head = state.head
        if kept == state {
            // The same as before, but for what has changed since.
            if head < state.head { try add(from: head, moment, session) }
        } else {
            try remake(moment, session)
        }
        try keep(state, session)
        // What is asked for is searched before this transaction ends.
        try storing { () throws(StoreError) in try session.runDeferred() }
        let time = try PastMoment.time(of: moment.sequence, floor, session)
        return Past(
            moment: AsOf.Listed(
                sequence: moment.sequence,
                time: moment.sequence == 0 ? nil : Instant(microseconds: time)
            ),
            changed: changed
        )
    }

    private func remake(_ moment: PastMoment, _ session: Session) throws(ServiceError) {
        try drop(session)
        // Before the temporary tables hide those that the condition is about.
        var renamed: Set<Identifier> = []
        if let shown = entity.shown {
            for id in try PastNames.changed(since: moment.time, session) {
                try storing { () throws(StoreError) in
                    try session.query("SELECT id FROM \"\(entity.table)\" WHERE \(shown.referring)", .id(id)) {
                        if let id = $0.id(0) { renamed.insert(id) }
                    }
                }
            }
        }
        try storing { () throws(StoreError) in
            try session.executeScript(
                "CREATE TABLE \(changed) (id BLOB PRIMARY KEY) WITHOUT ROWID;\n" + entity.schema(in: "temp.")
            )
        }
        try add(from: moment.sequence, moment, session)
        for id in renamed where try mark(id, session) {
            let body = try storing { () throws(StoreError) in
                try session.first("SELECT body FROM main.\"\(entity.table)\" WHERE id = $1", .id(id)) { $0.blob(0) }
            }
            if let body { try write(try decodeStored(R.self, body), moment, session) }
        }
    }

    /// Writes the records that have their first event since the moment behind `sequence`.
    private func add(from sequence: Int64, _ moment: PastMoment, _ session: Session) throws(ServiceError) {
        var failure: ServiceError?
        try storing { () throws(StoreError) in
            try session.query(
                "SELECT subject, body FROM event WHERE sequence > $1 AND entity = $2 ORDER BY sequence",
                .integer(sequence),
                .text(R.entity)
            ) { row in
                guard failure == nil, let id = row.id(0) else { return }
                do throws(ServiceError) {
                    guard try mark(id, session) else { return }
                    let event = try decodeStored(Event.self, row.blob(1))
                    if let record = try former(event) { try write(record, moment, session) }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Notes that the record changed; false where that was known.
    private func mark(_ id: Identifier, _ session: Session) throws(ServiceError) -> Bool {
        try storing { () throws(StoreError) in
            try session.execute("INSERT INTO \(changed) (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", .id(id)) > 0
        }
    }

    /// What the record was before the event; nil where it was not there. Of what was erased nothing comes back.
    private func former(_ event: Event) throws(ServiceError) -> R? {
        var record: R
        switch (event.data, event.before) {
        case (let data?, let before?):
            record = try decodeStored(R.self, RecordChange.undoing(data.bytes, before.bytes))
        case (nil, let before?): record = try decodeStored(R.self, before.bytes)
        case (let data?, nil) where event.isErasure: record = try decodeStored(R.self, data.bytes)
        default: return nil
        }
        record.version = event.version - 1
        return record
    }

    private func write(_ record: R, _ moment: PastMoment, _ session: Session) throws(ServiceError) {
        var record = record
        try entity.shown?.rename(&record) { (id) throws(ServiceError) in
            try PastNames.name(of: id, at: moment.time, session)
        }
        _ = try write(record, body: try encoded(record), replacing: nil, session)
    }

    // MARK: The tables

    private static var states: String { "temp.past_states" }

    private func keptState(_ session: Session) throws(ServiceError) -> PastState? {
        try storing { () throws(StoreError) in
            try session.executeScript(
                """
                CREATE TABLE IF NOT EXISTS \(Self.states) (
                    entity TEXT PRIMARY KEY, sequence INTEGER, time INTEGER, head INTEGER, renamed INTEGER, erasures INTEGER
                )
                """
            )
            let sql = "SELECT sequence, time, head, renamed, erasures FROM \(Self.states) WHERE entity = $1"
            return try session.first(sql, .text(R.entity)) { row in
                PastState(
                    moment: PastMoment(sequence: row.integer(0), time: row.integer(1)),
                    head: row.integer(2),
                    renamed: row.isNull(3) ? nil : row.integer(3),
                    erasures: row.integer(4)
                )
            }
        }
    }

    private func keep(_ state: PastState, _ session: Session) throws(ServiceError) {
        try storing { () throws(StoreError) in
            try session.execute("DELETE FROM \(Self.states) WHERE entity = $1", .text(R.entity))
            try session.execute(
                "INSERT INTO \(Self.states) VALUES ($1, $2, $3, $4, $5, $6)",
                .text(R.entity),
                .integer(state.moment.sequence),
                .integer(state.moment.time),
                .integer(state.head),
                state.renamed.map(Value.integer) ?? .null,
                .integer(state.erasures)
            )
        }
    }

    private func drop(_ session: Session) throws(ServiceError) {
        let indexes = [listed.index] + entity.parts.map(\.index)
        let tables = indexes.compactMap { $0?.name } + entity.parts.map(\.table) + [entity.table]
        try storing { () throws(StoreError) in
            for table in tables { try session.executeScript("DROP TABLE IF EXISTS temp.\"\(table)\"") }
            try session.executeScript("DROP TABLE IF EXISTS \(changed)")
        }
    }

    private func count(_ sql: String, _ session: Session) throws(ServiceError) -> Int64 {
        try storing { () throws(StoreError) in try session.first(sql) { $0.integer(0) } } ?? 0
    }
}
