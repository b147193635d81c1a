internal import CBOR
internal import Failpoints
internal import Messages
internal import Store

/// Fills an empty service from an archive: rows are staged as they come, then all taken at once or not at all.
struct ArchiveLoader: Sendable {
    /// The key in `meta` of the archive that the service was loaded from.
    static let mark = "archive"
    private static let prefix = "archive/"

    let tables: [ArchivedTable]
    let projections: [Projection]

    @Sendable func stage(_ request: StageArchive, _ transaction: inout Transaction) throws(ServiceError) -> Empty {
        try checkEmpty(transaction)
        let known = ["imported", "reply", "base", ArchiveFormat.events, ArchiveFormat.log]
        guard
            known.contains(request.part) || tables.contains(where: { $0.name == request.part })
                || transaction.registry.names.contains(request.part)
        else {
            throw .invalid(
                field: "part",
                found: request.part,
                "this service has no part '\(request.part.prefix(100))': the archive is another service's, or of a newer program"
            )
        }
        try Importer.stage(
            ImportStage(
                batch: request.archive,
                chunk: request.chunk,
                entity: Self.prefix + request.part,
                items: request.rows
            ),
            of: transaction
        )
        return Empty()
    }

    @Sendable func load(
        _ request: LoadArchive,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> LoadArchive.Reply {
        try checkEmpty(transaction)
        do throws(ServiceError) {
            return try take(request, &transaction)
        } catch .store(.constraint(let reason)) {
            throw .invalid(field: "rows", "rows of the archive contradict each other: \(reason)")
        }
    }

    private func checkEmpty(_ transaction: Transaction) throws(ServiceError) {
        let last = try transaction.first(
            "SELECT max(sequence) FROM (SELECT max(sequence) AS sequence FROM event UNION ALL SELECT sequence FROM floor)"
        ) { $0.integer(0) }
        guard let last, last > 0 else { return }
        throw .invalid(
            field: "archive",
            found: String(last),
            "this service is not empty: its log has \(last) events; an archive goes into an empty installation"
        )
    }

    private func take(
        _ request: LoadArchive,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> LoadArchive.Reply {
        let chunks = try Importer.staged(request.archive, request.chunks, transaction)
        func each(
            _ part: String,
            _ transaction: inout Transaction,
            _ body: ([UInt8], inout Transaction) throws(ServiceError) -> Void
        ) throws(ServiceError) {
            for (chunk, entity) in chunks where entity == Self.prefix + part {
                let rows = try Importer.items(of: request.archive, chunk, transaction)
                for (number, row) in rows.enumerated() {
                    if number % Importer.itemsBetweenInterludes == 0 { transaction.interlude() }
                    failpoint("archive.between")
                    try body(row.bytes, &transaction)
                }
            }
        }
        var log: ArchivedLog?
        try each(ArchiveFormat.log, &transaction) { (row, _) throws(ServiceError) in
            log = try Self.decoded(ArchivedLog.self, row)
        }
        guard let log else { throw .invalid(field: "rows", "the archive lacks the log's end: export it again") }
        try each("imported", &transaction) { (row, transaction) throws(ServiceError) in
            let imported = try Self.decoded(ImportedRow.self, row)
            try transaction.execute(
                "INSERT INTO imported (id, digest) VALUES ($1, $2)",
                .id(imported.id),
                .bits(imported.digest)
            )
        }
        try each("base", &transaction) { (row, transaction) throws(ServiceError) in
            let base = try Self.decoded(BaseRow.self, row)
            try Self.check(base.version)
            try transaction.execute(
                "INSERT INTO base (id, entity, version, body) VALUES ($1, $2, $3, $4)",
                .id(base.id),
                .text(base.entity),
                .integer(base.version),
                base.record.map { .blob($0.bytes) } ?? .null
            )
        }
        try each("reply", &transaction) { (row, transaction) throws(ServiceError) in
            try Self.insert(try Self.decoded(ReplyRow.self, row), transaction)
        }
        for table in tables {
            try each(table.name, &transaction) { (row, transaction) throws(ServiceError) in
                try table.insert(row, transaction)
            }
        }
        var moment = log.floor?.time.microseconds ?? .min
        try each(ArchiveFormat.events, &transaction) { (row, transaction) throws(ServiceError) in
            try Self.insert(try Self.decoded(ArchivedEvent.self, row), &moment, &transaction)
        }
        try Self.close(log, &transaction)
        var records: [String: Int] = [:]
        for name in transaction.registry.names {
            let table = try transaction.registry.table(named: name)
            records[name] = 0
            try each(name, &transaction) { (row, transaction) throws(ServiceError) in
                try table.load(row, &transaction)
                records[name, default: 0] += 1
            }
        }
        try check(log, transaction)
        try transaction.execute("DELETE FROM staged WHERE batch = $1", .id(request.archive))
        let epoch = try renew(request, &transaction)
        return LoadArchive.Reply(epoch: epoch, sequence: log.sequence, records: records)
    }

    /// What can't be read is the archive's fault.
    private static func decoded<Row: Decodable>(_ type: Row.Type, _ row: [UInt8]) throws(ServiceError) -> Row {
        do throws(CBORError) {
            return try CBORDecoder().decode(type, from: row)
        } catch {
            throw .invalid(field: "rows", "a row of the archive can't be read: \(error)")
        }
    }

    /// What is counted is counted on later, and so are times where a clock was put back: the numbers have to leave room.
    private static func check(_ numbers: Int64..., times: Instant...) throws(ServiceError) {
        let most = Counter.most
        let times = times.map(\.microseconds)
        guard let wrong = numbers.first(where: { !(0...most ~= $0) }) ?? times.first(where: { !(-most...most ~= $0) })
        else { return }
        throw .invalid(
            field: "rows",
            found: String(wrong),
            "a row of the archive has the number \(wrong), which none has"
        )
    }

    private static func insert(_ reply: ReplyRow, _ transaction: Transaction) throws(ServiceError) {
        try check(reply.sequence, reply.events)
        try transaction.execute(
            """
            INSERT INTO reply (key, principal, operation, fingerprint, sequence, events, body)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .id(reply.key),
            .optional(reply.principal),
            .text(reply.operation),
            .bits(reply.fingerprint),
            .integer(reply.sequence),
            .integer(reply.events),
            .blob(reply.reply.bytes)
        )
    }

    /// - Parameter moment: of the event before, and then of this one: it rises also where a clock was put back.
    private static func insert(
        _ row: ArchivedEvent,
        _ moment: inout Int64,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        let event = try decoded(Event.self, row.event.bytes)
        try check(event.sequence, event.previous, event.transaction, Int64(event.version), times: event.time)
        moment = max(moment, event.time.microseconds)
        try transaction.execute(
            """
            INSERT INTO event (sequence, entity, subject, version, last, moment, digest, chain, key, erased, body)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            .integer(event.sequence),
            .text(event.entity),
            .id(event.subject),
            .integer(Int64(event.version)),
            .boolean(event.last ?? false),
            .integer(moment),
            .bits(row.digest),
            .bits(row.chain),
            .optional(row.key),
            .boolean(row.erased ?? false),
            .blob(row.event.bytes)
        )
        guard event.isDelete, !event.isErasure, let before = event.before else { return }
        let time = transaction.time
        transaction.time = event.time
        defer { transaction.time = time }
        try transaction.registry.table(named: event.entity).didDelete(before.bytes, &transaction)
    }

    /// Sets where the log begins, and what is counted.
    private static func close(_ log: ArchivedLog, _ transaction: inout Transaction) throws(ServiceError) {
        for count in log.counters.values { try check(count) }
        if let floor = log.floor { try check(floor.sequence, floor.transaction, times: floor.time) }
        let session = transaction.session
        try storing { () throws(StoreError) in
            if let floor = log.floor {
                try Floor(
                    sequence: floor.sequence,
                    chain: floor.chain,
                    transaction: floor.transaction,
                    time: floor.time
                ).store(session)
            }
            for (name, value) in log.counters { try Counter.set(name, to: value, session) }
        }
    }

    /// Everything has to fit together: the events among themselves, and the records to them.
    private func check(_ log: ArchivedLog, _ transaction: Transaction) throws(ServiceError) {
        let found = try LogCheck.check(transaction.session, transaction.registry, interlude: transaction.interlude)
        if let example = found.examples.first {
            throw .invalid(field: "rows", "the archive doesn't fit together: \(example)")
        }
        let chain = try transaction.first("SELECT chain FROM event ORDER BY sequence DESC LIMIT 1") { $0.bits(0) }
        guard found.sequence == log.sequence, chain ?? log.floor?.chain ?? 0 == log.chain else {
            throw .invalid(
                field: "rows",
                found: String(found.sequence),
                "the archive's log ends with event \(found.sequence), not with \(log.sequence) as it says"
            )
        }
    }

    /// Makes it a log of its own, and has what is known of others' logs made anew.
    private func renew(_ request: LoadArchive, _ transaction: inout Transaction) throws(ServiceError) -> Identifier {
        let epoch = Identifier.make()
        for (key, value) in [("epoch", epoch), (Self.mark, request.archive)] {
            try transaction.execute(
                "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                .text(key),
                .text(value.description)
            )
        }
        for projection in projections {
            try projection.empty(&transaction)
            transaction.rebuilt.insert(projection.source)
            let name = projection.source.rawValue + Engine.reactionSuffix
            try transaction.execute("DELETE FROM cursor WHERE source = $1", .text(name))
            guard let position = request.reactions?[projection.source.rawValue] else { continue }
            let session = transaction.session
            try storing { () throws(StoreError) in
                try Cursor(epoch: position.epoch, sequence: position.sequence, chain: 0).store(name, session)
            }
        }
        transaction.hasLoadedLog = true
        return epoch
    }
}
