internal import CBOR
public import Messages
internal import Store

extension Transaction {
    /// Blanks what is personal in a record, live or deleted, in all that this service keeps of it, and tells it.
    ///
    /// The event has no `before`; other services erase what they keep when they meet it.
    mutating func erase<R: Record>(
        _ request: Erase<R>,
        _ blank: @Sendable (inout R) -> Void
    ) throws(ServiceError) -> Erase<R>.Reply {
        let table = try registry.table(R.self)
        let stored = try record(R.self, request.id)
        let last = try first(
            "SELECT version, body FROM event WHERE entity = $1 AND subject = $2 ORDER BY version DESC LIMIT 1",
            .text(R.entity),
            .id(request.id)
        ) { (version: Int($0.integer(0)), body: $0.blob(1)) }
        // Its events may no longer be kept.
        let based = try first(
            "SELECT version FROM base WHERE entity = $1 AND id = $2",
            .text(R.entity),
            .id(request.id)
        ) {
            Int($0.integer(0))
        }
        guard let version = stored?.version ?? last?.version ?? based else {
            throw .refused(
                .notFound,
                "there is and was no \(R.entity) \(request.id)",
                field: "id",
                found: request.id.description
            )
        }
        try eraseKept(R.self, mentioning: request.id, blank)
        let copies = try storing { () throws(StoreError) in try session.keptCopies() }
        if let last, last.version == version, try decodeStored(Event.self, last.body).isErasure {
            return Erase<R>.Reply(record: stored, wasErased: true, copies: copies)
        }
        hasErased = true
        guard var record = stored else {
            tell(R.entity, request.id, version + 1)
            return Erase<R>.Reply(record: nil, wasErased: false, copies: copies)
        }
        blank(&record)
        record.version = version + 1
        try write(record, action: Erased.action, before: nil, replacing: stored, in: table)
        return Erase<R>.Reply(record: record, wasErased: false, copies: copies)
    }

    /// Blanks what this service keeps of records that name this id beside the records themselves: events and the base of
    /// those no longer kept, the replies to commands, imports that are staged. Doing it again changes nothing.
    ///
    /// An event keeps its place, and its digest and the chain: only `data` and `before` are rewritten. Reads the whole log of
    /// the entity where `id` is not the records' own: one to two seconds for each gigabyte.
    ///
    /// - Parameter blank: takes out of a record, as it was at any time, what is to be erased.
    public mutating func eraseKept<R: Record>(
        _ type: R.Type,
        mentioning id: Identifier,
        _ blank: (inout R) -> Void
    ) throws(ServiceError) {
        let own = "SELECT 1 FROM event WHERE entity = $1 AND subject = $2 LIMIT 1"
        let isOwn = try first(own, .text(R.entity), .id(id)) { _ in true } ?? false
        let condition = isOwn ? "subject = $2" : "instr(body, $2) > 0"
        let events = try bodies(
            "SELECT sequence, body FROM event WHERE entity = $1 AND \(condition)",
            .text(R.entity),
            .id(id)
        )
        for (sequence, body) in events {
            guard let blanked = try Erasure.event(body, blank) else { continue }
            hasErased = true
            erasedBytes += body.count - blanked.count
            try execute("UPDATE event SET body = $1, erased = 1 WHERE sequence = $2", .blob(blanked), sequence)
        }
        let base = try bodies(
            "SELECT id, body FROM base WHERE entity = $1 AND instr(body, $2) > 0",
            .text(R.entity),
            .id(id)
        )
        for (key, body) in base {
            guard let blanked = try Erasure.record(body, blank) else { continue }
            hasErased = true
            try execute("UPDATE base SET body = $1 WHERE id = $2 AND entity = $3", .blob(blanked), key, .text(R.entity))
        }
        let replies = try bodies(
            "SELECT key, body FROM reply WHERE operation IN ($1, $2) AND instr(body, $3) > 0",
            .text(Put<R>.operation),
            .text(Delete<R>.operation),
            .id(id)
        )
        for (key, body) in replies {
            guard let blanked = try Erasure.record(body, blank) else { continue }
            hasErased = true
            try execute("UPDATE reply SET body = $1 WHERE key = $2", .blob(blanked), key)
        }
        let staged = try execute(
            "DELETE FROM staged WHERE entity = $1 AND instr(body, $2) > 0",
            .text(R.entity),
            .id(id)
        )
        if staged > 0 { hasErased = true }
    }

    /// Whether the event is an erasure, or what it told was erased since.
    func isErased(_ event: Event) throws(ServiceError) -> Bool {
        if event.isErasure { return true }
        return try first("SELECT erased FROM event WHERE sequence = $1", .integer(event.sequence)) { $0.boolean(0) }
            ?? false
    }

    /// Tells the erasure of a record that is there no longer.
    private mutating func tell(_ entity: String, _ id: Identifier, _ version: Int) {
        events.append(
            PendingEvent(
                entity: entity,
                action: Erased.action,
                subject: id,
                version: version,
                data: nil,
                before: nil,
                cause: cause
            )
        )
    }

    private func bodies(_ sql: String, _ values: Value...) throws(ServiceError) -> [(key: Value, body: [UInt8])] {
        var found: [(key: Value, body: [UInt8])] = []
        try storing { () throws(StoreError) in
            try session.query(sql, values) { found.append(($0.value(0), $0.blob(1))) }
        }
        return found
    }
}

/// Blanks encoded records and events.
enum Erasure {
    /// The record with what is personal taken out; nil where that changes nothing.
    static func record<R: Record>(_ body: [UInt8], _ blank: (inout R) -> Void) throws(ServiceError) -> [UInt8]? {
        let record = try decodeStored(R.self, body)
        var blanked = record
        blank(&blanked)
        return blanked == record ? nil : try encoded(blanked)
    }

    /// The event with `data` and `before` blanked; nil where that changes nothing.
    static func event<R: Record>(_ body: [UInt8], _ blank: (inout R) -> Void) throws(ServiceError) -> [UInt8]? {
        var event = try decodeStored(Event.self, body)
        let after = event.data
        if let after, let blanked = try record(after.bytes, blank) { event.data = EncodedCBOR(trusted: blanked) }
        if let before = event.before {
            event.before = EncodedCBOR(trusted: try Self.before(before.bytes, after: after?.bytes, blank))
        }
        let blanked = try encoded(event)
        return blanked == body ? nil : blanked
    }

    /// `before` holds only fields: the whole record as it was is made of it and of the record after, and blanked.
    private static func before<R: Record>(
        _ before: [UInt8],
        after: [UInt8]?,
        _ blank: (inout R) -> Void
    ) throws(ServiceError) -> [UInt8] {
        let null: [UInt8] = [0xF6]
        let changed = try RecordChange.fields(before)
        var was: [String: [UInt8]] = [:]
        for field in try after.map(RecordChange.fields) ?? [] { was[field.key] = field.value }
        for field in changed { was[field.key] = field.value == null ? nil : field.value }
        let whole = RecordChange.map(was.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        guard let blanked = try record(whole, blank) else { return before }
        var now: [String: [UInt8]] = [:]
        for field in try RecordChange.fields(blanked) { now[field.key] = field.value }
        return RecordChange.map(changed.map { ($0.key, now[$0.key] ?? null) })
    }
}
