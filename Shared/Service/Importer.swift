internal import CBOR
internal import Failpoints
internal import Messages
internal import Store

/// Imports in two steps: chunks are staged as they come, then taken all at once or not at all.
enum Importer {
    /// Others have a word behind so many items.
    static let itemsBetweenInterludes = 100

    /// Staged chunks that were not committed are dropped after this many microseconds.
    static let stagedFor: Int64 = 24 * 3600 * 1_000_000

    @Sendable static func stage(_ request: ImportStage, _ transaction: inout Transaction) throws(ServiceError) -> Empty
    {
        _ = try transaction.registry.table(named: request.entity)
        try stage(request, of: transaction)
        return Empty()
    }

    /// Keeps a chunk until its batch is committed.
    static func stage(_ request: ImportStage, of transaction: Transaction) throws(ServiceError) {
        guard request.chunk >= 0 else {
            throw .invalid(field: "chunk", found: String(request.chunk), "chunks are numbered from 0")
        }
        try transaction.execute(
            "DELETE FROM staged WHERE time < $1",
            .integer(transaction.time.microseconds - stagedFor)
        )
        try transaction.execute(
            """
            INSERT INTO staged (batch, chunk, time, entity, body) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (batch, chunk) DO UPDATE SET time = excluded.time, entity = excluded.entity, body = excluded.body
            """,
            .id(request.batch),
            .integer(Int64(request.chunk)),
            .integer(transaction.time.microseconds),
            .text(request.entity),
            .blob(try encoded(request.items))
        )
    }

    @Sendable static func commit(
        _ request: ImportCommit,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> ImportCommit.Reply {
        guard request.dryRun == true else { return try take(request, &transaction) }
        // Does it all, and undoes it: what the real run would refuse is refused here.
        let (session, events) = (transaction.session, transaction.events)
        transaction.skipsForeignChecks = true
        let reply = try session.savepoint(
            isTrial: true,
            { () throws(ServiceError) in try take(request, &transaction) },
            failure: ServiceError.store
        )
        transaction.skipsForeignChecks = false
        transaction.events = events
        return reply
    }

    private static func take(
        _ request: ImportCommit,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> ImportCommit.Reply {
        let chunks = try staged(request.batch, request.chunks, transaction)
        var counts: [String: ImportCounts] = [:]
        for (chunk, entity) in chunks {
            let table = try transaction.registry.table(named: entity)
            for (number, item) in try items(of: request.batch, chunk, transaction).enumerated() {
                if number % itemsBetweenInterludes == 0 { transaction.interlude() }
                failpoint("import.between")
                try table.importItem(item.bytes, &counts[entity, default: ImportCounts()], &transaction)
            }
        }
        failpoint("import.after")
        try transaction.execute("DELETE FROM staged WHERE batch = $1", .id(request.batch))
        return ImportCommit.Reply(counts: counts)
    }

    /// The chunks of a batch in order, each with what it is of.
    ///
    /// - Throws: `not-found` where not all are there.
    static func staged(
        _ batch: Identifier,
        _ count: Int,
        _ transaction: Transaction
    ) throws(ServiceError) -> [(chunk: Int64, entity: String)] {
        var chunks: [(chunk: Int64, entity: String)] = []
        try transaction.query(
            "SELECT chunk, entity FROM staged WHERE batch = $1 AND chunk < $2 ORDER BY chunk",
            .id(batch),
            .integer(Int64(count))
        ) { chunks.append(($0.integer(0), $0.text(1))) }
        guard chunks.count == count else {
            throw .refused(
                .notFound,
                "\(chunks.count) of the import's \(count) chunks are here: send the whole import again",
                field: "chunks"
            )
        }
        return chunks
    }

    /// The items of a chunk.
    static func items(
        of batch: Identifier,
        _ chunk: Int64,
        _ transaction: Transaction
    ) throws(ServiceError) -> [EncodedCBOR] {
        let body = try transaction.first(
            "SELECT body FROM staged WHERE batch = $1 AND chunk = $2",
            .id(batch),
            .integer(chunk)
        ) { $0.blob(0) }
        return try decodeStored([EncodedCBOR].self, body ?? [0x80])
    }
}
