internal import CBOR
public import Messages
internal import Store

extension Transaction {
    /// A record is at most this many bytes, so that an event with what it is and what it was fits into a frame.
    static let mostRecordBytes = 440 * 1024

    /// Creates or changes a record, by the rules of `Put`.
    ///
    /// - Returns: The record as it is stored now.
    /// - Throws: `conflict` with the record as it is now, `gone`, `not-found`, or what the entity's checks refuse.
    @discardableResult
    public mutating func put<R: Record>(_ record: R) throws(ServiceError) -> R { try putting(record).record }

    /// A record as it is stored, and its encoding.
    typealias Stored<R: Record> = (record: R, body: [UInt8])

    /// The same, with the encoding of what is stored.
    mutating func putting<R: Record>(_ record: R) throws(ServiceError) -> Stored<R> {
        let table = try registry.table(R.self)
        let body = try storing { [session] () throws(StoreError) in try table.body(record.id, session) }
        guard let body else { return try create(record, in: table) }
        let stored = try decodeStored(R.self, body)
        if record.version == stored.version { return try update(record, from: (stored, body), in: table) }
        guard record.version > 0 else {
            throw try refusal(.conflict, "there is a \(R.entity) with this id already: edit it instead", stored)
        }
        guard record.version < stored.version else {
            throw .invalid(
                field: "version",
                found: String(record.version),
                "version \(record.version) is not yet: the \(R.entity) is at \(stored.version); read it again"
            )
        }
        guard let base = try version(record.version, of: record.id, in: table) else {
            throw try refusal(
                .conflict,
                "the \(R.entity) was changed meanwhile, and version \(record.version) is no longer kept: read it again",
                stored
            )
        }
        let merged = try RecordChange.merge(
            base: base,
            mine: try encoded(record),
            theirs: body,
            derived: table.entity.derived,
            keyed: table.entity.keyed
        )
        switch merged {
        case .success(let merged):
            return try update(try decodeStored(R.self, merged), from: (stored, body), in: table)
        case .failure(let conflict):
            throw try refusal(
                .conflict,
                """
                the \(R.entity) was changed meanwhile: \(conflict.field) has another value now; \
                read it again and repeat what you still want
                """,
                stored,
                field: conflict.field
            )
        }
    }

    /// Deletes a record and tells it.
    ///
    /// - Returns: The record as it was.
    @discardableResult
    public mutating func delete<R: Record>(_ request: Delete<R>) throws(ServiceError) -> R {
        let table = try registry.table(R.self)
        guard let stored = try record(R.self, request.id) else { throw try absence(of: R.self, request.id) }
        if let version = request.version, version != stored.version {
            throw try refusal(
                .conflict,
                "the \(R.entity) was changed meanwhile: it is at version \(stored.version), not \(version); read it again",
                stored,
                field: "version"
            )
        }
        try table.entity.willDelete(stored, request, &self)
        touch(try table.remove(stored, session))
        try table.entity.didDelete(stored, &self)
        events.append(
            PendingEvent(
                entity: R.entity,
                action: "deleted",
                subject: stored.id,
                version: stored.version + 1,
                data: nil,
                before: try encoded(stored),
                cause: cause
            )
        )
        return stored
    }

    /// The error for a record that is not there: `gone` where it once was.
    public func absence<R: Record>(of type: R.Type, _ id: Identifier) throws(ServiceError) -> ServiceError {
        if try wasDeleted(id) {
            return .refused(.gone, "the \(R.entity) \(id) has been deleted", field: "id", found: id.description)
        }
        return .refused(.notFound, "there is no \(R.entity) \(id)", field: "id", found: id.description)
    }

    /// Brings the stored form of a record up to date with what a projection knows now, such as the names of records
    /// of other services: no event, no new version.
    public mutating func refresh<R: Record>(_ record: R, to new: R) throws(ServiceError) {
        guard new != record else { return }
        let table = try registry.table(R.self)
        touch(try table.write(new, body: try encoded(new), replacing: record, tracks: isWatched, session))
    }

    private mutating func create<R: Record>(_ record: R, in table: RecordTable<R>) throws(ServiceError) -> Stored<R> {
        if record.version != 0 { throw try absence(of: R.self, record.id) }
        if try wasDeleted(record.id) { throw try absence(of: R.self, record.id) }
        var new = record
        try table.entity.prepare(&new, nil, &self)
        new.version = 1
        return (new, try write(new, action: "created", before: nil, replacing: nil, in: table))
    }

    private mutating func update<R: Record>(
        _ record: R,
        from stored: Stored<R>,
        in table: RecordTable<R>
    ) throws(ServiceError) -> Stored<R> {
        var new = record
        new.version = stored.record.version
        try table.entity.prepare(&new, stored.record, &self)
        if new == stored.record { return stored }
        new.version = stored.record.version + 1
        let before = try RecordChange.before(stored.body, try encoded(new))
        return (new, try write(new, action: "updated", before: before, replacing: stored.record, in: table))
    }

    /// Writes a record and its event.
    ///
    /// - Returns: the record's encoding.
    @discardableResult
    mutating func write<R: Record>(
        _ record: R,
        action: String,
        before: [UInt8]?,
        replacing old: R?,
        in table: RecordTable<R>
    ) throws(ServiceError) -> [UInt8] {
        let body = try encoded(record)
        guard body.count <= Transaction.mostRecordBytes else {
            throw .refused(
                .tooLarge,
                """
                this \(R.entity) is \(body.count) bytes: at most \(Transaction.mostRecordBytes) are taken; \
                make its texts shorter, or split it
                """,
                found: String(body.count)
            )
        }
        touch(try table.write(record, body: body, replacing: old, tracks: isWatched, session))
        events.append(
            PendingEvent(
                entity: R.entity,
                action: action,
                subject: record.id,
                version: record.version,
                data: body,
                before: before,
                cause: cause
            )
        )
        try table.entity.didWrite(record, old, &self)
        return body
    }

    /// The record's encoding at an earlier version, from the log or its base; what was erased is no base for an edit.
    private func version<R: Record>(
        _ version: Int,
        of id: Identifier,
        in table: RecordTable<R>
    ) throws(ServiceError) -> [UInt8]? {
        let event = try first(
            "SELECT body FROM event WHERE subject = $1 AND version = $2",
            .id(id),
            .integer(Int64(version))
        ) { $0.blob(0) }
        let kept =
            if let event {
                try decodeStored(Event.self, event).data?.bytes
            } else {
                try first(
                    "SELECT body FROM base WHERE id = $1 AND version = $2 AND body IS NOT NULL",
                    .id(id),
                    .integer(Int64(version))
                ) { $0.blob(0) }
            }
        guard let kept, let blank = table.entity.erase else { return kept }
        return try Erasure.record(kept, blank) == nil ? nil : kept
    }

    /// Whether there ever was a record with this id: it has events, or had some.
    private func wasDeleted(_ id: Identifier) throws(ServiceError) -> Bool {
        let sql = "SELECT 1 FROM event WHERE subject = $1 UNION ALL SELECT 1 FROM base WHERE id = $1 LIMIT 1"
        return try first(sql, .id(id)) { _ in true } ?? false
    }

    private func refusal<R: Record>(
        _ status: Status,
        _ message: String,
        _ current: R,
        field: String? = nil
    ) throws(ServiceError) -> ServiceError {
        .refused(status, message, field: field, current: EncodedCBOR(trusted: try encoded(current)))
    }
}
