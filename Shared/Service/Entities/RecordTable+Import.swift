internal import CBOR
internal import Messages
internal import Store

extension RecordTable: AnyRecordTable {
    func load(_ body: [UInt8], _ transaction: inout Transaction) throws(ServiceError) {
        let record = try archived(body)
        let (tracks, session) = (transaction.isWatched, transaction.session)
        transaction.touch(try write(record, body: body, replacing: nil, tracks: tracks, session))
        // It may have been deleted and made again: the archive's log was told before.
        transaction.isRestoring = true
        defer { transaction.isRestoring = false }
        try entity.didWrite(record, nil, &transaction)
        guard transaction.events.isEmpty else { throw .store(.fault("loading a \(R.entity) makes an event")) }
    }

    func didDelete(_ body: [UInt8], _ transaction: inout Transaction) throws(ServiceError) {
        try entity.didDelete(try archived(body), &transaction)
    }

    private func archived(_ body: [UInt8]) throws(ServiceError) -> R {
        do throws(CBORError) {
            return try CBORDecoder().decode(R.self, from: body)
        } catch {
            throw .invalid(field: "rows", "a row of the archive is no \(R.entity): \(error)")
        }
    }

    /// Takes one item of an import, by the rules of `ImportCommit`.
    func importItem(
        _ item: [UInt8],
        _ counts: inout ImportCounts,
        _ transaction: inout Transaction
    ) throws(ServiceError) {
        let entry: ImportItem<R>
        do throws(CBORError) {
            entry = try CBORDecoder().decode(ImportItem<R>.self, from: item)
        } catch {
            throw .invalid(field: "items", "an item of the import is no \(R.entity): \(error)")
        }
        do throws(ServiceError) {
            try take(entry.record, &counts, &transaction)
        } catch {
            // A refusal names the line that it is about.
            guard case .refused(let status, var body) = error else { throw error }
            body.message = "line \(entry.line): \(body.message)"
            throw .refused(status, body)
        }
    }

    private func take(_ item: R, _ counts: inout ImportCounts, _ transaction: inout Transaction) throws(ServiceError) {
        var record = item
        let digest = Digest.of(try encoded(record))
        let known = try transaction.first("SELECT digest FROM imported WHERE id = $1", .id(record.id)) { $0.bits(0) }
        if known == digest {
            counts.unchanged += 1
            return
        }
        let stored = try transaction.record(R.self, record.id)
        // An item without a version says what the record is to be, whatever it is now.
        if record.version == 0 { record.version = stored?.version ?? 0 }
        let result = try transaction.put(record)
        if stored == nil {
            counts.created += 1
        } else if result == stored {
            counts.unchanged += 1
        } else {
            counts.updated += 1
        }
        try transaction.execute(
            "INSERT INTO imported (id, digest) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET digest = excluded.digest",
            .id(record.id),
            .bits(digest)
        )
    }
}
