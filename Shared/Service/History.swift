internal import CBOR
internal import Messages
internal import Store

/// Answers what the log holds of one record and of one command, and reverses commands.
enum History {
    static let longestPage = 1000

    @Sendable static func snapshot(
        _ request: ReadSnapshot,
        _ reading: Reading
    ) throws(ServiceError) -> ReadSnapshot.Reply {
        let table = try reading.registry.table(named: request.entity)
        let limit = min(max(request.limit ?? longestPage, 1), longestPage)
        let (rows, next) = try storing { () throws(StoreError) in
            try table.page(after: request.after, limit: limit, mostBytes: EventReader.mostBytes, reading.session)
        }
        let head = try reading.first("SELECT sequence, chain FROM event ORDER BY sequence DESC LIMIT 1") {
            ($0.integer(0), $0.bits(1))
        }
        return ReadSnapshot.Reply(
            rows: rows,
            next: next,
            epoch: reading.epoch,
            sequence: head?.0 ?? 0,
            chain: head?.1 ?? 0
        )
    }

    @Sendable static func history(_ request: ReadHistory, _ reading: Reading) throws(ServiceError) -> ReadHistory.Reply
    {
        let limit = min(max(request.limit ?? 100, 1), longestPage)
        var events: [EncodedCBOR] = []
        var keys: [Identifier?] = []
        var bytes = 0
        var more = false
        try reading.query(
            "SELECT body, key FROM event WHERE subject = $1 AND sequence < $2 ORDER BY version DESC LIMIT $3",
            .id(request.subject),
            .integer(request.before ?? .max),
            .integer(Int64(limit) + 1)
        ) { (row) throws(StoreError) in
            let body = row.blob(0)
            if more || events.count == limit || (bytes + body.count > EventReader.mostBytes && !events.isEmpty) {
                more = true
                return
            }
            bytes += body.count
            events.append(EncodedCBOR(trusted: body))
            keys.append(row.id(1))
        }
        guard !more else { return ReadHistory.Reply(events: events, more: true, keys: keys) }
        let hadMore = try reading.first("SELECT 1 FROM base WHERE id = $1", .id(request.subject)) { _ in true } ?? false
        let floor = try storing { () throws(StoreError) in try Floor.load(reading.session) }
        return ReadHistory.Reply(events: events, more: false, keys: keys, since: hadMore ? floor.time : nil)
    }

    @Sendable static func commands(
        _ request: ListCommands,
        _ reading: Reading
    ) throws(ServiceError) -> ListCommands.Reply {
        let limit = min(max(request.limit ?? 10, 1), 100)
        var commands: [ListCommands.Command] = []
        // By the log, not by the keys: those carry the clients' time. Only its end is searched.
        try reading.query(
            """
            SELECT r.key, r.operation, r.sequence
            FROM (SELECT key, max(sequence) AS latest FROM event
                WHERE key IS NOT NULL AND sequence > (SELECT coalesce(max(sequence), 0) FROM event) - 10000
                GROUP BY key) AS e
            JOIN reply r ON r.key = e.key AND r.sequence = e.latest
            WHERE r.principal IS NOT DISTINCT FROM $1
            ORDER BY e.latest DESC LIMIT $2
            """,
            .optional(reading.principal),
            .integer(Int64(limit))
        ) { (row) throws(StoreError) in
            guard let key = row.id(0) else { return }
            commands.append(ListCommands.Command(key: key, operation: row.text(1), sequence: row.integer(2)))
        }
        return ListCommands.Reply(commands: commands)
    }

    @Sendable static func undo(
        _ request: UndoCommand,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> UndoCommand.Reply {
        let found = try transaction.first(
            "SELECT operation, sequence, events FROM reply WHERE key = $1 AND principal IS NOT DISTINCT FROM $2",
            .id(request.key),
            .optional(transaction.principal)
        ) { ($0.text(0), $0.integer(1), $0.integer(2)) }
        guard let (operation, sequence, count) = found else {
            throw .refused(
                .notFound,
                "no command of yours with the key \(request.key) is kept here",
                field: "key",
                found: request.key.description
            )
        }
        let floor = try storing { () throws(StoreError) in try Floor.load(transaction.session) }
        guard count == 0 || sequence - count >= floor.sequence else {
            throw .compacted("the command with the key \(request.key)", floor, field: "key")
        }
        let events = try Self.events(from: sequence - count + 1, through: sequence, transaction)
        guard !events.isEmpty else {
            throw .refused(.notFound, "the command with the key \(request.key) changed nothing", field: "key")
        }
        for event in events.reversed() {
            try transaction.registry.table(named: event.entity).undo(event, &transaction)
        }
        guard !transaction.events.isEmpty else {
            throw .refused(
                .conflict,
                "what the command did stays as it is, such as that an order was printed: nothing of it can be undone",
                field: "key"
            )
        }
        // What goes may take others with it that were made since: those are not the command's to undo.
        guard transaction.events.count <= events.count else {
            throw .refused(
                .conflict,
                "others depend by now on what the command made: delete or change those first",
                field: "key"
            )
        }
        return UndoCommand.Reply(operation: operation, events: events.map(\.type))
    }

    private static func events(
        from first: Int64,
        through last: Int64,
        _ transaction: Transaction
    ) throws(ServiceError) -> [Event] {
        var bodies: [[UInt8]] = []
        try storing { () throws(StoreError) in
            try transaction.session.query(
                "SELECT body FROM event WHERE sequence BETWEEN $1 AND $2 ORDER BY sequence",
                .integer(first),
                .integer(last)
            ) { bodies.append($0.blob(0)) }
        }
        var events: [Event] = []
        for body in bodies { events.append(try decodeStored(Event.self, body)) }
        return events
    }
}

extension RecordTable {
    func page(
        after: Identifier?,
        limit: Int,
        mostBytes: Int,
        _ session: Session
    ) throws(StoreError) -> (rows: [EncodedCBOR], next: Identifier?) {
        var rows: [EncodedCBOR] = []
        var bytes = 0
        var last: Identifier?
        var more = false
        try session.query(
            "SELECT id, body FROM \"\(entity.table)\" WHERE id > $1 ORDER BY id LIMIT $2",
            after.map(Value.id) ?? .blob([]),
            .integer(Int64(limit) + 1)
        ) { row in
            let body = row.blob(1)
            if more || rows.count == limit || (bytes + body.count > mostBytes && !rows.isEmpty) {
                more = true
                return
            }
            bytes += body.count
            rows.append(EncodedCBOR(trusted: body))
            last = row.id(0)
        }
        return (rows, more ? last : nil)
    }

    /// Reverses an event of this entity.
    ///
    /// - Throws: `conflict` where the record was changed or erased since.
    func undo(_ event: Event, _ transaction: inout Transaction) throws(ServiceError) {
        if entity.erase != nil, try transaction.isErased(event) {
            throw .refused(
                .conflict,
                "the \(R.entity) \(event.subject) was erased: that can't be undone",
                field: "key"
            )
        }
        let stored = try transaction.record(R.self, event.subject)
        guard stored?.version ?? (event.version) == event.version, (stored == nil) == event.isDelete else {
            throw .refused(
                .conflict,
                "the \(R.entity) \(event.subject) was changed since: undo that first, or edit it",
                field: "key"
            )
        }
        guard let stored else {
            guard let before = event.before else { throw .store(.fault("a delete's event lacks the record")) }
            try transaction.restore(try decodeStored(R.self, before.bytes), version: event.version + 1)
            return
        }
        guard let before = event.before, let data = event.data else {
            try transaction.delete(Delete<R>(id: stored.id, version: stored.version))
            return
        }
        try transaction.put(try decodeStored(R.self, RecordChange.undoing(data.bytes, before.bytes)))
    }
}

extension Transaction {
    /// Makes a deleted record again, with its id and number.
    mutating func restore<R: Record>(_ record: R, version: Int) throws(ServiceError) {
        isRestoring = true
        defer { isRestoring = false }
        let table = try registry.table(R.self)
        var new = record
        try table.entity.prepare(&new, record, &self)
        new.version = version
        try write(new, action: "created", before: nil, replacing: nil, in: table)
    }
}
