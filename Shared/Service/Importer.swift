internal import CBOR
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
        return Empty()
    }

    @Sendable static func commit(
        _ request: ImportCommit,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> ImportCommit.Reply {
        guard request.dryRun == true else { return try take(request, &transaction) }
        // Does it all, and undoes it: what the real run would refuse is refused here.
        let events = transaction.events
        try transaction.execute("SAVEPOINT dry")
        transaction.skipsForeignChecks = true
        let reply = try take(request, &transaction)
        transaction.skipsForeignChecks = false
        try transaction.execute("ROLLBACK TO dry")
        try transaction.execute("RELEASE dry")
        transaction.events = events
        return reply
    }

    private static func take(
        _ request: ImportCommit,
        _ transaction: inout Transaction
    ) throws(ServiceError) -> ImportCommit.Reply {
        let staged = try transaction.first(
            "SELECT count(*) FROM staged WHERE batch = $1 AND chunk < $2",
            .id(request.batch),
            .integer(Int64(request.chunks))
        ) { $0.integer(0) }
        guard let staged, staged == request.chunks else {
            throw .refused(
                .notFound,
                "\(staged ?? 0) of the import's \(request.chunks) chunks are here: send the whole import again",
                field: "chunks"
            )
        }
        var counts: [String: ImportCounts] = [:]
        for chunk in 0..<request.chunks {
            let found = try transaction.first(
                "SELECT entity, body FROM staged WHERE batch = $1 AND chunk = $2",
                .id(request.batch),
                .integer(Int64(chunk))
            ) { ($0.text(0), $0.blob(1)) }
            guard let (entity, body) = found else { continue }
            let table = try transaction.registry.table(named: entity)
            for (number, item) in try decodeStored([EncodedCBOR].self, body).enumerated() {
                if number % itemsBetweenInterludes == 0 { transaction.interlude() }
                try table.importItem(item.bytes, &counts[entity, default: ImportCounts()], &transaction)
            }
        }
        try transaction.execute("DELETE FROM staged WHERE batch = $1", .id(request.batch))
        return ImportCommit.Reply(counts: counts)
    }
}
